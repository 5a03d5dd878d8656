#include "arena/service/finished_game.h"

#include <string>
#include <utility>

#include "absl/time/time.h"
#include "spec/bot_flag.h"

namespace triarch::arena {
namespace {

std::string DateText(int64_t time_ms, const char* format) {
  return absl::FormatTime(format, absl::FromUnixMillis(time_ms), absl::UTCTimeZone());
}

std::string TournamentName(const Table& table) {
  const std::string name = "arena " + table.settings().game;
  if (table.settings().is_rated) return name;
  return name + " unrated " + DateText(table.opened_ms(), "%Y-%m");
}

BotSpec BotOf(const Occupant& occupant, const std::string& name) {
  BotSpec bot;
  bot.bot = kArenaPlayer;
  if (occupant.is_house_bot()) {
    if (absl::StatusOr<BotSpec> parsed = ParseBotFlag(occupant.house_bot); parsed.ok()) {
      bot = *std::move(parsed);
    }
  }
  bot.name = name;
  return bot;
}

}  // namespace

EndedTable EndedTableOf(const Table& table) {
  EndedTable ended{.table = table.id(), .ended_ms = table.ended_ms(), .record = {}};
  if (table.stage() != Table::Stage::kFinished) return ended;
  PlayedGame game = *table.game();
  ArenaGame recorded{.table = table.id(),
                     .tournament = TournamentName(table),
                     .bots = {},
                     .record = std::move(game).TakeRecord()};
  recorded.record.date = DateText(table.opened_ms(), "%Y.%m.%d");
  for (size_t i = 0; i < table.seat_count(); ++i) {
    const Seat seat = SeatAt(i);
    recorded.bots[seat] = BotOf(*table.occupant(seat), recorded.record.bots[seat]);
  }
  ended.record = std::move(recorded);
  return ended;
}

}  // namespace triarch::arena
