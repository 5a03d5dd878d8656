#include "coordinator/ratings/game_counts.h"

#include <algorithm>
#include <numeric>
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

// Returns for each placement the first one with the same seats in play at each stage.
std::vector<size_t> FindStages(size_t seats) {
  std::vector<size_t> stages;
  const std::span<const PerSeat<uint8_t>> placements = Placements(seats);
  for (const PerSeat<uint8_t>& place : placements) {
    size_t first = 0;
    while (!HaveSameStages(placements[first], place, seats)) ++first;
    stages.push_back(first);
  }
  return stages;
}

std::span<const size_t> StagesOf(size_t seats) {
  static const std::vector<size_t> two = FindStages(2);
  static const std::vector<size_t> three = FindStages(3);
  return seats == 2 ? two : three;
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
  const std::span<const size_t> stages = StagesOf(counts.seats);
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

uint32_t GameCounter::KindOf(uint64_t key) {
  const auto [found, is_new] = kind_of_.try_emplace(key, static_cast<uint32_t>(kinds_.size()));
  if (is_new) {
    const size_t placement = key % Placements(seats_).size();
    kinds_.push_back({.key = key, .information = key - placement + StagesOf(seats_)[placement]});
  }
  return found->second;
}

void GameCounter::EndBlock() {
  if (match_games_.empty()) return;
  std::sort(match_games_.begin(), match_games_.end());
  Block block;
  block.games.first = block_games_.size();
  for (const uint64_t key : match_games_) {
    const uint32_t number = KindOf(key);
    Kind& kind = kinds_[number];
    ++kind.games;
    block_games_.push_back(number);
    block.hash = Mix64(block.hash ^ key);
    block.information = Mix64(block.information ^ kind.information);
  }
  // The blocks of a table come together, whose terms then stay in the processor's cache.
  const uint64_t table = kinds_[block_games_[block.games.first]].information;
  block.information = block.information >> 32 | table << 32;
  block.games.last = block_games_.size();
  block.games.times = 1;
  blocks_.push_back(block);
  match_games_.clear();
  if (blocks_.size() >= merge_at_) Merge();
}

bool GameCounter::AreEqual(const Block& a, const Block& b) const {
  const auto games = [this](const Block& block) {
    return std::span(block_games_).subspan(block.games.first, block.games.last - block.games.first);
  };
  return a.hash == b.hash && std::ranges::equal(games(a), games(b));
}

void GameCounter::Merge() {
  constexpr size_t kMergeMin = 4096;  // blocks
  const auto is_before = [](const Block& a, const Block& b) {
    return a.information != b.information ? a.information < b.information : a.hash < b.hash;
  };
  const auto first_new = blocks_.begin() + static_cast<ptrdiff_t>(merged_);
  std::sort(first_new, blocks_.end(), is_before);
  std::inplace_merge(blocks_.begin(), first_new, blocks_.end(), is_before);
  size_t last = 0;
  for (size_t i = 1; i < blocks_.size(); ++i) {
    if (AreEqual(blocks_[last], blocks_[i])) {
      blocks_[last].games.times += blocks_[i].games.times;
    } else {
      blocks_[++last] = blocks_[i];
    }
  }
  if (!blocks_.empty()) blocks_.resize(last + 1);
  std::vector<uint32_t> games;  // in the order of the blocks, so that reading them is fast
  games.reserve(block_games_.size());
  for (auto& [information, hash, block] : blocks_) {
    const size_t first = games.size();
    games.insert(games.end(), block_games_.begin() + static_cast<ptrdiff_t>(block.first),
                 block_games_.begin() + static_cast<ptrdiff_t>(block.last));
    block.first = first;
    block.last = games.size();
  }
  block_games_ = std::move(games);
  merged_ = blocks_.size();
  merge_at_ = std::max(kMergeMin, 2 * merged_);
}

absl::StatusOr<GameCounts> GameCounter::Counts() {
  if (seats_ != 2 && seats_ != 3) {
    return absl::InvalidArgumentError(absl::StrFormat("games of %d seats cannot be rated", seats_));
  }
  EndBlock();
  Merge();
  std::vector<uint32_t> by_key(kinds_.size());
  std::iota(by_key.begin(), by_key.end(), 0u);
  std::sort(by_key.begin(), by_key.end(),
            [this](uint32_t a, uint32_t b) { return kinds_[a].key < kinds_[b].key; });
  GameCounts counts{.bots = bots_, .seats = seats_};
  std::vector<uint32_t> index_of(kinds_.size());
  for (const uint32_t number : by_key) {
    const Kind& kind = kinds_[number];
    index_of[number] = static_cast<uint32_t>(counts.counts.size());
    counts.counts.push_back(
        {BotsOf(kind.key, bots_, seats_), kind.key % Placements(seats_).size(), kind.games});
    counts.games += kind.games;
  }
  counts.blocks.reserve(blocks_.size());
  for (const Block& block : blocks_) counts.blocks.push_back(block.games);
  counts.block_games.reserve(block_games_.size());
  for (const uint32_t number : block_games_) counts.block_games.push_back(index_of[number]);
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
