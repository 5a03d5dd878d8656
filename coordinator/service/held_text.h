// Converts held reports to and from the text in the store.

#ifndef TRIARCH_COORDINATOR_SERVICE_HELD_TEXT_H_
#define TRIARCH_COORDINATOR_SERVICE_HELD_TEXT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "coordinator/store/store.h"
#include "core/record/game_record.h"
#include "core/record/lease.h"
#include "core/record/planned_match.h"
#include "core/record/shard_entry.h"
#include "core/schedule/schedule.h"

namespace triarch {

// Returns the serialized ReportRequest.
std::string HeldText(const std::vector<GameRecord>& games, const std::optional<ShardEntry>& shard);

// Reads a held report. Fails with NotFound if it is not held, and with DataLoss if it cannot be
// parsed.
absl::StatusOr<Report> ReadHeld(Store& store, int64_t id);
// Reads one game of a held report and completes it by the schedule, as in ReplayGames.
absl::StatusOr<GameRecord> ReadHeldGame(Store& store, int64_t id, const Schedule& schedule,
                                        const std::vector<PlannedMatch>& matches, int64_t index);

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_SERVICE_HELD_TEXT_H_
