// Plays tournaments for the tests of the site.

#ifndef TRIARCH_SITE_TEST_GAMES_H_
#define TRIARCH_SITE_TEST_GAMES_H_

#include <cstdint>
#include <string>

#include "core/record/game_record.h"
#include "core/record/tournament_spec.h"

namespace triarch::site {

// Returns a tournament of four bots, one of which has a name like HTML.
TournamentSpec SpecOfTest(const std::string& game, int64_t games);

// Plays at random. In each third game, the first seat forfeits; in each fifth, the second resigns;
// in game 7, a move of the second is a fallback.
GameRecord PlayTestGame(const TournamentSpec& spec, int64_t index);

}  // namespace triarch::site

#endif  // TRIARCH_SITE_TEST_GAMES_H_
