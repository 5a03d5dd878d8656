#include "coordinator/experiments/league.h"

#include <algorithm>
#include <cstdint>

#include "core/base/check.h"
#include "core/schedule/pairing.h"

namespace triarch::experiments {

std::vector<Division> MakeDivisions(std::span<const int> starting_order, size_t size) {
  CHECK(size >= 3);
  const size_t bots = starting_order.size();
  const size_t count = std::max<size_t>(1, (bots + size / 2) / size);
  std::vector<Division> divisions;
  for (size_t i = 0; i < count; ++i) {
    const size_t members = bots / count + (i < bots % count ? 1 : 0);
    divisions.emplace_back(starting_order.begin(),
                           starting_order.begin() + static_cast<std::ptrdiff_t>(members));
    starting_order = starting_order.subspan(members);
  }
  return divisions;
}

std::vector<Table> MatchesOf(const Division& division, size_t seats) {
  const auto bots = static_cast<int64_t>(division.size());
  std::vector<Table> matches;
  for (int64_t set = 0; set < SetsPerRound(Format::kRoundRobin, bots, seats); ++set) {
    const PerSeat<int> places = SeatBots(Format::kRoundRobin, bots, seats, set, 0);
    Table& table = matches.emplace_back();
    for (size_t i = 0; i < seats; ++i) {
      table.push_back(division[static_cast<size_t>(places[SeatAt(i)])]);
    }
  }
  return matches;
}

std::vector<Division> NextSeason(std::vector<Division> ranked) {
  for (size_t lower = 1; lower < ranked.size(); ++lower) {
    Division& above = ranked[lower - 1];
    Division& below = ranked[lower];
    const size_t moves = std::min(above.size(), below.size()) / 3;
    for (size_t i = 0; i < moves; ++i) std::swap(above[above.size() - moves + i], below[i]);
  }
  return ranked;
}

}  // namespace triarch::experiments
