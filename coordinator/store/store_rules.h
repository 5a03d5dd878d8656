// Holds the checks and conversions that all stores share.

#ifndef TRIARCH_COORDINATOR_STORE_STORE_RULES_H_
#define TRIARCH_COORDINATOR_STORE_STORE_RULES_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "coordinator/store/store.h"
#include "core/record/game_record.h"
#include "core/record/game_summary.h"
#include "core/record/planned_match.h"
#include "core/record/shard_entry.h"
#include "core/record/tournament_spec.h"
#include "core/record/tournament_state.h"

namespace triarch {

// A tournament with its bots' ids in the database.
struct Roster {
  TournamentSpec spec;
  std::vector<int64_t> bot_ids;        // by number
  std::map<int64_t, int> bot_numbers;  // by id
};

// For RecordShard, when a shard with that name exists. Returns ok if it is this shard, else
// InvalidArgument.
absl::Status CheckIsSame(const ShardEntry& there, const ShardEntry& shard);

// Returns how many seats the record's game has.
size_t SeatCount(const GameRecord& record);

// Returns RecordShard's error when some game is recorded but the shard is not: AlreadyExists.
absl::Status RecordedWithout(const ShardEntry& shard);

// Returns the record without its moves. Fails with InvalidArgument if the record cannot belong to
// the tournament, because its game or a bot differs, or because the game is not finished.
absl::StatusOr<GameSummary> Summarize(const TournamentSpec& spec, const GameRecord& record);

// Returns the spec of an arena's tournament without games and bots.
TournamentSpec ArenaSpec(const ArenaGame& game);
// Adds the game, and its bots that are missing, to the spec of an arena's tournament. Returns the
// record with its place in the tournament, and how many bots were there before.
struct AddedGame {
  GameRecord record;
  size_t bots_before = 0;
};
AddedGame AddToSpec(const ArenaGame& game, int64_t games_recorded, TournamentSpec* spec);

// Checks that `asked` continues the tournament `stored`, whose recorded games are below
// `games_end`. Fails with FailedPrecondition, saying what differs. `where` names the store in the
// message.
absl::Status CheckContinues(std::string_view where, const TournamentSpec& stored,
                            const TournamentSpec& asked, int64_t games_end);

// Returns the index of the bot with that name. For a bot from a bundle, the name may omit version
// and digest. Fails with NotFound, listing the names.
absl::StatusOr<int> FindBot(const TournamentSpec& spec, std::string_view name);

// Returns the matches of stored batches, in order. Fails with DataLoss if they cannot be read.
absl::StatusOr<std::vector<PlannedMatch>> JoinBatches(std::span<const std::string> batches,
                                                      const TournamentSpec& spec);

// Returns the table with that history.
std::string_view TableOf(History what);

// Returns NotFound for a bundle that the store lacks.
absl::Status NoBundle(std::string_view digest);

// Returns NotFound for a report that the store does not hold.
absl::Status NotHeld(int64_t id);
// Converts indices to and from "3,4,7". Parsing fails with DataLoss.
std::string IndicesText(std::span<const int64_t> indices);
absl::StatusOr<std::vector<int64_t>> ParseIndices(std::string_view text);

// Returns the spec as stored: without slots and output paths.
TournamentSpec WithoutOutput(TournamentSpec spec);

// Returns `asked` as stored when it continues `stored`: the run keeps its name.
TournamentSpec Continued(const TournamentSpec& stored, const TournamentSpec& asked);

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_STORE_STORE_RULES_H_
