// Finds the captures that threaten a seat.

#ifndef TRIARCH_BOTS_SMART_THREATS_H_
#define TRIARCH_BOTS_SMART_THREATS_H_

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "bots/smart/exchange.h"
#include "bots/smart/survey.h"
#include "core/game/seat.h"

namespace triarch {

// The severity of a threat.
enum class Severity : uint8_t { kMinor, kSerious, kCritical };

constexpr std::string_view SeverityName(Severity severity) {
  switch (severity) {
    case Severity::kMinor:
      return "minor";
    case Severity::kSerious:
      return "serious";
    case Severity::kCritical:
      return "critical";
  }
  return "";
}

// A capture that gains: `by` captures on `cell`, and `victim` loses material.
struct Threat {
  CellNumber cell;
  CellNumber from;  // cell of the first capturing piece
  Seat victim = Seat::kFirst;
  Seat by = Seat::kFirst;
  int loss = 0;  // the victim's loss in hundredths of a pawn, positive
  int gain = 0;  // the captor's gain, positive
};

using Threats = absl::InlinedVector<Threat, 8>;

// Losing a pawn or an exchange is minor, a knight or bishop serious, a rook or more critical.
constexpr Severity SeverityOf(const Threat& threat) {
  if (threat.loss >= 400) return Severity::kCritical;
  return threat.loss >= 200 ? Severity::kSerious : Severity::kMinor;
}

inline void SortByLoss(Threats& threats) {
  std::stable_sort(threats.begin(), threats.end(),
                   [](const Threat& a, const Threat& b) { return a.loss > b.loss; });
}

// Returns what the victim loses if `first` and the following seats may capture, worst first. Checks
// are ignored: kings are left out.
template <HasAttackers P>
Threats ThreatsAgainst(const Survey<P>& survey, Seat victim, Seat first) {
  Threats threats;
  AnyOf(survey.owned[victim], [&](CellNumber cell) {
    if (survey.WorthAt(cell) >= kKingWorth) return false;
    if ((survey.AttackersOn(cell) & ~survey.owned[victim]).empty()) return false;
    const Exchange exchange = ExchangeOn<P>(survey, cell).Resolve(first);
    if (!exchange.by || exchange.change[victim] >= 0) return false;
    threats.push_back({.cell = cell,
                       .from = exchange.from,
                       .victim = victim,
                       .by = *exchange.by,
                       .loss = -exchange.change[victim],
                       .gain = exchange.change[*exchange.by]});
    return false;
  });
  SortByLoss(threats);
  return threats;
}

// Returns what the seat could capture at a gain if it were to move now, most valuable first.
template <HasAttackers P>
Threats ChancesOf(const Survey<P>& survey, Seat seat) {
  Threats chances;
  AnyOf(survey.all & ~survey.owned[seat], [&](CellNumber cell) {
    if (survey.WorthAt(cell) >= kKingWorth) return false;
    if ((survey.AttackersOn(cell) & survey.owned[seat]).empty()) return false;
    const Exchange exchange = ExchangeOn<P>(survey, cell).Resolve(seat);
    if (exchange.by != seat) return false;
    const Seat victim = survey.OwnerOf(cell);
    chances.push_back({.cell = cell,
                       .from = exchange.from,
                       .victim = victim,
                       .by = seat,
                       .loss = -exchange.change[victim],
                       .gain = exchange.change[seat]});
    return false;
  });
  std::stable_sort(chances.begin(), chances.end(),
                   [](const Threat& a, const Threat& b) { return a.gain > b.gain; });
  return chances;
}

}  // namespace triarch

#endif  // TRIARCH_BOTS_SMART_THREATS_H_
