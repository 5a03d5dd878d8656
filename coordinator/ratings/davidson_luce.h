#ifndef TRIARCH_COORDINATOR_RATINGS_DAVIDSON_LUCE_H_
#define TRIARCH_COORDINATOR_RATINGS_DAVIDSON_LUCE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "Eigen/Core"
#include "core/game/seat.h"

// The Davidson–Luce model of one game of two or three seats.
//
// A result is an ordered partition of the seats. Stage by stage, from the set S of seats still
// unplaced, the tied set T that comes next is drawn with
//
//   P(T | S) = exp(τ_|T| + mean over T of u) / sum over nonempty T' ⊆ S of the same,
//
// where u is the strength at the seat (bot and seat effect together) and τ_1 = 0. With two seats
// this is Davidson 1970, without ties Plackett–Luce, with neither Bradley–Terry. A τ of its own may
// be had by ties of two among three and by ties of the last two (TieKind).
namespace triarch::ratings {

// Who ties: the last two still unplaced, two of three (who then share the first place), or all
// three.
enum class TieKind : uint8_t { kTwoOfTwo, kTwoOfThree, kThree };
inline constexpr size_t kTieKinds = 3;
using PerTieKind = std::array<bool, kTieKinds>;

// What one game depends on: u of the three seats, then τ of each kind of tie. Natural logarithms of
// odds. In a game of two seats the third u and the last two τ stand idle.
inline constexpr int kGameParameters = static_cast<int>(kSeatsMax + kTieKinds);
using GameVector = Eigen::Matrix<double, kGameParameters, 1>;
using GameMatrix = Eigen::Matrix<double, kGameParameters, kGameParameters>;

// Where the kind's τ stands in a GameVector.
constexpr int TieIndex(TieKind kind) {
  return static_cast<int>(kSeatsMax) + static_cast<int>(kind);
}

struct GameModel {
  size_t seats = 3;
  // Whether ties of each kind can happen; else their alternatives are left out (τ = −∞).
  PerTieKind can_tie = {true, true, true};
  GameVector parameters = GameVector::Zero();
};

// Every result of a game of that many seats, as places ("1-1-3"; ties share their best place):
// 3 for two seats, 13 for three.
std::span<const PerSeat<uint8_t>> Placements(size_t seats);
// Where `place` stands in Placements(seats); empty if it is no result of such a game.
std::optional<size_t> PlacementIndex(const PerSeat<uint8_t>& place, size_t seats);

// log P of one result with its derivatives by the parameters. It is concave.
struct GameTerms {
  double log_likelihood = 0;
  GameVector gradient = GameVector::Zero();
  GameMatrix information = GameMatrix::Zero();  // minus the second derivative
};
// Requires: `place` is one of Placements(model.seats), without a tie that cannot happen.
GameTerms Evaluate(const GameModel& model, const PerSeat<uint8_t>& place);
// The kinds of ties in a result.
PerTieKind TiesIn(const PerSeat<uint8_t>& place, size_t seats);
// Whether the model allows the result at all: no tie that cannot happen.
bool IsPossible(const GameModel& model, const PerSeat<uint8_t>& place);

}  // namespace triarch::ratings

#endif  // TRIARCH_COORDINATOR_RATINGS_DAVIDSON_LUCE_H_
