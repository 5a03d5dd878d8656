// Lists the bundled bots that need nothing but the rules.

#ifndef TRIARCH_BOTS_SEARCHERS_H_
#define TRIARCH_BOTS_SEARCHERS_H_

#include <span>

#include "bots/bot.h"

namespace triarch {

// random, greedy, smart, paranoid, maxn, mcts.
std::span<const BundledBot* const> Searchers();

}  // namespace triarch

#endif  // TRIARCH_BOTS_SEARCHERS_H_
