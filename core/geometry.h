// Includes the geometry of every game (core/game/geometry.h).

#ifndef TRIARCH_CORE_GEOMETRY_H_
#define TRIARCH_CORE_GEOMETRY_H_

#include "core/three_way/geometry.h"
#include "core/tri_d/geometry.h"
#include "core/triumvirate/geometry.h"

#endif  // TRIARCH_CORE_GEOMETRY_H_
