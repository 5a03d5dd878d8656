// Writes and reads a tournament's spec as JSON, for stores and the wire, and compares specs.

#ifndef TRIARCH_SPEC_SPEC_JSON_H_
#define TRIARCH_SPEC_SPEC_JSON_H_

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "core/record/planned_match.h"
#include "core/record/tournament_spec.h"

namespace triarch {

// Returns the whole spec as one line of JSON, with sorted keys. Keys are those of tournament files;
// unset values are omitted.
std::string SpecToJson(const TournamentSpec& spec);
// Reads the output of SpecToJson. InvalidArgument names the key that is unknown, or whose value has
// a wrong type or is out of bounds.
absl::StatusOr<TournamentSpec> SpecFromJson(std::string_view json);

// Returns the part of SpecToJson that determines the games; the rest (games, slots, db …) may
// change. Specs with equal identities have the same game for the same index.
std::string SpecIdentity(const TournamentSpec& spec);
// Describes how a stored tournament differs from the requested one: "its seed is 7, not 8". Empty
// if their identities are equal.
std::string SpecDifference(const TournamentSpec& stored, const TournamentSpec& asked);

// Writes planned matches as one line of JSON, and reads those of a tournament. InvalidArgument
// shows the match that is wrong. Requires: the game of `spec` exists.
std::string MatchesToJson(std::span<const PlannedMatch> matches);
absl::StatusOr<std::vector<PlannedMatch>> MatchesFromJson(std::string_view json,
                                                          const TournamentSpec& spec);

// Returns a bot as `triarch run --bots` accepts it, regardless of its name: "paranoid:depth=2".
std::string BotText(const BotSpec& bot);

}  // namespace triarch

#endif  // TRIARCH_SPEC_SPEC_JSON_H_
