// Implements the states of triarch.h.

#include <new>

#include "absl/strings/str_format.h"
#include "capi/errors.h"
#include "capi/plain_state.h"
#include "capi/positions.h"
#include "capi/triarch.h"

namespace capi = triarch::capi;
using triarch::SeatAt;

namespace triarch::capi {
namespace {

triarch_status FailOver(triarch_error* error) {
  return Fail(TRIARCH_ILLEGAL, "the game is over", error);
}

}  // namespace
}  // namespace triarch::capi

void triarch_state_begin(triarch_state* state, const triarch_position* position, uint32_t flags) {
  capi::Visit(position, [&]<class P>(const P& p) {
    const P start = p;  // it may be the state's own
    new (state) capi::PlainState<P>(start, capi::RulesOf(flags));
  });
}

int triarch_state_equal(const triarch_state* a, const triarch_state* b) {
  if (capi::TagOf(&a->position) != capi::TagOf(&b->position)) return 0;
  return capi::Visit(a, [&]<class P>(const capi::PlainState<P>& state) -> int {
    return state == capi::StateOf<P>(b);
  });
}

size_t triarch_state_legal_moves(const triarch_state* state, triarch_move* moves) {
  const bool is_over = capi::Visit(state, [](const auto& s) { return s.outcome().has_value(); });
  return is_over ? 0 : triarch_legal_moves(&state->position, moves);
}

triarch_status triarch_state_play(triarch_state* state, triarch_move move, triarch_error* error) {
  return capi::Visit(state, [&]<class P>(capi::PlainState<P>& s) {
    if (s.outcome()) return capi::FailOver(error);
    typename P::MoveSets sets;
    s.position().ListMoves(sets);
    const auto wanted = capi::MoveOf<P>(move);
    if (sets.Find(wanted) == sets.size()) {
      return capi::Fail(TRIARCH_ILLEGAL, "this move is not legal in the position", error);
    }
    s.Play(wanted);
    return TRIARCH_OK;
  });
}

triarch_status triarch_state_resign(triarch_state* state, triarch_seat seat, triarch_error* error) {
  return capi::Visit(state, [&]<class P>(capi::PlainState<P>& s) {
    if (s.outcome()) return capi::FailOver(error);
    if (seat >= P::kInfo.seats) {
      return capi::Fail(TRIARCH_INVALID_ARGUMENT, "the game has no such seat", error);
    }
    if (!s.position().is_in(SeatAt(seat))) {
      return capi::Fail(TRIARCH_ILLEGAL, "the seat has already left the game", error);
    }
    s.Eliminate(SeatAt(seat), triarch::Termination::kResignation);
    return TRIARCH_OK;
  });
}

triarch_status triarch_state_claim_draw(triarch_state* state, triarch_error* error) {
  return capi::Visit(state, [&](auto& s) {
    if (s.outcome()) return capi::FailOver(error);
    if (!s.ClaimDraw()) {
      return capi::Fail(TRIARCH_ILLEGAL,
                        "a draw can be claimed only after the third repetition or the limit of "
                        "moves without progress",
                        error);
    }
    return TRIARCH_OK;
  });
}

int triarch_state_can_claim_draw(const triarch_state* state) {
  return capi::Visit(
      state, [](const auto& s) -> int { return !s.outcome() && s.claimable().has_value(); });
}

int triarch_state_get_outcome(const triarch_state* state, triarch_outcome* outcome) {
  return capi::Visit(state, [&]<class P>(const capi::PlainState<P>& s) -> int {
    if (s.outcome() && outcome != nullptr) capi::Write(*s.outcome(), P::kInfo.seats, outcome);
    return s.outcome().has_value();
  });
}

int triarch_state_ending(const triarch_state* state, triarch_seat seat) {
  return capi::Visit(state, [&]<class P>(const capi::PlainState<P>& s) -> int {
    if (seat >= P::kInfo.seats || !s.endings()[SeatAt(seat)]) return -1;
    return static_cast<int>(*s.endings()[SeatAt(seat)]);
  });
}

uint32_t triarch_state_occurrences(const triarch_state* state, uint64_t hash) {
  return capi::Visit(state,
                     [&](const auto& s) { return static_cast<uint32_t>(s.occurrences(hash)); });
}

int triarch_state_last_move(const triarch_state* state, triarch_move* move) {
  return capi::Visit(state, [&](const auto& s) -> int {
    if (s.last_move() && move != nullptr) *move = capi::NumberOf(*s.last_move());
    return s.last_move().has_value();
  });
}
