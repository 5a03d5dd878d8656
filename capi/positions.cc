#include "capi/positions.h"

#include <algorithm>

#include "capi/errors.h"
#include "capi/plain_state.h"
#include "capi/triarch.h"
#include "core/attackers.h"
#include "core/base/text.h"
#include "core/evaluate.h"
#include "core/game/perft.h"
#include "core/json.h"
#include "core/sample.h"
#include "core/text.h"

namespace triarch::capi {
namespace {

static_assert(kSeatsMax == TRIARCH_SEATS_MAX);
static_assert(kLegalMovesMax == TRIARCH_MOVES_MAX);
static_assert(static_cast<int>(PieceType::kPawn) == TRIARCH_PAWN);
static_assert(static_cast<int>(PieceType::kKing) == TRIARCH_KING);

// Stores the position if there is one. Calls f.operator()<P>() for an absl::StatusOr<P>.
template <class F>
triarch_status StoreResult(triarch_game game, triarch_position* position, triarch_error* error,
                           F f) {
  if (triarch_get_game_info(game) == nullptr) {
    return Fail(TRIARCH_INVALID_ARGUMENT, "unknown game; triarch_find_game knows them", error);
  }
  return Guard(error, [&] {
    return VisitTag(Games(), game, [&]<class P>() {
      const absl::StatusOr<P> made = f.template operator()<P>();
      if (!made.ok()) return FailPosition(made.status(), error);
      Store(*made, position);
      return TRIARCH_OK;
    });
  });
}

template <class P>
size_t WriteMoves(const MoveList<typename P::Move>& list, triarch_move* moves) {
  static_assert(sizeof(typename P::Move) == sizeof(triarch_move));
  std::transform(list.begin(), list.end(), moves, capi::NumberOf<typename P::Move>);
  return list.size();
}

template <class P>
absl::StatusOr<P> Read(std::string_view text) {
  return Trim(text).starts_with('{') ? FromJson(kGame<P>, text) : Parse(kGame<P>, text);
}

template <class Piece>
Seat ColorOf(const Piece& piece) {
  if constexpr (requires { piece.color; }) return piece.color;
  return piece.owner;
}

}  // namespace

void Write(const Outcome& from, size_t seats, triarch_outcome* to) {
  const PerSeat<double> points = Points(from.place, seats);
  for (size_t i = 0; i < kSeatsMax; ++i) {
    to->places[i] = i < seats ? from.place[SeatAt(i)] : 0;
    to->points[i] = i < seats ? points[SeatAt(i)] : 0;
  }
  to->termination = static_cast<uint32_t>(from.termination);
}

}  // namespace triarch::capi

namespace capi = triarch::capi;
using triarch::Seat;
using triarch::SeatAt;

triarch_status triarch_start(triarch_game game, const char* name, triarch_position* position,
                             triarch_error* error) {
  return capi::StoreResult(game, position, error, [&]<class P>() {
    return Start(triarch::kGame<P>, name == nullptr ? "" : name);
  });
}

triarch_status triarch_parse(triarch_game game, const char* text, triarch_position* position,
                             triarch_error* error) {
  return capi::StoreResult(game, position, error, [&]<class P>() { return capi::Read<P>(text); });
}

int triarch_equal(const triarch_position* a, const triarch_position* b) {
  if (capi::TagOf(a) != capi::TagOf(b)) return 0;
  return capi::Visit(
      a, [&]<class P>(const P& position) -> int { return position == capi::PositionOf<P>(b); });
}

triarch_game triarch_game_of(const triarch_position* position) {
  return static_cast<triarch_game>(capi::TagOf(position));
}

size_t triarch_legal_moves(const triarch_position* position, triarch_move* moves) {
  return capi::Visit(
      position, [&]<class P>(const P& p) { return capi::WriteMoves<P>(p.LegalMoves(), moves); });
}

size_t triarch_legal_moves_from(const triarch_position* position, uint32_t cell,
                                triarch_move* moves) {
  return capi::Visit(position, [&]<class P>(const P& p) -> size_t {
    if (cell >= static_cast<uint32_t>(P::kCells)) return 0;
    using Cell = decltype(typename P::Move().from());
    typename P::MoveSets sets;
    p.ListMovesFrom(Cell::At(static_cast<int>(cell)), sets);
    sets.ForEach([&](auto move) { *moves++ = capi::NumberOf(move); });
    return sets.size();
  });
}

