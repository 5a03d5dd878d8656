// Formats samples of self-play data as text and as JSON.

#ifndef TRIARCH_CLI_DATA_DATA_SAMPLES_H_
#define TRIARCH_CLI_DATA_DATA_SAMPLES_H_

#include <functional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "selfplay/dataset/game_replay.h"
#include "selfplay/shard/shard.h"

namespace triarch {

// Returns a sample as text: the board, its position, the moves and the targets. InvalidArgument:
// the game cannot be played as the shard says.
absl::StatusOr<std::string> SampleText(const Shard& shard, size_t sample, bool is_colored);

// Calls f(line) for every sample of the shard, where `line` is a JSON object and a line end
// (docs/selfplay-data.md). Stops at the first error: f's, or InvalidArgument as above.
absl::Status ForEachSampleLine(const Shard& shard,
                               const std::function<absl::Status(const std::string&)>& f);

}  // namespace triarch

#endif  // TRIARCH_CLI_DATA_DATA_SAMPLES_H_
