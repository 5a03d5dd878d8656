// Reads tournament files (YAML). docs/tournament-file.md is their reference.

#ifndef TRIARCH_SPEC_TOURNAMENT_FILE_H_
#define TRIARCH_SPEC_TOURNAMENT_FILE_H_

#include <string_view>

#include "absl/status/statusor.h"
#include "core/record/tournament_spec.h"
#include "spec/tournament_draft.h"

namespace triarch {

// Reads the file's options, each checked against its own bounds. Every fault is InvalidArgument, in
// one line: "file:line:column: what was wrong; what was expected". `flags` has the values that
// flags will set, because they decide for which game and mode the file's bots are read.
absl::StatusOr<TournamentDraft> ReadTournamentFile(std::string_view text,
                                                   std::string_view file_name,
                                                   const TournamentHooks& hooks,
                                                   const OptionValues& flags = {});

// Returns the tournament of a file, checked as a whole.
absl::StatusOr<TournamentSpec> ParseTournamentFile(std::string_view text,
                                                   std::string_view file_name,
                                                   const TournamentHooks& hooks);

}  // namespace triarch

#endif  // TRIARCH_SPEC_TOURNAMENT_FILE_H_
