#include "core/record/planned_match.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>

#include "core/base/check.h"

namespace triarch {
namespace {

// The orders of three places. The first three seat each place once on each seat, which is all there
// is if a bot sits twice.
constexpr std::array<std::array<int, 3>, 6> kOrders = {
    {{0, 1, 2}, {2, 0, 1}, {1, 2, 0}, {0, 2, 1}, {1, 0, 2}, {2, 1, 0}}};

}  // namespace

int64_t GamesOf(const PlannedMatch& match) {
  const std::vector<int>& bots = match.bots;
  if (bots.size() == 2) return 2;
  CHECK(bots.size() == 3);
  const bool sits_twice = bots[0] == bots[1] || bots[0] == bots[2] || bots[1] == bots[2];
  return sits_twice ? 3 : std::ssize(kOrders);
}

PerSeat<int> SeatPlaces(const PlannedMatch& match, int64_t game) {
  CHECK(game >= match.first_game && game < EndOf(match));
  const auto order = static_cast<size_t>(game - match.first_game);
  PerSeat<int> places{};
  for (size_t i = 0; i < match.bots.size(); ++i) {
    places[SeatAt(i)] =
        match.bots.size() == 2 ? static_cast<int>((i + order) % 2) : kOrders[order][i];
  }
  return places;
}

const PlannedMatch* FindMatch(const std::vector<PlannedMatch>& matches, int64_t game) {
  const auto next =
      std::upper_bound(matches.begin(), matches.end(), game,
                       [](int64_t index, const PlannedMatch& m) { return index < m.first_game; });
  if (next == matches.begin()) return nullptr;
  const PlannedMatch& match = *std::prev(next);
  return game < EndOf(match) ? &match : nullptr;
}

std::vector<PlannedMatch> MatchesOf(const std::vector<PlannedMatch>& matches, const Range& games) {
  std::vector<PlannedMatch> found;
  auto next = std::upper_bound(
      matches.begin(), matches.end(), games.first,
      [](int64_t index, const PlannedMatch& match) { return index < EndOf(match); });
  for (; next != matches.end() && next->first_game < games.last; ++next) found.push_back(*next);
  return found;
}

}  // namespace triarch
