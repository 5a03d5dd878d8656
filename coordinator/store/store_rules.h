// Decides what all stores decide alike.

#ifndef TRIARCH_COORDINATOR_STORE_STORE_RULES_H_
#define TRIARCH_COORDINATOR_STORE_STORE_RULES_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/record/game_record.h"
#include "core/record/game_summary.h"
#include "core/record/shard_entry.h"
#include "core/record/tournament_spec.h"
#include "core/record/tournament_state.h"

// What every store decides alike.
namespace triarch {

// A tournament with what its games need: bots by their ids in the table.
struct Roster {
  TournamentSpec spec;
  std::vector<int64_t> bot_ids;        // by number
  std::map<int64_t, int> bot_numbers;  // by id
};

// Of RecordShard, where a shard of that name is there: OK if it is this one, else InvalidArgument.
absl::Status CheckIsSame(const ShardEntry& there, const ShardEntry& shard);

// How many seats the game of a record has.
size_t SeatCount(const GameRecord& record);

// Of RecordShard, where some game is there and the shard is not: AlreadyExists.
absl::Status RecordedWithout(const ShardEntry& shard);

// A record without its moves. InvalidArgument if it cannot be a game of that tournament: another
// game, a bot that is not in it, not played to its end.
absl::StatusOr<GameSummary> Summarize(const TournamentSpec& spec, const GameRecord& record);

// Whether `asked` goes on with the tournament `stored`, whose recorded games lie below
// `games_end`. FailedPrecondition says what differs. `where` names the store in the message.
absl::Status CheckContinues(std::string_view where, const TournamentSpec& stored,
                            const TournamentSpec& asked, int64_t games_end);

// The bot of that name as an index into the list; of one from a bundle the name without version and
// digest will do. NotFound lists the names.
absl::StatusOr<int> FindBot(const TournamentSpec& spec, std::string_view name);

// NotFound: there is no bundle of that digest.
absl::Status NoBundle(std::string_view digest);

// InvalidArgument for kDone, which comes by itself.
absl::Status CheckMayBeSet(TournamentState state);

// A spec as it is stored: without what is not the tournament's own.
TournamentSpec WithoutOutput(TournamentSpec spec);

// `asked` as it is stored once it goes on with `stored`: a run keeps the name it has.
TournamentSpec Continued(const TournamentSpec& stored, const TournamentSpec& asked);

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_STORE_STORE_RULES_H_
