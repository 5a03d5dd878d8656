// Defines the searcher concept: a bot of one game that weighs moves within limits.

#ifndef TRIARCH_BOTS_SEARCH_SEARCHER_H_
#define TRIARCH_BOTS_SEARCH_SEARCHER_H_

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "bots/search/limits.h"
#include "bots/search/points.h"
#include "core/game/game_state.h"
#include "core/game/position.h"

namespace triarch {

// The result of one search.
template <class Move>
struct SearchResult {
  Move move{};
  int64_t nodes = 0;
  int depth = 0;  // depth of the last iteration that began
  // Expected points per seat, if the bot estimates them.
  std::optional<PerSeat<Score>> points = std::nullopt;
};

// A move with its share of a distribution over all legal moves.
template <class Move>
struct WeighedMove {
  Move move;
  float weight = 0;
};

template <class S>
concept Searcher = Position<typename S::Game> &&
    requires(S searcher, const S searched, const GameState<typename S::Game>& state,
             const Limits& limits, Seat seat, uint64_t seed) {
  // Forgets the last game. All randomness derives from the seed.
  { searcher.NewGame(seat, seed) } -> std::same_as<void>;
  // Requires: the game is not over, and the seat passed to NewGame is to move.
  { searcher.Search(state, limits) } -> std::same_as<SearchResult<typename S::Game::Move>>;
  // Returns how good the last search found each legal move. The weights add up to 1.
  { searched.Policy() } -> std::same_as<std::vector<WeighedMove<typename S::Game::Move>>>;
};

// Optional capabilities of a searcher.

// Predicts the continuation after its last search.
template <class S>
concept PredictsLine = Searcher<S> && requires(const S searched) {
  { searched.Line() } -> std::same_as<std::vector<typename S::Game::Move>>;
};

// Explains its last search, which was for `state`, in words.
template <class S>
concept ExplainsItself = Searcher<S> &&
    requires(const S searched, const GameState<typename S::Game>& state) {
  { searched.Explain(state) } -> std::same_as<std::string>;
};

// Mixes the noise from the limits into its search.
template <class S>
concept TakesNoise = Searcher<S> && S::kTakesNoise;

// Searches only the move that the limits name, if they do.
template <class S>
concept TakesOnlyMove = Searcher<S> && S::kTakesOnlyMove;

// Can fail; the result of its last search is then meaningless.
template <class S>
concept CanFail = Searcher<S> && requires(const S searched) {
  { searched.status() } -> std::convertible_to<absl::Status>;
};

}  // namespace triarch

#endif  // TRIARCH_BOTS_SEARCH_SEARCHER_H_
