#ifndef TRIARCH_CORE_RECORD_REPLAY_H_
#define TRIARCH_CORE_RECORD_REPLAY_H_

#include "absl/status/statusor.h"
#include "core/record/game_record.h"
#include "core/record/game_spec.h"

namespace triarch {

// Plays a reported game again by the rules, believing nothing of it but what only its players can
// know: their moves, resignations and claims, forfeits, clocks, evaluations and costs. All the rest
// is worked out anew from the spec: the result is what the game runner would have recorded.
// `event`, the tournament's name, is taken over.
//
// What the spec gives may be left out of the claim, as over the wire (proto/convert.h), and so may
// whose turn a move was; where it is there it must be right.
//
// InvalidArgument says which ply or field is false: an opening or a seating that is not the spec's,
// an illegal move, a game that ends too early or goes on too long, an outcome, a placement, a count
// or a "+" that is not so, numbers out of range (evaluations that are no shares, negative costs).
// "ply 12: …" counts from 0.
absl::StatusOr<GameRecord> ReplayRecord(const GameSpec& spec, const GameRecord& claimed);

// The same for a report that is believed, as it comes from this process: what the spec gives is
// filled in, and nothing is played. Its events must name their seats.
absl::StatusOr<GameRecord> CompleteRecord(const GameSpec& spec, GameRecord reported);

}  // namespace triarch

#endif  // TRIARCH_CORE_RECORD_REPLAY_H_
