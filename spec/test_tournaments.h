// Reads tournaments in tests, with bots and files that exist only there.

#ifndef TRIARCH_SPEC_TEST_TOURNAMENTS_H_
#define TRIARCH_SPEC_TEST_TOURNAMENTS_H_

#include <string>

#include "core/record/tournament_spec.h"
#include "spec/tournament_draft.h"

namespace triarch {

// Returns hooks for a file dir/t.yaml.
TournamentHooks TestHooks();

// Returns the tournament of a file; a faulty one fails the test.
TournamentSpec MustParse(const std::string& text);
// Returns the message for a faulty file.
std::string ErrorOf(const std::string& text);

inline constexpr char kHead[] = "game: triumvirate\nbots: [random, paranoid, mcts]\n";
// Returns the error message for kHead followed by these lines, the first of which is the file's
// third.
std::string ErrorAfterHead(const std::string& lines);

}  // namespace triarch

#endif  // TRIARCH_SPEC_TEST_TOURNAMENTS_H_
