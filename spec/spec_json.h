// Writes and reads a tournament's spec as JSON, for stores and the wire, and compares two specs.

#ifndef TRIARCH_SPEC_SPEC_JSON_H_
#define TRIARCH_SPEC_SPEC_JSON_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "core/record/tournament_spec.h"

namespace triarch {

// Returns the whole spec as one line of JSON, keys in order. Keys are those of tournament files;
// what is not set is left out.
std::string SpecToJson(const TournamentSpec& spec);
// Reads what SpecToJson wrote. InvalidArgument names the key that is unknown, or whose value has
// another type or is out of its bounds.
absl::StatusOr<TournamentSpec> SpecFromJson(std::string_view json);

// Returns the part of SpecToJson that decides the games; the rest (games, slots, db …) may change.
// Two specs of equal identity have the same game for the same index.
std::string SpecIdentity(const TournamentSpec& spec);
// Says how another tournament differs from the one that is asked for: "its seed is 7, not 8". Empty
// if their identities are equal.
std::string SpecDifference(const TournamentSpec& stored, const TournamentSpec& asked);

// Returns a bot as `triarch run --bots` takes it, whatever its name: "paranoid:depth=2".
std::string BotText(const BotSpec& bot);

}  // namespace triarch

#endif  // TRIARCH_SPEC_SPEC_JSON_H_
