#include "core/record/recorded_game.h"

#include <utility>

#include "absl/strings/str_format.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "core/record/tpgn.h"

namespace triarch {
namespace {

// A file from a stranger may have tags that control a terminal.
void MakePrintable(GameRecord* record) {
  for (std::string* text : {&record->event, &record->date, &record->time_control}) {
    *text = PrintableLine(*text);
  }
  for (size_t i = 0; i < kSeatsMax; ++i) {
    record->bots[SeatAt(i)] = PrintableLine(record->bots[SeatAt(i)]);
    record->time_controls[SeatAt(i)] = PrintableLine(record->time_controls[SeatAt(i)]);
  }
  record->position = PrintableLine(record->position);
}

}  // namespace

std::string ToString(const GameNumber& number) {
  return absl::StrFormat("%d.%d", number.match + 1, number.index + 1);
}

absl::Status About(const std::string& what, const absl::Status& error) {
  return {error.code(), what + ": " + std::string(error.message())};
}

absl::StatusOr<GameRecord> ReplayOnly(std::string_view tpgn) {
  TpgnReader reader(tpgn);
  const std::optional<absl::StatusOr<TpgnGame>> game = reader.Next();
  if (!game) return absl::DataLossError("it has no moves");
  RETURN_IF_ERROR(game->status());
  ASSIGN_OR_RETURN(GameRecord record, ReplayTpgn(**game));
  MakePrintable(&record);
  return record;
}

absl::StatusOr<RecordedGame> ReplayStored(const GameSummary& summary, std::string tpgn) {
  absl::StatusOr<GameRecord> record = ReplayOnly(tpgn);
  if (!record.ok()) {
    return About("game " + ToString(GameNumber{summary.match, summary.index}), record.status());
  }
  record->costs = summary.costs;
  return RecordedGame{.tpgn = std::move(tpgn), .record = *std::move(record), .summary = summary};
}

}  // namespace triarch
