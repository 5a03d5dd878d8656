// Generates tables of scenarios from random games.

#ifndef TRIARCH_SCENARIOS_GENERATE_H_
#define TRIARCH_SCENARIOS_GENERATE_H_

#include <cstdint>
#include <string>

#include "core/game/position.h"

namespace triarch {

// Returns a table with a header and that many rows. Rows come in pairs that share a position: a
// legal move, and a near miss with the reason why it is illegal. Equal arguments yield equal
// tables.
std::string GenerateScenarios(const GameInfo& game, int64_t rows, uint64_t seed);

}  // namespace triarch

#endif  // TRIARCH_SCENARIOS_GENERATE_H_
