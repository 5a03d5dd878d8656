// Checks a reported game by replaying it.

#ifndef TRIARCH_CORE_RECORD_REPLAY_H_
#define TRIARCH_CORE_RECORD_REPLAY_H_

#include "absl/status/statusor.h"
#include "core/record/game_record.h"
#include "core/record/game_spec.h"

namespace triarch {

// Replays a reported game by the rules. Trusts only what the players alone can know: moves,
// resignations, claims, forfeits, clocks, evaluations and costs. Derives everything else from the
// spec, so the result is what the game runner would have recorded. Copies `event`, the tournament's
// name.
//
// The report may omit values that the spec gives, as on the wire (proto/convert.h), and the seat of
// a move. Values that it contains must be right.
//
// InvalidArgument names the wrong ply ("ply 12: …") or field: an opening or seating
// that differs from the spec's, an illegal move, a game that ends too early or too late, a wrong
// outcome, placement, count or "+", or a number out of range.
absl::StatusOr<GameRecord> ReplayRecord(const GameSpec& spec, const GameRecord& claimed);

// Replays the events of a game that is still in progress, likewise, as far as they go. The result
// is not finished. `claimed` needs only its index and events.
absl::StatusOr<GameRecord> ReplayUnfinished(const GameSpec& spec, const GameRecord& claimed);

// Completes a trusted report, from this process, with values from the spec. Does not replay.
// Requires: the events name their seats.
absl::StatusOr<GameRecord> CompleteRecord(const GameSpec& spec, GameRecord reported);

}  // namespace triarch

#endif  // TRIARCH_CORE_RECORD_REPLAY_H_
