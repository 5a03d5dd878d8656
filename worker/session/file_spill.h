// Implements a spill as files in a folder.

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

// Serializes games. `decode` returns an error for bytes that `encode` did not produce.
struct GameCodec {
  std::function<std::string(const std::vector<GameRecord>&)> encode;
  std::function<absl::StatusOr<std::vector<GameRecord>>(const std::string&)> decode;
};

// Returns a spill with one file per batch, in a folder that is created on first use. Files are
// written under a temporary name and then renamed. Take returns DataLoss for a damaged file. The
// spill removes files of an earlier process at the start. At the end it removes its own files, and
// the folder if it created it.
std::unique_ptr<Spill> MakeFileSpill(const std::string& folder, GameCodec codec);

}  // namespace triarch

#endif  // TRIARCH_WORKER_SESSION_FILE_SPILL_H_
