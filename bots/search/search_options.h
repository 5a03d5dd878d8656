// Holds the options that the searchers share, and converts them to the limits of one search.

#ifndef TRIARCH_BOTS_SEARCH_SEARCH_OPTIONS_H_
#define TRIARCH_BOTS_SEARCH_SEARCH_OPTIONS_H_

#include <cstdint>
#include <optional>

#include "bots/bot.h"
#include "bots/search/limits.h"
#include "core/play/player.h"

namespace triarch {

constexpr BotOption NodesOption(std::string_view description, double default_number) {
  return WholeOption("nodes", description, 1, 1e12, default_number, "if nothing limits the bot");
}
inline constexpr BotOption kPositionsOption = NodesOption("positions to search per move", 20'000);
inline constexpr BotOption kDepthOption =
    WholeOption("depth", "plies to look ahead; captures at the end do not count", 1, kDepthMax,
                std::nullopt, "no limit");
inline constexpr BotOption kResignOption = NumberOption(
    "resign", "resigns after expecting less than this percentage of all points on 3 turns in a row",
    0, 33, 0, "means never");

// The values of the options above. A bot may have only some of them.
struct SearchOptions {
  explicit SearchOptions(const BotOptionValues& values);

  std::optional<int64_t> nodes = {};  // only if specified
  std::optional<int64_t> depth = {};
  double resign_percent = 0;  // 0 means never

  bool takes_depth;            // whether a depth limit means anything to the bot
  int64_t nodes_if_unlimited;  // the node limit if nothing else limits the search
};

// Returns the limits of one search. If the bot has its own limits, they replace the match's nodes
// and depth. The match's deadline always applies.
Limits LimitsFor(const SearchOptions& own, const SearchLimits& given);

}  // namespace triarch

#endif  // TRIARCH_BOTS_SEARCH_SEARCH_OPTIONS_H_
