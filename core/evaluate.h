// Includes the evaluation of every game (core/game/evaluate.h).

#ifndef TRIARCH_CORE_EVALUATE_H_
#define TRIARCH_CORE_EVALUATE_H_

#include "core/three_way/evaluate.h"
#include "core/tri_d/evaluate.h"
#include "core/triumvirate/evaluate.h"

#endif  // TRIARCH_CORE_EVALUATE_H_
