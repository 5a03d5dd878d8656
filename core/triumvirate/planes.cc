#include "core/triumvirate/planes.h"

#include <array>

namespace triarch::triumvirate {
namespace {

constexpr std::array<std::string_view, 31> kPlaneNames = {
    "own pawn",          "own knight",
    "own bishop",        "own rook",
    "own queen",         "own king",
    "next pawn",         "next knight",
    "next bishop",       "next rook",
    "next queen",        "next king",
    "last pawn",         "last knight",
    "last bishop",       "last rook",
    "last queen",        "last king",
    "colour of own",     "colour of next",
    "colour of last",    "pawn that walks home",
    "en passant",        "own castles short",
    "own castles long",  "next castles short",
    "next castles long", "last castles short",
    "last castles long", "next is out",
    "last is out"};

}  // namespace

std::span<const std::string_view> PlaneNames(GameTag<Position>) { return kPlaneNames; }

void WritePlanes(const Position& position, Seat viewer, CellSet* planes) {
  const auto seat = [&](size_t i) { return SeatAt((Index(viewer) + i) % 3); };
  const auto everywhere = [](bool is_set) { return is_set ? kAllCells : CellSet{}; };
  planes = WritePiecePlanes(position, viewer, planes);
  for (size_t i = 0; i < 3; ++i)
    *planes++ = InView(kGame<Position>, position.colored(seat(i)), viewer);
  *planes++ = InView(kGame<Position>, position.homeward(), viewer);
  CellSet en_passant;
  if (position.HasUsableEnPassant()) en_passant = CellSet::Of(*position.en_passant());
  *planes++ = InView(kGame<Position>, en_passant, viewer);
  for (size_t i = 0; i < 3; ++i) {
    const bool is_in = position.is_in(seat(i));
    *planes++ = everywhere(is_in && position.can_castle_short(seat(i)));
    *planes++ = everywhere(is_in && position.can_castle_long(seat(i)));
  }
  *planes++ = everywhere(!position.is_in(seat(1)));
  *planes++ = everywhere(!position.is_in(seat(2)));
}

// §6.6.
int ClockLimit(const Position& position) {
  int survivors = 0;
  for (const Seat seat : {Seat::kFirst, Seat::kSecond, Seat::kThird}) {
    survivors += position.is_in(seat) ? 1 : 0;
  }
  return 75 * survivors;
}

}  // namespace triarch::triumvirate
