// Includes the features of every game (core/game/features.h).

#ifndef TRIARCH_CORE_FEATURES_H_
#define TRIARCH_CORE_FEATURES_H_

#include "core/three_way/features.h"
#include "core/tri_d/features.h"
#include "core/triumvirate/features.h"

#endif  // TRIARCH_CORE_FEATURES_H_
