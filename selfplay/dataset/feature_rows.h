// Turns samples into what the trainer of a network reads.

#ifndef TRIARCH_SELFPLAY_DATASET_FEATURE_ROWS_H_
#define TRIARCH_SELFPLAY_DATASET_FEATURE_ROWS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/game/seat.h"
#include "selfplay/shard/shard.h"

namespace triarch {

// A sample. Its bytes are the same on every machine that we build for.
struct FeatureRow {
  static constexpr size_t kFeaturesMax = 64;
  static constexpr uint16_t kNoFeature = 0xffff;
  static constexpr uint8_t kQuiet = 0x80;

  std::array<uint16_t, kFeaturesMax> features;  // core/game/features.h; the rest is kNoFeature
  std::array<float, kSeatsMax> points;          // the game's points as shares: sum 1
  std::array<float, kSeatsMax> value;           // those that the bot expected; NaN if it said none
  uint8_t in;                                   // bit i: seat i is in the game; kQuiet
  uint8_t seat;                                 // the seat to move
  uint16_t ply;
};
static_assert(sizeof(FeatureRow) == 156);

// Adds the rows of all samples, in order. Fails with InvalidArgument if the rules forbid a move of
// the shard. Requires: CheckShard succeeds.
absl::Status AddFeatureRows(const Shard& shard, std::vector<FeatureRow>* rows);

// Returns the features of the game as every seat sees them, [seats][features]. Fails with
// InvalidArgument if there is no such game.
absl::StatusOr<std::vector<std::vector<uint16_t>>> FeatureViewsOf(const std::string& game);

}  // namespace triarch

#endif  // TRIARCH_SELFPLAY_DATASET_FEATURE_ROWS_H_
