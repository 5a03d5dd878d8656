// Includes the attackers of every game (core/game/attackers.h).

#ifndef TRIARCH_CORE_ATTACKERS_H_
#define TRIARCH_CORE_ATTACKERS_H_

#include "core/three_way/attackers.h"
#include "core/tri_d/attackers.h"
#include "core/triumvirate/attackers.h"

#endif  // TRIARCH_CORE_ATTACKERS_H_
