#include "coordinator/ratings/game_counts.h"

#include <algorithm>
#include <optional>
#include <tuple>

#include "absl/status/status.h"
#include "absl/strings/str_format.h"
#include "coordinator/ratings/davidson_luce.h"
#include "core/base/status_macros.h"

namespace triarch::ratings {
namespace {

absl::Status CheckBots(const GameSummary& game, size_t bots, size_t seats) {
  for (size_t i = 0; i < seats; ++i) {
    const int bot = game.bots[SeatAt(i)];
    if (bot >= 0 && static_cast<size_t>(bot) < bots) continue;
    return absl::InvalidArgumentError(absl::StrFormat(
        "game %d: bot %d does not exist; there are %d bots", game.index, bot, bots));
  }
  return absl::OkStatus();
}

// Returns a unique number for (bots by seat, placement), in the documented order of GameCounts.
uint64_t KeyOf(const GameSummary& game, size_t bots, size_t seats, size_t placement) {
  uint64_t key = 0;
  for (size_t i = 0; i < seats; ++i) {
    key = key * bots + static_cast<uint64_t>(game.bots[SeatAt(i)]);
  }
  return key * Placements(seats).size() + placement;
}

// Returns the bots of a key.
PerSeat<int> BotsOf(uint64_t key, size_t bots, size_t seats) {
  PerSeat<int> table;  // a missing third seat stays unset
  key /= Placements(seats).size();
  for (size_t i = seats; i-- > 0; key /= bots) table[SeatAt(i)] = static_cast<int>(key % bots);
  return table;
}

// Merging keeps at least this many blocks, regardless of the number of games.
constexpr int64_t kBlocksMin = 256;

using Edges = std::vector<std::vector<int>>;

void FinishOrder(const Edges& edges, int node, std::vector<bool>& seen, std::vector<int>& order) {
  if (seen[static_cast<size_t>(node)]) return;
  seen[static_cast<size_t>(node)] = true;
  for (const int next : edges[static_cast<size_t>(node)]) FinishOrder(edges, next, seen, order);
  order.push_back(node);
}

// Finds strongly connected components (Kosaraju).
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

absl::Status GameCounter::Add(const GameSummary& game) {
  RETURN_IF_ERROR(CheckBots(game, bots_, seats_));
  const std::optional<size_t> placement = PlacementIndex(game.outcome.place, seats_);
  if (!placement) {
    return absl::InvalidArgumentError(
        absl::StrFormat("game %d: \"%s\" is not a valid placement of %d seats", game.index,
                        PlacementText(game.outcome.place, seats_), seats_));
  }
  const uint64_t key = KeyOf(game, bots_, seats_, *placement);
  ++counts_[key];
  ++in_blocks_[{game.match >> shift_, key}];
  first_block_ = std::min(first_block_, game.match >> shift_);
  last_block_ = std::max(last_block_, game.match >> shift_);
  while (in_blocks_.size() > in_blocks_max_ && last_block_ - first_block_ >= 2 * kBlocksMin) {
    MergeBlocks();
  }
  return absl::OkStatus();
}

void GameCounter::MergeBlocks() {
  ++shift_;
  first_block_ >>= 1;
  last_block_ >>= 1;
  absl::flat_hash_map<std::pair<int64_t, uint64_t>, int64_t> merged;
  for (const auto& [place, games] : in_blocks_) merged[{place.first >> 1, place.second}] += games;
  in_blocks_ = std::move(merged);
}

absl::StatusOr<GameCounts> GameCounter::Counts() const {
  if (seats_ != 2 && seats_ != 3) {
    return absl::InvalidArgumentError(absl::StrFormat("games of %d seats cannot be rated", seats_));
  }
  GameCounts counts;
  counts.bots = bots_;
  counts.seats = seats_;
  std::vector<uint64_t> keys;
  for (const auto& [key, games] : counts_) keys.push_back(key);
  std::sort(keys.begin(), keys.end());
  for (const uint64_t key : keys) {
    const int64_t games = counts_.at(key);
    counts.counts.push_back({BotsOf(key, bots_, seats_), key % Placements(seats_).size(), games});
    counts.games += games;
  }
  for (const auto& [place, games] : in_blocks_) {
    const auto count = std::lower_bound(keys.begin(), keys.end(), place.second) - keys.begin();
    counts.in_blocks.push_back({place.first, static_cast<size_t>(count), games});
  }
  std::sort(counts.in_blocks.begin(), counts.in_blocks.end(), [](const auto& a, const auto& b) {
    return std::tie(a.block, a.count) < std::tie(b.block, b.count);
  });
  return counts;
}

absl::StatusOr<GameCounts> CountGames(size_t bots, size_t seats,
                                      std::span<const GameSummary> games) {
  GameCounter counter(bots, seats);
  if (seats == 2 || seats == 3) {
    for (const GameSummary& game : games) RETURN_IF_ERROR(counter.Add(game));
  }
  return counter.Counts();
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
