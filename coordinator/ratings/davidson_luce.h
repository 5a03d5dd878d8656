// Defines the Davidson–Luce model of the result of a game with two or three seats.

#ifndef TRIARCH_COORDINATOR_RATINGS_DAVIDSON_LUCE_H_
#define TRIARCH_COORDINATOR_RATINGS_DAVIDSON_LUCE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "Eigen/Core"
#include "core/game/seat.h"

// A result is an ordered partition of the seats. In each stage, the tied set T that comes next is
// drawn from the set S of seats still unplaced with
//
//   P(T | S) = exp(τ_|T| + mean over T of u) / sum over nonempty T' ⊆ S of the same,
//
// where u is the strength at the seat (bot plus seat effect) and τ_1 = 0. With two seats this is
// Davidson (1970), without ties Plackett–Luce, and with two seats and no ties Bradley–Terry. Ties
// of two among three and ties of the last two can have separate τ (TieKind).
namespace triarch::ratings {

// Which seats tie: the last two unplaced, two of three (for first place), or all three.
enum class TieKind : uint8_t { kTwoOfTwo, kTwoOfThree, kThree };
inline constexpr size_t kTieKinds = 3;
using PerTieKind = std::array<bool, kTieKinds>;

// Parameters of one game: u of the three seats, then τ of each kind of tie, in natural logarithms
// of odds. In a game with two seats, the third u and the last two τ are unused.
inline constexpr int kGameParameters = static_cast<int>(kSeatsMax + kTieKinds);
using GameVector = Eigen::Matrix<double, kGameParameters, 1>;
using GameMatrix = Eigen::Matrix<double, kGameParameters, kGameParameters>;

// Returns the index of the kind's τ in a GameVector.
constexpr int TieIndex(TieKind kind) {
  return static_cast<int>(kSeatsMax) + static_cast<int>(kind);
}

struct GameModel {
  size_t seats = 3;
  // Whether each kind of tie can occur. One that cannot is not an alternative (τ = −∞).
  PerTieKind can_tie = {true, true, true};
  GameVector parameters = GameVector::Zero();
};

// Returns every result of a game, as places ("1-1-3"; tied seats share their best place): 3 results
// for two seats, 13 for three.
std::span<const PerSeat<uint8_t>> Placements(size_t seats);
// Returns the index of `place` in Placements(seats), or nullopt if it is not a valid result.
std::optional<size_t> PlacementIndex(const PerSeat<uint8_t>& place, size_t seats);

// log P of one result, which is concave, and its derivatives with respect to the parameters.
struct GameTerms {
  double log_likelihood = 0;
  GameVector gradient = GameVector::Zero();
  GameMatrix information = GameMatrix::Zero();  // the negated second derivative
};
// Requires: `place` is one of Placements(model.seats), without ties that cannot occur.
GameTerms Evaluate(const GameModel& model, const PerSeat<uint8_t>& place);
// Returns the kinds of ties in a result.
PerTieKind TiesIn(const PerSeat<uint8_t>& place, size_t seats);
// Returns whether the model allows the result, i.e. all its ties can occur.
bool IsPossible(const GameModel& model, const PerSeat<uint8_t>& place);

}  // namespace triarch::ratings

#endif  // TRIARCH_COORDINATOR_RATINGS_DAVIDSON_LUCE_H_
