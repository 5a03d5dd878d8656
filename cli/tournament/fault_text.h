// Describes a bot's fault with everything that its author needs to find the cause.

#ifndef TRIARCH_CLI_TOURNAMENT_FAULT_TEXT_H_
#define TRIARCH_CLI_TOURNAMENT_FAULT_TEXT_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "coordinator/store/store.h"
#include "coordinator/store/stored.h"
#include "core/record/game_record.h"

namespace triarch {

// Returns the text of a fault file: what happened, the position, the bot's last lines, its standard
// error and how to see the game. `record` is the fault's game, replayed by the rules.
absl::StatusOr<std::string> FaultText(const StoredFault& fault, const GameRecord& record);

// Returns the part of FaultText with the bot's standard error and protocol.
std::string ReportSections(const FaultReport& report);

// Writes a file for each fault report that the store has of a tournament, "1.1-mine-White.txt" for
// the bot mine in game 1.1, into a folder that exists. Returns how many.
absl::StatusOr<int64_t> WriteFaultFiles(Store& store, int64_t tournament, const std::string& dir);

// Returns InvalidArgument if the folder holds other files than those that WriteFaultFiles writes.
absl::Status CheckFaultFolder(Store& store, int64_t tournament, const std::string& dir);

// Returns a line below the standings that names the command which shows the faults in them, or ""
// if there are none. `json` are the standings, the report of a test or of a best-of as JSON.
// `where` are the arguments that name the tournament: "2 --db my.db"; "" if it is stored nowhere.
std::string HowToSeeFaults(const std::string& json, const std::string& where);

}  // namespace triarch

#endif  // TRIARCH_CLI_TOURNAMENT_FAULT_TEXT_H_
