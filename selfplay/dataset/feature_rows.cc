#include "selfplay/dataset/feature_rows.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_format.h"
#include "core/any_state.h"
#include "core/base/status_macros.h"
#include "core/features.h"
#include "core/game/move_sinks.h"
#include "core/games.h"
#include "selfplay/dataset/game_replay.h"
#include "selfplay/shard/half.h"

namespace triarch {
namespace {

// Returns false if the position has too many features: by rights and pieces that no game begins
// with.
template <HasFeatures P>
bool SetPosition(const P& position, FeatureList& list, FeatureRow* row) {
  ListFeatures(position, list);
  if (list.size() > FeatureRow::kFeaturesMax) return false;
  const auto rest = std::copy(list.begin(), list.end(), row->features.begin());
  std::fill(rest, row->features.end(), FeatureRow::kNoFeature);
  row->in = 0;
  for (size_t i = 0; i < P::kInfo.seats; ++i) {
    if (position.is_in(SeatAt(i))) row->in = static_cast<uint8_t>(row->in | 1 << i);
  }
  return true;
}

// Returns how many pieces there are, and how many pawns: a capture or promotion changes that.
std::pair<size_t, size_t> CountPieces(const AnyState& state) {
  return state.Visit([]<class P>(const GameState<P>& of) {
    return std::pair(SizeOf(of.position().occupied()),
                     SizeOf(of.position().of_type(PieceType::kPawn)));
  });
}

}  // namespace

absl::Status AddFeatureRows(const Shard& shard, std::vector<FeatureRow>* rows) {
  RETURN_IF_ERROR(CheckShape(shard.meta));
  const auto seats = static_cast<size_t>(shard.meta.seats);
  const std::vector<SampleRange> ranges = SamplesByGame(shard);
  FeatureList list;
  for (size_t game = 0; game < shard.games(); ++game) {
    const SampleRange range = ranges[game];
    if (range.first == range.last) continue;
    ASSIGN_OR_RETURN(GameReplay replay, GameReplay::Begin(shard, game));
    for (size_t n = range.first; n < range.last; ++n) {
      RETURN_IF_ERROR(replay.StepTo(shard.ply[n]));
      FeatureRow row{};
      row.seat = shard.seat[n];
      row.ply = shard.ply[n];
      for (size_t i = 0; i < seats; ++i) {
        row.points[i] = shard.points[n * seats + i];
        row.value[i] = ToFloat(shard.value[n * seats + i]);
      }
      const bool fits = replay.state().Visit([&]<class P>(const GameState<P>& state) {
        return SetPosition(state.position(), list, &row);
      });
      // Whether the next move is quiet, and not the answer to a check.
      bool is_quiet = !replay.state().in_check(replay.state().to_move());
      const auto pieces = CountPieces(replay.state());
      RETURN_IF_ERROR(replay.Step());
      is_quiet = is_quiet && CountPieces(replay.state()) == pieces;
      if (is_quiet) row.in |= FeatureRow::kQuiet;
      if (!fits) {
        return absl::InvalidArgumentError(
            absl::StrFormat("sample %d has more than %d features", n, FeatureRow::kFeaturesMax));
      }
      rows->push_back(row);
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<std::vector<uint16_t>>> FeatureViewsOf(const std::string& game) {
  RETURN_IF_ERROR(FindGame(game).status());
  std::vector<std::vector<uint16_t>> views;
  ForEachGame(Games(), [&]<Position P>() {
    if (P::kInfo.name != game) return false;
    for (size_t i = 0; i < P::kInfo.seats; ++i) views.push_back(ViewsOfFeatures<P>()[SeatAt(i)]);
    return true;
  });
  return views;
}

}  // namespace triarch
