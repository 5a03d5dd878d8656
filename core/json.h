// Includes the JSON of every game (core/game/json.h).

#ifndef TRIARCH_CORE_JSON_H_
#define TRIARCH_CORE_JSON_H_

#include "core/three_way/json.h"
#include "core/tri_d/json.h"
#include "core/triumvirate/json.h"

#endif  // TRIARCH_CORE_JSON_H_
