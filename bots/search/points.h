// Estimates the placement points that each seat may expect.

#ifndef TRIARCH_BOTS_SEARCH_POINTS_H_
#define TRIARCH_BOTS_SEARCH_POINTS_H_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "core/game/evaluate.h"
#include "core/game/outcome.h"
#include "core/game/position.h"
#include "core/game/seat.h"

// Placement points that a seat may expect; the searchers maximise them. The points of all seats
// always add up to the same sum, whether the game is over or only estimated.
namespace triarch {

// A seat's placement points in millionths.
using Score = int32_t;
inline constexpr Score kPoint = 1'000'000;

// The lead, in hundredths of a pawn, that BeatChance maps to 84 %. It is a search parameter, not
// fitted to results of any game.
inline constexpr double kLeadScale = 600;

// Returns the chance, in millionths, that a seat with this lead finishes before the other: a
// sigmoid without exp(), whose last bit differs between C libraries. It stays between 2 % and 98 %,
// so a finished win is worth more than any lead.
inline Score BeatChance(int lead) {
  const double x = lead;
  return kPoint / 2 +
         static_cast<Score>(0.48 * kPoint * x / std::sqrt(x * x + kLeadScale * kLeadScale));
}

// Computes points from `chance(i, j)`, the chance in millionths that seat i finishes before j; it
// is called only for i < j. The k-th of n seats beats n - k others and gets (n - k) / (n - 1)
// points.
template <Position P, class Chance>
PerSeat<Score> PointsFromPairs(Chance chance) {
  constexpr size_t kSeats = P::kInfo.seats;
  PerSeat<Score> points;
  for (size_t i = 0; i < kSeats; ++i) {
    for (size_t j = i + 1; j < kSeats; ++j) {
      const Score share = chance(SeatAt(i), SeatAt(j)) / static_cast<Score>(kSeats - 1);
      points[SeatAt(i)] += share;
      points[SeatAt(j)] += kPoint / static_cast<Score>(kSeats - 1) - share;
    }
  }
  return points;
}

// Returns the chance that `a` finishes before `b`, where at least one of them is already out.
template <Position P>
Score SettledChance(const P& position, Seat a, Seat b) {
  if (position.is_in(a)) return kPoint;
  if (position.is_in(b)) return 0;
  return position.place_if_out(a) < position.place_if_out(b) ? kPoint : 0;
}

// Computes points from standings in hundredths of a pawn (those of `position`, or from a search).
template <Position P>
PerSeat<Score> PointsFromStandings(const P& position, const PerSeat<int>& standings) {
  return PointsFromPairs<P>([&](Seat a, Seat b) {
    if (!position.is_in(a) || !position.is_in(b)) return SettledChance(position, a, b);
    return BeatChance(standings[a] - standings[b]);
  });
}

// Returns the points of one seat from its leads over the others, in hundredths of a pawn. They are
// those of PointsFromStandings, if the leads are differences of standings.
template <Position P>
Score PointsFromLeads(const P& position, Seat seat, const PerSeat<int>& leads) {
  constexpr auto kOthers = static_cast<Score>(P::kInfo.seats - 1);
  Score points = 0;
  for (size_t i = 0; i < P::kInfo.seats; ++i) {
    const Seat other = SeatAt(i);
    if (other == seat) continue;
    // The share of the first of the two is rounded.
    const Seat first = std::min(seat, other);
    const Seat second = std::max(seat, other);
    const Score chance = position.is_in(seat) && position.is_in(other)
                             ? BeatChance(seat == first ? leads[other] : -leads[other])
                             : SettledChance(position, first, second);
    points += seat == first ? chance / kOthers : kPoint / kOthers - chance / kOthers;
  }
  return points;
}

// Requires: the game is not over.
template <HasEvaluation P>
PerSeat<Score> ExpectedPoints(const P& position) {
  return PointsFromStandings(position, Evaluate(position));
}

// Returns the points that each seat would get if the survivors agreed to a draw now.
template <Position P>
PerSeat<Score> DrawPoints(const P& position) {
  return PointsFromPairs<P>([&](Seat a, Seat b) {
    if (!position.is_in(a) || !position.is_in(b)) return SettledChance(position, a, b);
    return kPoint / 2;
  });
}

template <Position P>
PerSeat<Score> FinalPoints(const Outcome& outcome) {
  const PerSeat<double> points = Points(outcome.place, P::kInfo.seats);
  PerSeat<Score> result;
  for (size_t i = 0; i < P::kInfo.seats; ++i) {
    result[SeatAt(i)] = static_cast<Score>(std::lround(points[SeatAt(i)] * kPoint));
  }
  return result;
}

// Returns a score seen from one ply earlier, slightly nearer to the middle, so that a quick win
// beats a slow one and a slow loss beats a quick one. Scores are centered: 0 is half a point.
constexpr Score Later(Score centered) { return centered - centered / 1024; }

inline PerSeat<Score> Later(PerSeat<Score> points) {
  for (Score& score : points) score = kPoint / 2 + Later(score - kPoint / 2);
  return points;
}

// Returns shares of the points, which add up to 1.
template <Position P>
PerSeat<double> Shares(const PerSeat<Score>& points) {
  double sum = 0;
  for (size_t i = 0; i < P::kInfo.seats; ++i) sum += points[SeatAt(i)];
  PerSeat<double> shares;
  for (size_t i = 0; i < P::kInfo.seats; ++i) shares[SeatAt(i)] = points[SeatAt(i)] / sum;
  return shares;
}

}  // namespace triarch

#endif  // TRIARCH_BOTS_SEARCH_POINTS_H_
