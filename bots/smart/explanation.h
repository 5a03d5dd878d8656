// Explains the choice of the bot `smart` in words.

#ifndef TRIARCH_BOTS_SMART_EXPLANATION_H_
#define TRIARCH_BOTS_SMART_EXPLANATION_H_

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_format.h"
#include "bots/smart/rated_move.h"
#include "bots/smart/rating.h"
#include "bots/smart/roles.h"
#include "bots/smart/threats.h"
#include "core/game/piece.h"
#include "core/game/text.h"

namespace triarch {

// Returns "E2-E4 +35: material +0, defence +0, tactics +10, position +25, risk +0".
inline std::string RatingText(const std::string& move, const Rating& rating) {
  return absl::StrFormat("%s %+d: material %+d, defence %+d, tactics %+d, position %+d, risk %+d",
                         move, rating.total(), rating.material, rating.defence, rating.tactics,
                         rating.position, rating.risk);
}

// Returns "critical: Black takes the queen on E4 from D8, -900".
template <Position P>
std::string ThreatText(const P& position, const Threat& threat) {
  const auto piece = position.PieceOn(threat.cell.index());
  return absl::StrFormat(
      "%s: %s takes the %s on %s from %s, %+d", std::string(SeverityName(SeverityOf(threat))),
      P::kInfo.seat_name(threat.by), std::string(kPieceNames[static_cast<size_t>(piece->type)]),
      CellText(position, threat.cell.index()), CellText(position, threat.from.index()),
      -threat.loss);
}

// Returns "White leader, Black middle (aimed at 90%), Red underdog (aimed at 90%)".
template <HasAttackers P>
std::string RolesText(const Rater<P>& rater) {
  std::string text;
  for (size_t i = 0; i < P::kInfo.seats; ++i) {
    const Seat seat = SeatAt(i);
    if (i > 0) text += ", ";
    text += std::string(P::kInfo.seat_names[i]) + ' ' + std::string(RoleName(rater.roles()[seat]));
    if (rater.aims()[seat] > 0) text += absl::StrFormat(" (aimed at %d%%)", rater.aims()[seat]);
  }
  return text;
}

// Explains why the first move is played: its rating, the next best moves, the roles and the
// threats.
template <HasAttackers P>
std::string ExplainMoves(const P& position, const Rater<P>& rater,
                         const std::vector<RatedMove<P>>& rated) {
  constexpr size_t kShown = 3;
  std::string text;
  for (size_t i = 0; i < std::min(rated.size(), kShown); ++i) {
    text += (i == 0 ? "plays " : "rather than ") +
            RatingText(MoveToString(position, rated[i].root.move), rated[i].rating) + '\n';
  }
  text += "roles: " + RolesText(rater) + '\n';
  if (rater.threats().empty()) text += "threats: none\n";
  for (size_t i = 0; i < std::min(rater.threats().size(), kShown); ++i) {
    text += "threat " + ThreatText(position, rater.threats()[i]) + '\n';
  }
  return text;
}

}  // namespace triarch

#endif  // TRIARCH_BOTS_SMART_EXPLANATION_H_
