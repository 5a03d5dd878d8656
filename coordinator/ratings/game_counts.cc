#include "coordinator/ratings/game_counts.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_format.h"
#include "coordinator/ratings/davidson_luce.h"
#include "core/base/random.h"
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

// Sorts the blocks as documented, and in the same way for the same blocks.
void SortBlocks(GameCounts* counts) {
  struct Entry {
    uint64_t information = 0;  // a hash of the classes of its games
    GameCounts::Block block;
  };
  const std::vector<uint32_t> classes = InformationClasses(*counts);
  const std::vector<uint32_t>& games = counts->block_games;
  std::vector<Entry> entries;
  entries.reserve(counts->blocks.size());
  for (const GameCounts::Block& block : counts->blocks) {
    Entry& entry = entries.emplace_back();
    entry.block = block;
    for (size_t i = block.first; i < block.last; ++i) {
      entry.information = Mix64(entry.information ^ classes[games[i]]);
    }
    // The blocks of a table come together, whose terms then stay in the processor's cache.
    entry.information = entry.information >> 32 | uint64_t{classes[games[block.first]]} << 32;
  }
  std::sort(entries.begin(), entries.end(), [&games](const Entry& a, const Entry& b) {
    if (a.information != b.information) return a.information < b.information;
    return std::lexicographical_compare(games.begin() + static_cast<ptrdiff_t>(a.block.first),
                                        games.begin() + static_cast<ptrdiff_t>(a.block.last),
                                        games.begin() + static_cast<ptrdiff_t>(b.block.first),
                                        games.begin() + static_cast<ptrdiff_t>(b.block.last));
  });
  std::vector<uint32_t> sorted;  // in the order of the blocks, so that reading them is fast
  sorted.reserve(games.size());
  for (size_t i = 0; i < entries.size(); ++i) {
    const GameCounts::Block& block = entries[i].block;
    counts->blocks[i] = {.first = sorted.size(),
                         .last = sorted.size() + block.last - block.first,
                         .times = block.times};
    sorted.insert(sorted.end(), games.begin() + static_cast<ptrdiff_t>(block.first),
                  games.begin() + static_cast<ptrdiff_t>(block.last));
  }
  counts->block_games = std::move(sorted);
}

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

std::vector<uint32_t> InformationClasses(const GameCounts& counts) {
  std::vector<size_t> stages;  // by placement: the first placement with the same stages
  const std::span<const PerSeat<uint8_t>> placements = Placements(counts.seats);
  for (const PerSeat<uint8_t>& place : placements) {
    size_t first = 0;
    while (!HaveSameStages(placements[first], place, counts.seats)) ++first;
    stages.push_back(first);
  }
  std::vector<uint32_t> classes;
  uint32_t next = 0;
  for (size_t i = 0; i < counts.counts.size(); ++i) {
    const GameCount& count = counts.counts[i];
    uint32_t number = next;
    for (size_t j = i; j-- > 0 && counts.counts[j].bots == count.bots;) {
      if (stages[counts.counts[j].placement] == stages[count.placement]) number = classes[j];
    }
    if (number == next) ++next;
    classes.push_back(number);
  }
  return classes;
}

absl::Status GameCounter::Add(const GameSummary& game) {
  RETURN_IF_ERROR(CheckBots(game, bots_, seats_));
  const std::optional<size_t> placement = PlacementIndex(game.outcome.place, seats_);
  if (!placement) {
    return absl::InvalidArgumentError(
        absl::StrFormat("game %d: \"%s\" is not a valid placement of %d seats", game.index,
                        PlacementText(game.outcome.place, seats_), seats_));
  }
  if (game.match != match_) EndBlock();
  match_ = game.match;
  match_games_.push_back(KeyOf(game, bots_, seats_, *placement));
  return absl::OkStatus();
}

void GameCounter::EndBlock() {
  if (match_games_.empty()) return;
  std::sort(match_games_.begin(), match_games_.end());
  ++blocks_[match_games_];
  match_games_.clear();
}

template <class Visit>
void GameCounter::VisitBlocks(Visit visit) const {
  Block last = match_games_;
  std::sort(last.begin(), last.end());
  for (const auto& [block, times] : blocks_) visit(block, times + (block == last ? 1 : 0));
  if (!last.empty() && !blocks_.contains(last)) visit(last, 1);
}

absl::StatusOr<GameCounts> GameCounter::Counts() const {
  if (seats_ != 2 && seats_ != 3) {
    return absl::InvalidArgumentError(absl::StrFormat("games of %d seats cannot be rated", seats_));
  }
  absl::flat_hash_map<uint64_t, int64_t> games_of;
  VisitBlocks([&games_of](const Block& block, int64_t times) {
    for (const uint64_t key : block) games_of[key] += times;
  });
  std::vector<uint64_t> keys;
  for (const auto& [key, games] : games_of) keys.push_back(key);
  std::sort(keys.begin(), keys.end());
  GameCounts counts{.bots = bots_, .seats = seats_};
  absl::flat_hash_map<uint64_t, uint32_t> index_of;
  for (const uint64_t key : keys) {
    index_of[key] = static_cast<uint32_t>(counts.counts.size());
    const int64_t games = games_of[key];
    counts.counts.push_back({BotsOf(key, bots_, seats_), key % Placements(seats_).size(), games});
    counts.games += games;
  }
  VisitBlocks([&](const Block& block, int64_t times) {
    const size_t first = counts.block_games.size();
    for (const uint64_t key : block) counts.block_games.push_back(index_of[key]);
    counts.blocks.push_back({first, counts.block_games.size(), times});
  });
  SortBlocks(&counts);
  return counts;
}

absl::StatusOr<GameCounts> CountGames(size_t bots, size_t seats,
                                      std::span<const GameSummary> games) {
  GameCounter counter(bots, seats);
  if (seats != 2 && seats != 3) return counter.Counts();
  std::vector<const GameSummary*> by_match;
  for (const GameSummary& game : games) by_match.push_back(&game);
  std::stable_sort(by_match.begin(), by_match.end(),
                   [](const GameSummary* a, const GameSummary* b) { return a->match < b->match; });
  for (const GameSummary* const game : by_match) RETURN_IF_ERROR(counter.Add(*game));
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
