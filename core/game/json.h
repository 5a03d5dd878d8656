// Defines how a game reads and writes positions and moves as JSON.

#ifndef TRIARCH_CORE_GAME_JSON_H_
#define TRIARCH_CORE_GAME_JSON_H_

#include <concepts>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "core/game/position.h"

namespace triarch {

// Each game declares these functions in its json.h. JSON is passed as text, so only the units
// that build it depend on the JSON library.
template <class P>
concept HasJson = Position<P> &&
    requires(const P p, const typename P::Move move, std::string_view text) {
  { ToJson(p) } -> std::same_as<std::string>;
  { FromJson(kGame<P>, text) } -> std::same_as<absl::StatusOr<P>>;
  { MoveToJson(p, move) } -> std::same_as<std::string>;
};

}  // namespace triarch

#endif  // TRIARCH_CORE_GAME_JSON_H_
