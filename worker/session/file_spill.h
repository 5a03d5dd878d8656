#ifndef TRIARCH_WORKER_SESSION_FILE_SPILL_H_
#define TRIARCH_WORKER_SESSION_FILE_SPILL_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "worker/session/lease_queue.h"

namespace triarch {

// Games as bytes and back: the wire's form. The second fails on bytes that are none.
struct GameCodec {
  std::function<std::string(const std::vector<GameRecord>&)> encode;
  std::function<absl::StatusOr<std::vector<GameRecord>>(const std::string&)> decode;
};

// A file a batch, in a folder of its own that is made when first needed. Each is written aside and
// then renamed; one that is not whole any more is DataLoss. Its files go in the end, those that a
// process before left there at the start, and the folder if it was made here.
std::unique_ptr<Spill> MakeFileSpill(const std::string& folder, GameCodec codec);

}  // namespace triarch

#endif  // TRIARCH_WORKER_SESSION_FILE_SPILL_H_
