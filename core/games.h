// Lists the games.

#ifndef TRIARCH_CORE_GAMES_H_
#define TRIARCH_CORE_GAMES_H_

#include <variant>

#include "core/game/game_state.h"
#include "core/three_way/position.h"
#include "core/tri_d/position.h"
#include "core/triumvirate/position.h"

// The list of games. To add a game, create its folder and add it here and in CMakeLists.txt.
namespace triarch {

template <Position... Ps>
struct GameList {
  using State = std::variant<GameState<Ps>...>;
  using Moves = std::variant<typename Ps::MoveSets...>;
};

using Games = GameList<triumvirate::Position, three_way::Position, tri_d::Position>;

// Calls f.operator()<P>() for each game in order until a call returns true. Returns whether one
// did.
template <class F, class... Ps>
bool ForEachGame(GameList<Ps...>, F f) {
  return (f.template operator()<Ps>() || ...);
}

using AnyGameState = Games::State;
using AnyMoveSets = Games::Moves;

}  // namespace triarch

#endif  // TRIARCH_CORE_GAMES_H_
