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

// A result is an ordered partition of the seats, drawn from the last place up: these games decide
// places by elimination. From the set S of seats still in play, the tied set T that goes out next
// is drawn with
//
//   P(T | S) = exp(τ_|T|,|S| − mean over T of u) / sum over nonempty T' ⊆ S of the same,
//
// where u is the strength at the seat (bot plus seat effect) and τ_1,· = 0. With two seats this is
// Davidson (1970), without ties Plackett–Luce of the reversed order, and with two seats and no ties
// Bradley–Terry.
namespace triarch::ratings {

// Which seats tie: the last two in play (for first place), two of three (for second place), or all
// three.
enum class TieKind : uint8_t { kTwoOfTwo, kTwoOfThree, kThree };
inline constexpr size_t kTieKinds = 3;
using PerTieKind = std::array<bool, kTieKinds>;

// Parameters of one game, in natural logarithms of odds: u of the three seats, u of the three seats
// while only two are in play (used if GameModel::is_by_stage), then τ of each kind of tie. In a
// game with two seats, only two u of the first group and the first τ are used.
inline constexpr int kGameParameters = static_cast<int>(2 * kSeatsMax + kTieKinds);
using GameVector = Eigen::Matrix<double, kGameParameters, 1>;
using GameMatrix = Eigen::Matrix<double, kGameParameters, kGameParameters>;

// Returns the index in a GameVector of a seat's u, or with `is_duel` of its u while only two are in
// play.
constexpr int StrengthIndex(size_t seat, bool is_duel) {
  return static_cast<int>(is_duel ? kSeatsMax + seat : seat);
}
// Returns the index of the kind's τ in a GameVector.
constexpr int TieIndex(TieKind kind) {
  return static_cast<int>(2 * kSeatsMax) + static_cast<int>(kind);
}

struct GameModel {
  size_t seats = 3;
  // Whether each kind of tie can occur. One that cannot is not an alternative (τ = −∞).
  PerTieKind can_tie = {true, true, true};
  // Whether seats have a strength of their own while two of three are in play.
  bool is_by_stage = false;
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
// Returns whether two results have the same seats in play at each stage. Then Evaluate returns the
// same information.
bool HaveSameStages(const PerSeat<uint8_t>& a, const PerSeat<uint8_t>& b, size_t seats);
// Returns whether the model allows the result, i.e. all its ties can occur.
bool IsPossible(const GameModel& model, const PerSeat<uint8_t>& place);

}  // namespace triarch::ratings

#endif  // TRIARCH_COORDINATOR_RATINGS_DAVIDSON_LUCE_H_
