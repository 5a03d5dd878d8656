#include "coordinator/experiments/league.h"

#include <algorithm>
#include <iterator>

#include "core/schedule/format_games.h"
#include "core/schedule/pairing.h"

namespace triarch::experiments {

std::vector<Division> MakeDivisions(std::span<const int> starting_order, size_t size) {
  std::vector<Division> divisions;
  for (const size_t members : DivisionSizes(starting_order.size(), size)) {
    divisions.emplace_back(starting_order.begin(),
                           starting_order.begin() + static_cast<std::ptrdiff_t>(members));
    starting_order = starting_order.subspan(members);
  }
  return divisions;
}

int64_t MatchCount(const Division& division, size_t seats) {
  return SetsPerRound(Format::kRoundRobin, std::ssize(division), seats);
}

Table MatchAt(const Division& division, size_t seats, int64_t match) {
  const PerSeat<int> places = SeatBots(Format::kRoundRobin, std::ssize(division), seats, match, 0);
  Table table;
  for (size_t i = 0; i < seats; ++i) {
    table.push_back(division[static_cast<size_t>(places[SeatAt(i)])]);
  }
  return table;
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

std::vector<int> DivisionsByBot(const std::vector<Division>& divisions) {
  size_t bots = 0;
  for (const Division& division : divisions) bots += division.size();
  std::vector<int> by_bot(bots);
  for (size_t i = 0; i < divisions.size(); ++i) {
    for (const int bot : divisions[i]) by_bot[static_cast<size_t>(bot)] = static_cast<int>(i);
  }
  return by_bot;
}

}  // namespace triarch::experiments
