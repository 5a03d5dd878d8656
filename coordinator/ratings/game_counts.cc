#include "coordinator/ratings/game_counts.h"

#include <algorithm>
#include <tuple>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/strings/str_format.h"
#include "coordinator/ratings/davidson_luce.h"

namespace triarch::ratings {
namespace {

absl::Status CheckBots(const GameSummary& game, size_t bots, size_t seats) {
  for (size_t i = 0; i < seats; ++i) {
    const int bot = game.bots[SeatAt(i)];
    if (bot >= 0 && static_cast<size_t>(bot) < bots) continue;
    return absl::InvalidArgumentError(
        absl::StrFormat("game %d: bot %d is not one of the %d bots", game.index, bot, bots));
  }
  return absl::OkStatus();
}

// One number for (bots by seat, placement), in the order that GameCounts promises.
uint64_t KeyOf(const GameSummary& game, size_t bots, size_t seats, size_t placement) {
  uint64_t key = 0;
  for (size_t i = 0; i < seats; ++i) {
    key = key * bots + static_cast<uint64_t>(game.bots[SeatAt(i)]);
  }
  return key * Placements(seats).size() + placement;
}

// Puts `counts` in order and lets `games` follow.
void Sort(const std::vector<uint64_t>& keys, GameCounts& counts) {
  std::vector<size_t> order(keys.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return keys[a] < keys[b]; });
  std::vector<GameCount> sorted(order.size());
  std::vector<size_t> new_place(order.size());
  for (size_t i = 0; i < order.size(); ++i) {
    sorted[i] = counts.counts[order[i]];
    new_place[order[i]] = i;
  }
  counts.counts = std::move(sorted);
  for (GameCounts::InBlock& game : counts.games) game.count = new_place[game.count];
  std::sort(counts.games.begin(), counts.games.end(), [](const auto& a, const auto& b) {
    return std::tie(a.block, a.count) < std::tie(b.block, b.count);
  });
}

using Edges = std::vector<std::vector<int>>;

void FinishOrder(const Edges& edges, int node, std::vector<bool>& seen, std::vector<int>& order) {
  if (seen[static_cast<size_t>(node)]) return;
  seen[static_cast<size_t>(node)] = true;
  for (const int next : edges[static_cast<size_t>(node)]) FinishOrder(edges, next, seen, order);
  order.push_back(node);
}

// Strongly connected components (Kosaraju): what is reached backwards, latest finished first.
std::vector<int> StrongGroups(const Edges& forward, const Edges& backward) {
  const size_t nodes = forward.size();
  std::vector<bool> seen(nodes, false);
  std::vector<int> order;
  for (size_t i = 0; i < nodes; ++i) FinishOrder(forward, static_cast<int>(i), seen, order);
  std::vector<int> group(nodes, 0);
  seen.assign(nodes, false);
  int groups = 0;
  for (auto root = order.rbegin(); root != order.rend(); ++root) {
    std::vector<int> members;
    FinishOrder(backward, *root, seen, members);
    for (const int member : members) group[static_cast<size_t>(member)] = groups;
    groups += members.empty() ? 0 : 1;
  }
  return group;
}

void Deduplicate(Edges& edges) {
  for (std::vector<int>& nexts : edges) {
    std::sort(nexts.begin(), nexts.end());
    nexts.erase(std::unique(nexts.begin(), nexts.end()), nexts.end());
  }
}

}  // namespace

absl::StatusOr<GameCounts> CountGames(size_t bots, size_t seats,
                                      std::span<const GameSummary> games) {
  if (seats != 2 && seats != 3) {
    return absl::InvalidArgumentError(absl::StrFormat("a game of %d seats has no ratings", seats));
  }
  GameCounts counts{.bots = bots, .seats = seats, .counts = {}, .games = {}};
  counts.games.reserve(games.size());
  absl::flat_hash_map<uint64_t, size_t> places;
  std::vector<uint64_t> keys;
  for (const GameSummary& game : games) {
    if (absl::Status status = CheckBots(game, bots, seats); !status.ok()) return status;
    const std::optional<size_t> placement = PlacementIndex(game.outcome.place, seats);
    if (!placement) {
      return absl::InvalidArgumentError(
          absl::StrFormat("game %d: \"%s\" is no placement of %d seats", game.index,
                          PlacementText(game.outcome.place, seats), seats));
    }
    const uint64_t key = KeyOf(game, bots, seats, *placement);
    const auto [place, is_new] = places.try_emplace(key, counts.counts.size());
    if (is_new) {
      PerSeat<int> table;  // the seat that a game of two lacks says nothing
      for (size_t i = 0; i < seats; ++i) table[SeatAt(i)] = game.bots[SeatAt(i)];
      counts.counts.push_back({table, *placement, 0});
      keys.push_back(key);
    }
    ++counts.counts[place->second].games;
    counts.games.push_back({game.match, place->second});
  }
  Sort(keys, counts);
  return counts;
}

Connections FindConnections(const GameCounts& counts) {
  Edges met(counts.bots);
  Edges level_or_above(counts.bots);
  Edges level_or_below(counts.bots);
  for (const GameCount& count : counts.counts) {
    const PerSeat<uint8_t>& place = Placements(counts.seats)[count.placement];
    for (size_t i = 0; i < counts.seats; ++i) {
      for (size_t j = 0; j < counts.seats; ++j) {
        const int a = count.bots[SeatAt(i)];
        const int b = count.bots[SeatAt(j)];
        if (a == b) continue;
        met[static_cast<size_t>(a)].push_back(b);
        if (place[SeatAt(i)] > place[SeatAt(j)]) continue;
        level_or_above[static_cast<size_t>(a)].push_back(b);
        level_or_below[static_cast<size_t>(b)].push_back(a);
      }
    }
  }
  Deduplicate(met);
  Deduplicate(level_or_above);
  Deduplicate(level_or_below);
  return {.group = StrongGroups(met, met),
          .strong_group = StrongGroups(level_or_above, level_or_below)};
}

int LargestGroup(const std::vector<int>& group) {
  std::vector<int64_t> members(group.size(), 0);
  for (const int number : group) ++members[static_cast<size_t>(number)];
  return static_cast<int>(std::max_element(members.begin(), members.end()) - members.begin());
}

}  // namespace triarch::ratings
