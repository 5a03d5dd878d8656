// Writes recorded games as JSON (docs/json.md).

#ifndef TRIARCH_SITE_GAME_JSON_H_
#define TRIARCH_SITE_GAME_JSON_H_

#include <cstddef>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "coordinator/store/stored.h"
#include "core/any_state.h"
#include "core/record/game_steps.h"
#include "core/record/game_summary.h"
#include "core/record/recorded_game.h"
#include "core/record/tournament_spec.h"

namespace triarch::site {

// Returns the names of the bots of a game of that tournament.
PerSeat<std::string> BotsOf(const TournamentSpec& spec, const GameSummary& game, size_t seats);

// Returns a game without its moves, as `triarch games --json` lists it. The costs are null unless
// `has_costs`; `faults` are reports about the game's forfeits.
nlohmann::ordered_json GameJson(const GameSummary& game, const GameInfo& info,
                                const PerSeat<std::string>& bots, bool has_costs,
                                std::span<const StoredFault> faults);

// Returns a game with an object for each event. Requires: `steps` are those of the game's record.
nlohmann::ordered_json FullGameJson(const RecordedGame& game, const GameSteps& steps,
                                    std::span<const StoredFault> faults);

}  // namespace triarch::site

#endif  // TRIARCH_SITE_GAME_JSON_H_
