// Evaluates the captures on one cell in the order of turns.

#ifndef TRIARCH_BOTS_SMART_EXCHANGE_H_
#define TRIARCH_BOTS_SMART_EXCHANGE_H_

#include <cstddef>
#include <optional>

#include "bots/smart/survey.h"
#include "core/game/seat.h"

namespace triarch {

// What the captures on one cell come to.
struct Exchange {
  // What each seat has more or less afterwards, in hundredths of a pawn.
  PerSeat<int> change{};
  // Who takes first, and from where; empty if nobody does.
  std::optional<Seat> by = std::nullopt;
  CellNumber from{};
};

// Static exchange evaluation for any number of seats: in the order of the turns each seat takes
// with its least piece or passes, whichever is better for itself, until all have passed in a row.
// A king takes only what nobody defends. Pins are not looked at, and neither is what one could do
// elsewhere.
template <HasAttackers P>
class ExchangeOn {
 public:
  // Requires: a piece stands on the cell.
  ExchangeOn(const Survey<P>& survey, CellNumber cell) : survey_(survey), cell_(cell) {}

  // With `first` on turn.
  Exchange Resolve(Seat first) const {
    return Resolve({.owner = survey_.OwnerOf(cell_), .worth = survey_.WorthAt(cell_)}, survey_.all,
                   first, 0, 0);
  }

 private:
  // More captures than this are not counted out.
  static constexpr int kCapturesMax = 8;

  struct Standing {
    Seat owner;
    int worth;
  };

  Exchange Resolve(Standing piece, CellNumbers left, Seat turn, size_t passes, int captures) const {
    if (captures == kCapturesMax) return {};
    const CellNumbers attackers = AttackersOf(survey_.position, cell_, left);
    if ((attackers & ~survey_.owned[piece.owner]).empty()) return {};
    for (; passes < P::kInfo.seats; ++passes, turn = Survey<P>::After(turn)) {
      if (turn == piece.owner) continue;
      const std::optional<CellNumber> from = Taker(attackers, turn);
      if (!from) continue;
      const Standing taker{turn, survey_.WorthAt(*from)};
      Exchange exchange =
          Resolve(taker, left & ~CellNumbers::Of(*from), Survey<P>::After(turn), 0, captures + 1);
      exchange.change[turn] += piece.worth;
      exchange.change[piece.owner] -= piece.worth;
      if (exchange.change[turn] <= 0) continue;
      exchange.by = turn;
      exchange.from = *from;
      return exchange;
    }
    return {};
  }

  // The least piece that the seat may take with.
  std::optional<CellNumber> Taker(CellNumbers attackers, Seat seat) const {
    const CellNumbers own = attackers & survey_.owned[seat];
    std::optional<CellNumber> least;
    AnyOf(own, [&](CellNumber cell) {
      if (!least || survey_.WorthAt(cell) < survey_.WorthAt(*least)) least = cell;
      return false;
    });
    const bool is_king = least && survey_.WorthAt(*least) >= kKingWorth;
    if (is_king && !(attackers & ~own).empty()) return std::nullopt;
    return least;
  }

  const Survey<P>& survey_;
  const CellNumber cell_;
};

}  // namespace triarch

#endif  // TRIARCH_BOTS_SMART_EXCHANGE_H_
