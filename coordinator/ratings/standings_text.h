// Renders standings as text and JSON.

#ifndef TRIARCH_COORDINATOR_RATINGS_STANDINGS_TEXT_H_
#define TRIARCH_COORDINATOR_RATINGS_STANDINGS_TEXT_H_

#include <string>

#include "coordinator/ratings/standings.h"

namespace triarch {

// Renders a table for a terminal of 100 columns: UTF-8 without colours, every line ending with a
// line break. Shortens long bot names (short_names.h). The cross table labels its columns with
// names if they fit, else with ranks, and is omitted if that is too wide (above about 20 bots). The
// column "cpu ms" appears if a bot's CPU time differs from its wall-clock time.
std::string RenderStandings(const Standings& standings);

// Returns the bot's rating with the mark that RenderStandings explains below its table ("+120*"),
// or "–" without games.
std::string RatingText(const BotStanding& bot);

// Renders one JSON object, indented by two, ending with a line break. Keys are stable: new ones may
// be added, but none changes its meaning. Unknown values are null. Ratings are in Elo; `error` is
// the standard error, `low` and `high` are the ends of the 95 % interval.
//
//   name, games {recorded, asked}, rated, samples {shards, samples, bytes} | null, plies_per_game
//   anchor (a bot's name; null if the mean is 0)
//   bots [by rank: {rank, name, rating {elo, error, low, high} | null, superior_to_next, connected,
//     one_sided, games, points, firsts, draws, seconds, thirds,
//     faults {time_forfeit, illegal_move, crash}, fallbacks, time_per_move_ms, cpu_per_move_ms,
//     nodes_per_move}]
//   seats [{name, effect {elo, error, low, high}, points_per_game}]
//   ties {first_of_two, first_of_three, second: {observed, model}} as shares of the games
//   cross {names [by rank], score [[share of row against column | null]], games [[count]]}
//   terminations {word: count}
//   next_margin {now_elo, next_elo, games} | null
//   triples [{bots [3 names], games, firsts [3], expected [3], chi_square, degrees, p,
//     significant}]
//   pairs [{bots [2 names], games, points, expected, z, p, significant}]
//
// A triple or pair that could not be tested has null for chi_square, z and p. For self-play `rated`
// is false and `samples` is present; rank, rating, superior_to_next, effect and ties are null; and
// cross, triples and pairs are empty.
std::string StandingsJson(const Standings& standings);

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_RATINGS_STANDINGS_TEXT_H_
