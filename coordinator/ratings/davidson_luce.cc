#include "coordinator/ratings/davidson_luce.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "core/base/check.h"

namespace triarch::ratings {
namespace {

using SeatMask = unsigned;

// Returns whether every place is one more than the number of seats ahead of it.
bool IsPlacement(const PerSeat<uint8_t>& place, size_t seats) {
  for (size_t i = 0; i < seats; ++i) {
    int better = 0;
    for (size_t j = 0; j < seats; ++j) better += place[SeatAt(j)] < place[SeatAt(i)] ? 1 : 0;
    if (place[SeatAt(i)] != better + 1) return false;
  }
  return true;
}

std::vector<PerSeat<uint8_t>> MakePlacements(size_t seats) {
  std::vector<PerSeat<uint8_t>> all;
  const uint8_t third_max = seats == 3 ? 3 : 0;
  for (uint8_t a = 1; a <= seats; ++a) {
    for (uint8_t b = 1; b <= seats; ++b) {
      for (uint8_t c = third_max == 0 ? 0 : 1; c <= third_max; ++c) {
        const PerSeat<uint8_t> place{{a, b, c}};
        if (IsPlacement(place, seats)) all.push_back(place);
      }
    }
  }
  return all;
}

// Returns the seats of `in_play` that go out next: those with the last place.
SeatMask OutOf(const PerSeat<uint8_t>& place, SeatMask in_play) {
  uint8_t last = 0;
  SeatMask out = 0;
  for (size_t i = 0; i < kSeatsMax; ++i) {
    if ((in_play >> i & 1) == 0 || place[SeatAt(i)] < last) continue;
    if (place[SeatAt(i)] > last) out = 0;
    last = place[SeatAt(i)];
    out |= SeatMask{1} << i;
  }
  return out;
}

// Requires: at least two seats tie.
TieKind KindOf(SeatMask tied, SeatMask in_play) {
  if (std::popcount(tied) == 3) return TieKind::kThree;
  return std::popcount(in_play) == 3 ? TieKind::kTwoOfThree : TieKind::kTwoOfTwo;
}

// Returns the derivative of the logarithm of an alternative's weight: x in a conditional logit.
GameVector Features(const GameModel& model, SeatMask tied, SeatMask in_play) {
  GameVector x = GameVector::Zero();
  const int size = std::popcount(tied);
  const bool is_duel = model.is_by_stage && std::popcount(in_play) == 2;
  for (size_t i = 0; i < kSeatsMax; ++i) {
    if ((tied >> i & 1) != 0) x[StrengthIndex(i, is_duel)] = -1.0 / size;
  }
  if (size > 1) x[TieIndex(KindOf(tied, in_play))] = 1;
  return x;
}

void AddStage(const GameModel& model, SeatMask in_play, SeatMask out, GameTerms& terms) {
  std::array<double, 8> log_weights;
  double largest = -std::numeric_limits<double>::infinity();
  const auto is_alternative = [&](SeatMask tied) {
    return (tied & ~in_play) == 0 &&
           (std::has_single_bit(tied) || model.can_tie[static_cast<size_t>(KindOf(tied, in_play))]);
  };
  for (SeatMask tied = 1; tied < 8; ++tied) {
    if (!is_alternative(tied)) continue;
    log_weights[tied] = Features(model, tied, in_play).dot(model.parameters);
    largest = std::max(largest, log_weights[tied]);
  }
  double sum = 0;
  GameVector mean = GameVector::Zero();
  GameMatrix square = GameMatrix::Zero();
  for (SeatMask tied = 1; tied < 8; ++tied) {
    if (!is_alternative(tied)) continue;
    const double weight = std::exp(log_weights[tied] - largest);
    const GameVector x = Features(model, tied, in_play);
    sum += weight;
    mean += weight * x;
    square += weight * x * x.transpose();
  }
  mean /= sum;
  terms.log_likelihood += log_weights[out] - largest - std::log(sum);
  terms.gradient += Features(model, out, in_play) - mean;
  terms.information += square / sum - mean * mean.transpose();
}

// Calls visit(in_play, out) for each stage with more than one alternative.
template <class Visit>
void VisitStages(size_t seats, const PerSeat<uint8_t>& place, Visit visit) {
  SeatMask in_play = (SeatMask{1} << seats) - 1;
  while (std::popcount(in_play) > 1) {
    const SeatMask out = OutOf(place, in_play);
    visit(in_play, out);
    in_play &= ~out;
  }
}

// The indices of all placements.
class PlacementTable {
 public:
  explicit PlacementTable(size_t seats) : seats_(seats) {
    const std::span<const PerSeat<uint8_t>> all = Placements(seats);
    for (size_t i = 0; i < all.size(); ++i) index_[NumberOf(all[i])] = i;
  }

  std::optional<size_t> Find(const PerSeat<uint8_t>& place) const {
    for (size_t i = 0; i < seats_; ++i) {
      if (place.values[i] > kSeatsMax) return std::nullopt;
    }
    return index_[NumberOf(place)];
  }

 private:
  // Two bits for each seat.
  size_t NumberOf(const PerSeat<uint8_t>& place) const {
    size_t number = 0;
    for (size_t i = 0; i < seats_; ++i) number = number << 2 | place.values[i];
    return number;
  }

  size_t seats_;
  std::array<std::optional<size_t>, 64> index_;
};

}  // namespace

std::span<const PerSeat<uint8_t>> Placements(size_t seats) {
  static const std::vector<PerSeat<uint8_t>> two = MakePlacements(2);
  static const std::vector<PerSeat<uint8_t>> three = MakePlacements(3);
  CHECK(seats == 2 || seats == 3);
  return seats == 2 ? two : three;
}

std::optional<size_t> PlacementIndex(const PerSeat<uint8_t>& place, size_t seats) {
  static const PlacementTable two(2);
  static const PlacementTable three(3);
  CHECK(seats == 2 || seats == 3);
  return (seats == 2 ? two : three).Find(place);
}

GameTerms Evaluate(const GameModel& model, const PerSeat<uint8_t>& place) {
  GameTerms terms;
  VisitStages(model.seats, place,
              [&](SeatMask in_play, SeatMask out) { AddStage(model, in_play, out, terms); });
  return terms;
}

PerTieKind TiesIn(const PerSeat<uint8_t>& place, size_t seats) {
  PerTieKind ties{};
  VisitStages(seats, place, [&](SeatMask in_play, SeatMask out) {
    if (!std::has_single_bit(out)) ties[static_cast<size_t>(KindOf(out, in_play))] = true;
  });
  return ties;
}

bool HaveSameStages(const PerSeat<uint8_t>& a, const PerSeat<uint8_t>& b, size_t seats) {
  const auto stages = [seats](const PerSeat<uint8_t>& place) {
    std::vector<SeatMask> in_play_at;
    VisitStages(seats, place, [&](SeatMask in_play, SeatMask) { in_play_at.push_back(in_play); });
    return in_play_at;
  };
  return stages(a) == stages(b);
}

bool IsPossible(const GameModel& model, const PerSeat<uint8_t>& place) {
  const PerTieKind ties = TiesIn(place, model.seats);
  for (size_t kind = 0; kind < kTieKinds; ++kind) {
    if (ties[kind] && !model.can_tie[kind]) return false;
  }
  return true;
}

}  // namespace triarch::ratings
