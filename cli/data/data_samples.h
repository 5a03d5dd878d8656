#ifndef TRIARCH_CLI_DATA_DATA_SAMPLES_H_
#define TRIARCH_CLI_DATA_DATA_SAMPLES_H_

#include <functional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "selfplay/dataset/game_replay.h"
#include "selfplay/shard/shard.h"

// Samples as text, for `triarch data sample` and `triarch data export`.
namespace triarch {

// A sample to look at: the board, its position, moves and numbers. InvalidArgument: the game cannot
// be played as the shard says.
absl::StatusOr<std::string> SampleText(const Shard& shard, size_t sample, bool is_colored);

// Calls f(line) for every sample of the shard, with a JSON object and the line's end
// (docs/selfplay-data.md). Ends with the first error: f's, or InvalidArgument likewise.
absl::Status ForEachSampleLine(const Shard& shard,
                               const std::function<absl::Status(const std::string&)>& f);

}  // namespace triarch

#endif  // TRIARCH_CLI_DATA_DATA_SAMPLES_H_
