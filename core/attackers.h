// Checks that every game can tell its attackers.

#ifndef TRIARCH_CORE_ATTACKERS_H_
#define TRIARCH_CORE_ATTACKERS_H_

// What core/game/attackers.h asks of the games, for each of them.
#include "core/three_way/attackers.h"
#include "core/tri_d/attackers.h"
#include "core/triumvirate/attackers.h"

#endif  // TRIARCH_CORE_ATTACKERS_H_
