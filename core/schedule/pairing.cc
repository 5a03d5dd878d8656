#include "core/schedule/pairing.h"

#include <array>

#include "core/base/check.h"

namespace triarch {
namespace {

using Members = std::array<int64_t, kSeatsMax>;

// Returns `n` choose `k`, for k <= kSeatsMax and n <= kBotsMax: below 2^63.
constexpr int64_t Choose(int64_t n, size_t k) {
  int64_t count = 1;
  for (int64_t i = 0; i < static_cast<int64_t>(k); ++i) count = count * (n - i) / (i + 1);
  return n < static_cast<int64_t>(k) ? 0 : count;
}

// Sets are ordered by their shape on a circle of `n` points, then by rotation. A full rotation
// contains every member equally often, so in any run of sets the counts of two members differ by at
// most `k`. Shapes that map onto themselves under a partial rotation (2 or 3 members at equal
// distances) come last and have fewer rotations.

// Shapes of two: members at distance 1, 2, … up to half the circle.
Members UnrankPair(int64_t rank, int64_t n) {
  const int64_t distance = rank / n + 1;
  const int64_t turn = rank % n;
  return {turn, (turn + distance) % n};
}

// Shapes of three: distances a, b, c with a + b + c = n, each once up to rotation: first those with
// a <= b and a < c, n - 3a of them for each a; then a = b = c. Returns the number of shapes with
// first distance <= a.
constexpr int64_t ShapesUpTo(int64_t a, int64_t n) { return n * a - 3 * a * (a + 1) / 2; }

Members UnrankTriple(int64_t rank, int64_t n) {
  const int64_t shape = rank / n;
  const int64_t turn = rank % n;
  // The smallest `a` with ShapesUpTo(a) > shape; beyond (n - 1) / 3 only a = b = c remains.
  int64_t low = 0;
  int64_t a = (n - 1) / 3 + 1;
  while (a - low > 1) {
    const int64_t middle = low + (a - low) / 2;
    (ShapesUpTo(middle, n) > shape ? a : low) = middle;
  }
  const int64_t b = a + shape - ShapesUpTo(a - 1, n);
  return {turn, (turn + a) % n, (turn + a + b) % n};
}

// Returns set `rank` of the sets of `k` numbers below `n`.
Members UnrankSet(int64_t rank, size_t k, int64_t n) {
  switch (k) {
    case 1:
      return {rank};
    case 2:
      return UnrankPair(rank, n);
    default:
      return UnrankTriple(rank, n);
  }
}

// Row = seating, column = seat, value = member of the set. Rotations first.
constexpr std::array<std::array<uint8_t, 2>, 2> kSeatings2 = {{{0, 1}, {1, 0}}};
constexpr std::array<std::array<uint8_t, 3>, 6> kSeatings3 = {
    {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}}};

size_t Member(size_t seats, size_t seating, size_t seat) {
  return seats == 2 ? kSeatings2[seating][seat] : kSeatings3[seating][seat];
}

}  // namespace

int64_t SeatingsPerSet(size_t seats) {
  CHECK(seats == 2 || seats == 3);
  return seats == 2 ? 2 : 6;
}

int64_t SetsPerRound(Format format, int64_t bots, size_t seats) {
  CHECK(bots >= 0 && bots <= kBotsMax && (seats == 2 || seats == 3));
  return format == Format::kGauntlet ? Choose(bots - 1, seats - 1) : Choose(bots, seats);
}

PerSeat<int> SeatBots(Format format, int64_t bots, size_t seats, int64_t set, int64_t seating) {
  const int64_t sets = SetsPerRound(format, bots, seats);
  CHECK(set >= 0 && set < sets && seating >= 0 && seating < SeatingsPerSet(seats));
  Members members{};
  if (format == Format::kGauntlet) {
    const Members others = UnrankSet(set, seats - 1, bots - 1);
    for (size_t i = 1; i < seats; ++i) members[i] = others[i - 1] + 1;
  } else {
    members = UnrankSet(set, seats, bots);
  }
  PerSeat<int> table;
  for (size_t seat = 0; seat < seats; ++seat) {
    const size_t member = Member(seats, static_cast<size_t>(seating), seat);
    table[SeatAt(seat)] = static_cast<int>(members[member]);
  }
  return table;
}

}  // namespace triarch
