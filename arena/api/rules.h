// Returns the rules of the games, from docs/rules.

#ifndef TRIARCH_ARENA_API_RULES_H_
#define TRIARCH_ARENA_API_RULES_H_

#include <string_view>

namespace triarch::arena {

// Returns the rules of a game as Markdown. Requires: the game exists.
std::string_view RulesOf(std::string_view game);

}  // namespace triarch::arena

#endif  // TRIARCH_ARENA_API_RULES_H_
