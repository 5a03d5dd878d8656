// Evaluates the captures on one cell in turn order.

#ifndef TRIARCH_BOTS_SMART_EXCHANGE_H_
#define TRIARCH_BOTS_SMART_EXCHANGE_H_

#include <cstddef>
#include <optional>

#include "bots/smart/survey.h"
#include "core/game/seat.h"

namespace triarch {

// The result of the captures on one cell.
struct Exchange {
  // Each seat's change in hundredths of a pawn.
  PerSeat<int> change{};
  // The seat that captures first, and from where; empty if no seat does.
  std::optional<Seat> by = std::nullopt;
  CellNumber from{};
};

// Static exchange evaluation for any number of seats. In turn order, each seat either captures with
// its least valuable piece or passes, whichever is better for it, until all have passed in a row. A
// king captures only undefended pieces. Pins and moves elsewhere are ignored.
template <HasAttackers P>
class ExchangeOn {
 public:
  // Requires: the cell is occupied.
  ExchangeOn(const Survey<P>& survey, CellNumber cell) : survey_(survey), cell_(cell) {}

  // Starts with `first` to move.
  Exchange Resolve(Seat first) const {
    return Resolve({.owner = survey_.OwnerOf(cell_), .worth = survey_.WorthAt(cell_)}, survey_.all,
                   first, 0, 0);
  }

 private:
  // Exchanges stop after this many captures.
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

  // Returns the least valuable piece that the seat may capture with.
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
