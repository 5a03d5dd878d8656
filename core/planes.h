// Includes the planes of every game (core/game/planes.h).

#ifndef TRIARCH_CORE_PLANES_H_
#define TRIARCH_CORE_PLANES_H_

#include "core/three_way/planes.h"
#include "core/tri_d/planes.h"
#include "core/triumvirate/planes.h"

#endif  // TRIARCH_CORE_PLANES_H_
