// Rates a move in five parts.

#ifndef TRIARCH_BOTS_SMART_RATING_H_
#define TRIARCH_BOTS_SMART_RATING_H_

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "bots/search/limits.h"
#include "bots/search/points.h"
#include "bots/search/quiescence.h"
#include "bots/search/root.h"
#include "bots/smart/roles.h"
#include "bots/smart/survey.h"
#include "bots/smart/threats.h"
#include "core/game/evaluate.h"
#include "core/game/seat.h"

namespace triarch {

// The weight of each part of a rating, relative to the tuned value 1.
struct SmartWeights {
  double material = 1;
  double defence = 1;
  double tactics = 1;
  double position = 1;
  double risk = 1;
};

// The value of a move to its mover in five parts, in hundredths of a pawn.
struct Rating {
  int material = 0;  // what it captures, minus what can be captured on its target
  int defence = 0;   // earlier threats to this seat that no longer lose material
  int tactics = 0;   // checks, prepared captures, ends of the game, discovered attacks
  int position = 0;  // mobility, centre, king safety
  int risk = 0;      // pieces that were safe and now hang; a mate that it allows

  int total() const { return material + defence + tactics + position + risk; }
};

// Rates the moves of one position, which must outlive it.
template <HasAttackers P>
class Rater {
 public:
  Rater(const P& position, const SmartWeights& weights)
      : weights_(weights),
        me_(position.to_move()),
        before_(position),
        standings_(Evaluate(position)),
        points_(PointsFromStandings(position, standings_)[me_]),
        roles_(RolesOf(before_)),
        aims_(AimsOf<P>(roles_, me_)),
        threats_(ThreatsAgainst(before_, me_, Survey<P>::After(me_))),
        threatened_(ExpectedLoss(threats_)) {}

  const PerSeat<Role>& roles() const { return roles_; }
  const PerSeat<int>& aims() const { return aims_; }
  // What this seat would lose if it passed, worst first.
  const Threats& threats() const { return threats_; }

  // `is_repeated` says whether the position after the move has occurred before.
  Rating Rate(const RootMove<P>& root, bool is_repeated) const {
    Rating rating;
    if (root.settled) {
      rating.tactics = WorthOfEnd((*root.settled)[me_]);
      return rating;
    }
    const Survey<P> after(root.child);
    AddStandings(after, rating);
    AddThreats(after, rating);
    AddTactics(after, rating);
    if (is_repeated) rating.tactics += WorthOfEnd(DrawPoints(root.child)[me_]) / kRepeatShare;
    return Weighted(rating);
  }

  // Corrects the rating by a capture search, which finds what exchanges miss: pins and overloaded
  // pieces. Requires: the move does not settle the game.
  void LookAgain(const RootMove<P>& root, Budget& budget, Rating& rating) const {
    const Score found = QuietPoints(root.child, kQuietPlies, budget)[me_];
    const int correction = (found - PointsAfter(root)[me_]) / kScorePerHundredth;
    rating.tactics += Times(weights_.tactics, correction);
  }

  // Returns all seats' points after the move if this seat loses what is threatened.
  PerSeat<Score> PointsAfter(const RootMove<P>& root) const {
    if (root.settled) return *root.settled;
    const Survey<P> after(root.child);
    PerSeat<int> standings = Evaluate(root.child);
    standings[me_] -= ExpectedLoss(ThreatsAgainst(after, me_, root.child.to_move()));
    return PointsFromStandings(root.child, standings);
  }

 private:
  // All figures here are tuned by tournaments against paranoid of depth 1 and against smart itself
  // (docs/bundled-bots.md).

  // Each other seat has one move. These are the percentages lost of the worst threat, the second,
  // and each further one.
  static constexpr std::array<int, 3> kLossByRank = {100, 50, 15};
  // The percentages gained of the captures that this seat prepares. The victim can save one piece,
  // so two threats are a fork; it can save none while it must answer a check.
  static constexpr std::array<int, 3> kChanceByRank = {10, 20, 5};
  // Divides mobility and the like, whose full amount won fewer games.
  static constexpr int kPositionDivisor = 2;
  static constexpr int kCheck = 20;
  static constexpr int kCheckNext = 30;  // for a check to the seat that moves next, which must
                                         // answer at once
  static constexpr int kThrownOut = 500;
  static constexpr int kWin = 100'000;
  // A repeated position counts 1 / kRepeatShare of the value of a draw.
  static constexpr int kRepeatShare = 10;
  static constexpr int kQuietPlies = 4;
  // Approximate points for a lead of a hundredth of a pawn over one other seat.
  static constexpr Score kScorePerHundredth = 800;
  static constexpr Score kScorePerHundredthAtEnd = 100;

