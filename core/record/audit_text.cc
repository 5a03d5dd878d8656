#include "core/record/audit_text.h"

#include <algorithm>

#include "absl/strings/str_format.h"
#include "core/record/odds.h"
#include "core/record/tpgn.h"

namespace triarch {

bool IsReproducible(const TournamentSpec& spec) {
  return std::none_of(spec.bots.begin(), spec.bots.end(), [&](const BotSpec& bot) {
    return bot.bot == kTorchBot || bot.bot == "llm" ||
           !TimeControlOf(spec.time_control, bot).is_deterministic();
  });
}

std::string AuditText(GameRecord record) {
  record.date = "????.??.??";
  for (RecordedEvent& event : record.events) event.clock_ms = {};
  record.infos.clear();  // a bot may mention the time
  std::string text = WriteTpgn(record);
  for (const SeatCost& cost : record.costs) {
    text += absl::StrFormat("%d %d\n", cost.moves, cost.nodes);
  }
  return text;
}

}  // namespace triarch
