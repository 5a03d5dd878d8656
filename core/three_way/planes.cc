#include "core/three_way/planes.h"

#include <array>

namespace triarch::three_way {
namespace {

constexpr std::array<std::string_view, 29> kPlaneNames = {
    "own pawn",           "own knight",         "own bishop",        "own rook",
    "own queen",          "own king",           "next pawn",         "next knight",
    "next bishop",        "next rook",          "next queen",        "next king",
    "last pawn",          "last knight",        "last bishop",       "last rook",
    "last queen",         "last king",          "en passant of own", "en passant of next",
    "en passant of last", "own castles short",  "own castles long",  "next castles short",
    "next castles long",  "last castles short", "last castles long", "next is out",
    "last is out"};

}  // namespace

std::span<const std::string_view> PlaneNames(GameTag<Position>) { return kPlaneNames; }

void WritePlanes(const Position& position, Seat viewer, CellSet* planes) {
  const auto seat = [&](size_t i) { return SeatAt((Index(viewer) + i) % 3); };
  const auto everywhere = [](bool is_set) { return is_set ? kAllCells : CellSet{}; };
  planes = WritePiecePlanes(position, viewer, planes);
  for (size_t i = 0; i < 3; ++i) {
    const std::optional<Cell> cell = position.en_passant(seat(i));
    *planes++ = cell ? InView(kGame<Position>, CellSet::Of(*cell), viewer) : CellSet{};
  }
  for (size_t i = 0; i < 3; ++i) {
    *planes++ = everywhere(position.can_castle_king_side(seat(i)));
    *planes++ = everywhere(position.can_castle_queen_side(seat(i)));
  }
  *planes++ = everywhere(!position.is_in(seat(1)));
  *planes++ = everywhere(!position.is_in(seat(2)));
}

// §5.5.
int ClockLimit(const Position&) { return 100; }

}  // namespace triarch::three_way