  static int Share(int percent, int amount) { return percent * amount / 100; }
  static int Times(double weight, int amount) {
    return static_cast<int>(std::lround(weight * amount));
  }

  static int LossOf(const Threats& threats, size_t rank) {
    return Share(kLossByRank[std::min(rank, kLossByRank.size() - 1)], threats[rank].loss);
  }
  static int ExpectedLoss(const Threats& threats) {
    int loss = 0;
    for (size_t i = 0; i < threats.size(); ++i) loss += LossOf(threats, i);
    return loss;
  }

  Rating Weighted(const Rating& rating) const {
    return {.material = Times(weights_.material, rating.material),
            .defence = Times(weights_.defence, rating.defence),
            .tactics = Times(weights_.tactics, rating.tactics),
            .position = Times(weights_.position, rating.position),
            .risk = Times(weights_.risk, rating.risk)};
  }

  int WorthOfEnd(Score mine) const {
    return mine == kPoint ? kWin : (mine - points_) / kScorePerHundredthAtEnd;
  }

  // Adds every seat's change; others' losses are weighted by how much this seat targets them.
  void AddStandings(const Survey<P>& after, Rating& rating) const {
    const PerSeat<int> standings = Evaluate(after.position);
    for (size_t i = 0; i < P::kInfo.seats; ++i) {
      const Seat seat = SeatAt(i);
      const int percent = seat == me_ ? 100 : -aims_[seat];
      const int material = after.material[seat] - before_.material[seat];
      rating.material += Share(percent, material);
      rating.position +=
          Share(percent, standings[seat] - standings_[seat] - material) / kPositionDivisor;
      if (before_.position.is_in(seat) && !after.position.is_in(seat)) {
        rating.tactics += seat == me_ ? -kWin : kThrownOut;
      }
    }
  }

  void AddThreats(const Survey<P>& after, Rating& rating) const {
    const Threats threats = ThreatsAgainst(after, me_, after.position.to_move());
    const CellNumbers arrived = after.owned[me_] & ~before_.owned[me_];
    rating.defence += threatened_;
    for (size_t i = 0; i < threats.size(); ++i) {
      int& part = arrived.contains(threats[i].cell) ? rating.material
                  : WasThreatened(threats[i].cell)  ? rating.defence
                                                    : rating.risk;
      part -= LossOf(threats, i);
    }
  }

  bool WasThreatened(CellNumber cell) const {
    return std::any_of(threats_.begin(), threats_.end(),
                       [&](const Threat& threat) { return threat.cell == cell; });
  }

  void AddTactics(const Survey<P>& after, Rating& rating) const {
    const P& child = after.position;
    PerSeat<size_t> rank;  // index of each victim's next target
    for (size_t i = 0; i < P::kInfo.seats; ++i) {
      const Seat seat = SeatAt(i);
      if (seat == me_ || !child.is_in(seat) || !child.in_check(seat)) continue;
      rating.tactics += seat == child.to_move() ? kCheckNext : kCheck;
      rank[seat] = 1;
    }
    for (const Threat& chance : ChancesOf(after, me_)) {
      const size_t at = std::min(rank[chance.victim]++, kChanceByRank.size() - 1);
      rating.tactics += Share(kChanceByRank[at], chance.gain);
    }
  }

  const SmartWeights weights_;
  const Seat me_;
  const Survey<P> before_;
  const PerSeat<int> standings_;
  const Score points_;  // this seat's points in the current position
  const PerSeat<Role> roles_;
  const PerSeat<int> aims_;
  const Threats threats_;
  const int threatened_;  // total loss by all threats
};

}  // namespace triarch

#endif  // TRIARCH_BOTS_SMART_RATING_H_
