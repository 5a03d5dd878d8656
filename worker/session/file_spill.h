// Makes a spill of files in a folder.

#ifndef TRIARCH_WORKER_SESSION_FILE_SPILL_H_
#define TRIARCH_WORKER_SESSION_FILE_SPILL_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "core/record/game_record.h"
#include "worker/session/spill.h"

namespace triarch {

// Turns games into bytes and back. `decode` returns an error for bytes that `encode` did not make.
struct GameCodec {
  std::function<std::string(const std::vector<GameRecord>&)> encode;
  std::function<absl::StatusOr<std::vector<GameRecord>>(const std::string&)> decode;
};

// Writes one file per batch, into a folder of its own that it makes when it first needs it. A file
// is written under another name and then renamed; Take returns DataLoss for a damaged one. Removes
// its files at the end, those that an earlier process left there at the start, and the folder if it
// made it.
std::unique_ptr<Spill> MakeFileSpill(const std::string& folder, GameCodec codec);

}  // namespace triarch

#endif  // TRIARCH_WORKER_SESSION_FILE_SPILL_H_
