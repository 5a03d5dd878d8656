// Includes the bench positions of every game (core/game/bench.h).

#ifndef TRIARCH_CORE_BENCH_H_
#define TRIARCH_CORE_BENCH_H_

#include "core/three_way/bench.h"
#include "core/tri_d/bench.h"
#include "core/triumvirate/bench.h"

#endif  // TRIARCH_CORE_BENCH_H_
