// Writes the values of the rules as those of the C ABI.

#ifndef TRIARCH_CAPI_POSITIONS_H_
#define TRIARCH_CAPI_POSITIONS_H_

#include <cstddef>

#include "capi/triarch.h"
#include "core/game/outcome.h"

namespace triarch::capi {

void Write(const Outcome& from, size_t seats, triarch_outcome* to);

}  // namespace triarch::capi

#endif  // TRIARCH_CAPI_POSITIONS_H_
