// Adapts a searcher of one game to a player of any game: claims draws, resigns and reports.

#ifndef TRIARCH_BOTS_SEARCH_SEARCH_PLAYER_H_
#define TRIARCH_BOTS_SEARCH_SEARCH_PLAYER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "bots/bot.h"
#include "bots/search/points.h"
#include "bots/search/search_options.h"
#include "bots/search/searcher.h"
#include "core/any_state.h"
#include "core/base/check.h"
#include "core/evaluate.h"
#include "core/games.h"
#include "core/play/player.h"
#include "core/text.h"

namespace triarch {

template <Searcher Bot>
class SearchPlayer final : public SyncPlayer {
 public:
  // Passes any further arguments to the searcher.
  template <class... Args>
  explicit SearchPlayer(const PlayerRequest& request, Args&&... args)
      : options_(request.options), log_(request.log), bot_(std::forward<Args>(args)...) {}

  void NewGame(Seat seat, uint64_t seed) override {
    seat_ = seat;
    hopeless_turns_ = 0;
    bot_.NewGame(seat, seed);
  }

  Decision Choose(const AnyState& any_state, const AnyState::Moves& any_moves,
                  const SearchLimits& limits) override {
    const GameState<P>* const state = any_state.As<P>();
    CHECK(state != nullptr);
    const Result result = bot_.Search(*state, LimitsFor(options_, limits));
    if constexpr (CanFail<Bot>) {
      if (!bot_.status().ok()) return Forfeit(bot_.status());
    }
    if (limits.search_info != nullptr) {
      limits.search_info->has_noise = TakesNoise<Bot> && limits.noise.has_value();
      limits.search_info->has_only_move = TakesOnlyMove<Bot> && limits.only_move.has_value();
    }
    const Moves& moves = any_moves.As<P>();
    Decision decision{.move = moves.Find(result.move), .nodes = result.nodes, .eval = {}};
    if (result.points) {
      decision.eval = Shares<P>(*result.points);
      decision.kind = KindOf(*state, *result.points, (*decision.eval)[seat_]);
    }
    if (limits.search_info != nullptr) Report(*state, result, moves, *limits.search_info);
    return decision;
  }

 private:
  using P = typename Bot::Game;
  using Moves = typename P::MoveSets;
  using Result = SearchResult<typename P::Move>;

  static constexpr int kResignTurns = 3;

  Decision Forfeit(const absl::Status& status) const {
    if (log_) log_(std::string(status.message()));
    return {.kind = Decision::Kind::kForfeit, .why = Termination::kCrash, .eval = std::nullopt};
  }

  // Claims a draw unless playing on is better. Resigns, if allowed, when the game is hopeless.
  Decision::Kind KindOf(const GameState<P>& state, const PerSeat<Score>& points, double share) {
    if (state.claimable() && points[seat_] <= DrawPoints(state.position())[seat_]) {
      return Decision::Kind::kClaimDraw;
    }
    hopeless_turns_ = share * 100 < options_.resign_percent ? hopeless_turns_ + 1 : 0;
    return hopeless_turns_ >= kResignTurns ? Decision::Kind::kResign : Decision::Kind::kMove;
  }

  void Report(const GameState<P>& state, const Result& result, const Moves& moves,
              SearchInfo& info) const {
    if (info.wants_policy) {
      info.policy.assign(moves.size(), 0);
      for (const auto& [move, weight] : bot_.Policy()) info.policy[moves.Find(move)] = weight;
    }
    if (!info.wants_explanation) return;
    info.depth = result.depth;
    if constexpr (PredictsLine<Bot>) info.line = LineFrom(state.position());
    if constexpr (ExplainsItself<Bot>) info.explanation = bot_.Explain(state);
  }

  std::vector<std::string> LineFrom(P position) const {
    std::vector<std::string> line;
    for (const typename P::Move move : bot_.Line()) {
      line.push_back(MoveToString(position, move));
      position.Play(move);
    }
    return line;
  }

  const SearchOptions options_;
  const PlayerLog log_;
  Bot bot_;
  Seat seat_ = Seat::kFirst;
  int hopeless_turns_ = 0;  // consecutive
};

// Returns the result of `make.operator()<P>()` for the game of that name.
template <class Make>
absl::StatusOr<std::unique_ptr<SyncPlayer>> MakeForGame(const GameInfo& game, Make make) {
  absl::StatusOr<std::unique_ptr<SyncPlayer>> player = nullptr;
  const bool is_known = ForEachGame(Games(), [&]<Position P>() {
    if (P::kInfo.name != game.name) return false;
    player = make.template operator()<P>();
    return true;
  });
  CHECK(is_known);
  return player;
}

}  // namespace triarch

#endif  // TRIARCH_BOTS_SEARCH_SEARCH_PLAYER_H_
