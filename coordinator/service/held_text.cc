#include "coordinator/service/held_text.h"

#include <utility>

#include "absl/strings/str_format.h"
#include "coordinator/service/replay_games.h"
#include "core/base/status_macros.h"
#include "proto/convert.h"

namespace triarch {

std::string HeldText(const std::vector<GameRecord>& games, const std::optional<ShardEntry>& shard) {
  // Only the games and the shard matter from now on.
  const Report report{
      .worker = {.name = "held", .instance = 1}, .token = 1, .games = games, .shard = shard};
  v1::ReportRequest wire;
  wire::ToWire(report, &wire);
  return wire.SerializeAsString();
}

absl::StatusOr<Report> ReadHeld(Store& store, int64_t id) {
  ASSIGN_OR_RETURN(const std::string text, store.HeldReport(id));
  v1::ReportRequest wire;
  absl::StatusOr<Report> report = absl::InvalidArgumentError("it is no ReportRequest");
  if (wire.ParseFromString(text)) report = wire::FromWire(wire);
  if (report.ok()) return report;
  return absl::DataLossError(
      absl::StrFormat("the held report %d is damaged: %s", id, report.status().message()));
}

absl::StatusOr<GameRecord> ReadHeldGame(Store& store, int64_t id, const Schedule& schedule,
                                        const std::vector<PlannedMatch>& matches, int64_t index) {
  ASSIGN_OR_RETURN(Report report, ReadHeld(store, id));
  std::erase_if(report.games, [index](const GameRecord& game) { return game.index != index; });
  if (report.games.empty()) {
    return absl::NotFoundError(absl::StrFormat("the held report %d lacks game %d", id, index + 1));
  }
  RETURN_IF_ERROR(ReplayGames(schedule, matches, /*are_trusted=*/false, report.games));
  return std::move(report.games.front());
}

}  // namespace triarch
