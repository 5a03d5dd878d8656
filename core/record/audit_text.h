// Says what must be equal when a game is played again on another machine.

#ifndef TRIARCH_CORE_RECORD_AUDIT_TEXT_H_
#define TRIARCH_CORE_RECORD_AUDIT_TEXT_H_

#include <string>

#include "core/record/game_record.h"
#include "core/record/tournament_spec.h"

namespace triarch {

// Returns whether the games of a tournament are the same on every machine, so that audits can tell
// a false one: no bot has a time limit, asks a language model, or plays with a network, whose
// floating-point results depend on the machine. User-supplied bots count as deterministic.
bool IsReproducible(const TournamentSpec& spec);

// Returns the moves, faults, evaluations, result and node counts of a game as text, without
// anything that depends on the machine: the date, times, and what a bot wrote when it failed.
std::string AuditText(GameRecord record);

}  // namespace triarch

#endif  // TRIARCH_CORE_RECORD_AUDIT_TEXT_H_
