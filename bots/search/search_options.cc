#include "bots/search/search_options.h"

#include <algorithm>
#include <limits>

namespace triarch {

SearchOptions::SearchOptions(const BotOptionValues& values)
    : takes_depth(values.FindOption("depth") != nullptr),
      nodes_if_unlimited(std::numeric_limits<int64_t>::max()) {
  if (values.FindOption("nodes") != nullptr) {
    nodes_if_unlimited = *values.Whole("nodes");
    if (values.is_given("nodes")) nodes = nodes_if_unlimited;
  }
  if (takes_depth) depth = values.Whole("depth");
  if (values.FindOption("resign") != nullptr) resign_percent = *values.Number("resign");
}

Limits LimitsFor(const SearchOptions& own, const SearchLimits& given) {
  const bool has_own = !given.is_fast && (own.nodes || own.depth);
  const std::optional<int64_t> nodes = has_own ? own.nodes : given.nodes;
  std::optional<int64_t> depth = has_own ? own.depth : given.depth;
  if (!own.takes_depth) depth = std::nullopt;
  Limits limits{.deadline = given.deadline, .stop = given.stop, .noise = given.noise};
  limits.only_move = given.only_move;
  if (nodes) limits.nodes_max = std::max(*nodes, int64_t{1});
  if (depth) {
    limits.depth_max = static_cast<int>(std::clamp(*depth, int64_t{1}, int64_t{kDepthMax}));
  }
  if (!nodes && !depth && !limits.deadline) limits.nodes_max = own.nodes_if_unlimited;
  return limits;
}

}  // namespace triarch
