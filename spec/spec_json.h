#ifndef TRIARCH_SPEC_SPEC_JSON_H_
#define TRIARCH_SPEC_SPEC_JSON_H_

#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "core/record/spec_words.h"
#include "core/record/tournament_spec.h"

// A tournament's spec as JSON, for stores and other programs; and what makes two specs the same
// tournament.
namespace triarch {

// The whole spec as one line of JSON, keys in order. What is absent or empty is left out.
std::string SpecToJson(const TournamentSpec& spec);
// Reads what SpecToJson wrote; what is left out has its default. InvalidArgument names the key that
// is unknown or has a value of the wrong type.
absl::StatusOr<TournamentSpec> SpecFromJson(std::string_view json);

// What makes a tournament itself: SpecToJson without what does not change a game (games, slots, db
// …). Two specs whose identities are equal give the same game for the same index.
std::string SpecIdentity(const TournamentSpec& spec);
// How two identities differ, in words: "seed is 7 there, 8 here". Empty if they are equal.
std::string SpecDifference(const TournamentSpec& there, const TournamentSpec& here);

// A bot as `triarch run --bots` takes it: "paranoid:depth=2", whatever its name is.
std::string BotText(const BotSpec& bot);

}  // namespace triarch

#endif  // TRIARCH_SPEC_SPEC_JSON_H_
