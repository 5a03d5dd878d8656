// Implements the samples of triarch.h.

#include "capi/errors.h"
#include "capi/plain_state.h"
#include "capi/triarch.h"
#include "core/sample.h"

namespace capi = triarch::capi;

static_assert(TRIARCH_SAMPLE_STATE == triarch::kSampleState);

void triarch_sample(const triarch_position* position, uint8_t* cells, uint8_t* state) {
  capi::Visit(position, [&](const auto& p) { PackPosition(p, cells, state); });
}

uint32_t triarch_policy_index(const triarch_position* position, triarch_move move) {
  return capi::Visit(position, [&]<class P>(const P&) {
    return static_cast<uint32_t>(PolicyIndex(capi::MoveOf<P>(move)));
  });
}

triarch_status triarch_move_at_index(const triarch_position* position, uint32_t index,
                                     triarch_move* move, triarch_error* error) {
  return capi::Visit(position, [&]<class P>(const P& p) {
    for (const typename P::Move legal : p.LegalMoves()) {
      if (static_cast<uint32_t>(PolicyIndex(legal)) != index) continue;
      *move = capi::NumberOf(legal);
      return TRIARCH_OK;
    }
    return capi::Fail(TRIARCH_ILLEGAL, "no legal move has this policy index", error);
  });
}