size_t triarch_count_legal_moves(const triarch_position* position) {
  return capi::Visit(position, [](const auto& p) { return p.CountLegalMoves(); });
}

void triarch_play(triarch_position* position, triarch_move move) {
  capi::Visit(position, [&]<class P>(P& p) { p.Play(capi::MoveOf<P>(move)); });
}

size_t triarch_play_and_list(triarch_position* position, triarch_move move, triarch_move* moves) {
  return capi::Visit(position, [&]<class P>(P& p) {
    triarch::MoveList<typename P::Move> list;
    p.PlayAndList(capi::MoveOf<P>(move), list);
    return capi::WriteMoves<P>(list, moves);
  });
}

uint64_t triarch_perft(const triarch_position* position, uint32_t depth) {
  return capi::Visit(position,
                     [&](const auto& p) { return triarch::Perft(p, static_cast<int>(depth)); });
}

triarch_seat triarch_to_move(const triarch_position* position) {
  return capi::Visit(position, [](const auto& p) {
    return static_cast<triarch_seat>(triarch::Index(p.to_move()));
  });
}

int triarch_is_in(const triarch_position* position, triarch_seat seat) {
  return capi::Visit(position, [&]<class P>(const P& p) -> int {
    return seat < P::kInfo.seats && p.is_in(SeatAt(seat));
  });
}

int triarch_in_check(const triarch_position* position, triarch_seat seat) {
  return capi::Visit(position, [&]<class P>(const P& p) -> int {
    return seat < P::kInfo.seats && p.in_check(SeatAt(seat));
  });
}

int triarch_get_outcome(const triarch_position* position, triarch_outcome* outcome) {
  return capi::Visit(position, [&]<class P>(const P& p) -> int {
    const std::optional<triarch::Outcome> reached = p.outcome();
    if (reached && outcome != nullptr) capi::Write(*reached, P::kInfo.seats, outcome);
    return reached.has_value();
  });
}

uint64_t triarch_hash(const triarch_position* position) {
  return capi::Visit(position, [](const auto& p) { return p.key(); });
}

uint32_t triarch_halfmove_clock(const triarch_position* position) {
  return capi::Visit(position,
                     [](const auto& p) { return static_cast<uint32_t>(p.halfmove_clock()); });
}

uint32_t triarch_move_number(const triarch_position* position) {
  return capi::Visit(position,
                     [](const auto& p) { return static_cast<uint32_t>(p.move_number()); });
}

size_t triarch_pieces(const triarch_position* position, triarch_piece* pieces) {
  return capi::Visit(position, [&]<class P>(const P& p) {
    size_t count = 0;
    for (int cell = 0; cell < P::kCells; ++cell) {
      const auto piece = p.PieceOn(cell);
      if (!piece) continue;
      pieces[count++] = {.cell = static_cast<uint8_t>(cell),
                         .type = static_cast<uint8_t>(piece->type),
                         .owner = static_cast<uint8_t>(triarch::Index(piece->owner)),
                         .color = static_cast<uint8_t>(triarch::Index(capi::ColorOf(*piece)))};
    }
    return count;
  });
}

size_t triarch_attackers(const triarch_position* position, uint32_t cell, uint8_t* cells) {
  return capi::Visit(position, [&]<class P>(const P& p) -> size_t {
    if (cell >= static_cast<uint32_t>(P::kCells)) return 0;
    const auto target = triarch::CellNumber::At(static_cast<int>(cell));
    size_t count = 0;
    for (const triarch::CellNumber attacker : triarch::AllAttackersOf(p, target)) {
      cells[count++] = static_cast<uint8_t>(attacker.index());
    }
    return count;
  });
}

void triarch_evaluate(const triarch_position* position, int32_t scores[TRIARCH_SEATS_MAX]) {
  capi::Visit(position, [&]<class P>(const P& p) {
    const triarch::PerSeat<int> own = Evaluate(p);
    for (size_t i = 0; i < triarch::kSeatsMax; ++i) {
      scores[i] = i < P::kInfo.seats ? own[SeatAt(i)] : 0;
    }
  });
}

int32_t triarch_capture_gain(const triarch_position* position, triarch_move move) {
  return capi::Visit(position, [&]<class P>(const P& p) -> int32_t {
    return CaptureGain(p, capi::MoveOf<P>(move));
  });
}
