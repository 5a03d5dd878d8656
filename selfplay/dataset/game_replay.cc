#include "selfplay/dataset/game_replay.h"

#include <algorithm>
#include <string>

#include "absl/strings/str_format.h"
#include "core/base/counted.h"
#include "core/base/status_macros.h"
#include "core/sample.h"

namespace triarch {
namespace {

absl::Status Wrong(const std::string& what) { return absl::InvalidArgumentError(what); }

absl::Status CheckNumber(const char* key, int64_t number, int64_t expected) {
  if (number == expected) return absl::OkStatus();
  return Wrong(absl::StrFormat("meta: %s is %d; expected %d", key, number, expected));
}

}  // namespace

absl::Status CheckShape(const ShardMeta& meta) {
  RETURN_IF_ERROR(FindGame(meta.game).status());
  absl::Status status;
  ForEachGame(Games(), [&]<class P>() {
    if (P::kInfo.name != meta.game) return false;
    status.Update(CheckNumber("seats", meta.seats, P::kInfo.seats));
    status.Update(CheckNumber("cells", meta.cells, SampleShape<P>::kCells));
    status.Update(CheckNumber("policy_size", meta.policy_size, SampleShape<P>::kPolicySize));
    return true;
  });
  if (meta.game.empty()) return Wrong("meta: the game is missing");
  return status;
}

std::vector<SampleRange> SamplesByGame(const Shard& shard) {
  std::vector<SampleRange> ranges(shard.games());
  size_t sample = 0;
  for (size_t game = 0; game < shard.games(); ++game) {
    ranges[game].first = sample;
    while (sample < shard.samples() && shard.game[sample] == game) ++sample;
    ranges[game].last = sample;
  }
  return ranges;
}

GameReplay::GameReplay(AnyState state, std::span<const uint16_t> rest)
    : state_(std::move(state)), rest_(rest) {
  Look();
}

absl::StatusOr<GameReplay> GameReplay::Begin(const Shard& shard, size_t game) {
  RETURN_IF_ERROR(CheckShape(shard.meta));
  const std::string& start = shard.game_start[game];
  absl::StatusOr<AnyState> state = start.empty()
                                       ? AnyState::Start(shard.meta.game, "", kRulesOnly)
                                       : AnyState::Parse(shard.meta.game, start, kRulesOnly);
  if (!state.ok()) return Wrong("game_start: " + std::string(state.status().message()));
  const auto first = static_cast<size_t>(shard.game_moves_offsets[game]);
  const auto last = static_cast<size_t>(shard.game_moves_offsets[game + 1]);
  return GameReplay(*std::move(state), std::span(shard.game_moves).subspan(first, last - first));
}

size_t GameReplay::NumberOf(uint16_t index) const {
  return static_cast<size_t>(std::find(indices_.begin(), indices_.end(), index) - indices_.begin());
}

absl::Status GameReplay::Step() {
  if (is_done()) return Wrong("the game has only " + Counted(ply_, "ply", "plies"));
  if (state_.outcome()) {
    return Wrong(absl::StrFormat("game_moves continues after the rules end the game by %s",
                                 std::string(ToString(state_.outcome()->termination))));
  }
  if (is_move_next()) {
    const size_t number = NumberOf(next());
    if (number == moves_.size()) {
      return Wrong(absl::StrFormat("game_moves: no legal move has the index %d", next()));
    }
    state_.Play(moves_, number);
    ++ply_;
  } else {
    const Seat seat = SeatAt(next() - kSeatLeft);
    if (!state_.is_in(seat)) {
      return Wrong(
          absl::StrFormat("game_moves: seat %d leaves but is not in the game", Index(seat)));
    }
    state_.Eliminate(seat, Termination::kResignation);
  }
  rest_ = rest_.subspan(1);
  Look();
  return absl::OkStatus();
}

absl::Status GameReplay::StepTo(size_t ply) {
  while (ply_ < ply || (!is_done() && !is_move_next())) RETURN_IF_ERROR(Step());
  return absl::OkStatus();
}

void GameReplay::Look() {
  moves_ = state_.LegalMoves();
  indices_.clear();
  state_.Visit([this]<class P>(const GameState<P>&) {
    moves_.As<P>().ForEach([this](typename P::Move move) {
      indices_.push_back(static_cast<uint16_t>(PolicyIndex(move)));
    });
  });
}

}  // namespace triarch
