#include "core/tri_d/planes.h"

#include <array>

#include "core/tri_d/movegen.h"

namespace triarch::tri_d {
namespace {

constexpr std::array<std::string_view, 31> kPlaneNames = {"own pawn",
                                                          "own knight",
                                                          "own bishop",
                                                          "own rook",
                                                          "own queen",
                                                          "own king",
                                                          "other pawn",
                                                          "other knight",
                                                          "other bishop",
                                                          "other rook",
                                                          "other queen",
                                                          "other king",
                                                          "pawn with double step",
                                                          "en passant",
                                                          "board on QL1",
                                                          "board on QL2",
                                                          "board on QL3",
                                                          "board on QL4",
                                                          "board on QL5",
                                                          "board on QL6",
                                                          "board on KL1",
                                                          "board on KL2",
                                                          "board on KL3",
                                                          "board on KL4",
                                                          "board on KL5",
                                                          "board on KL6",
                                                          "promotes first",
                                                          "own castles short",
                                                          "own castles long",
                                                          "other castles short",
                                                          "other castles long"};

}  // namespace

std::span<const std::string_view> PlaneNames(GameTag<Position>) { return kPlaneNames; }

void WritePlanes(const Position& position, Seat viewer, CellSet* planes) {
  const auto everywhere = [](bool is_set) { return is_set ? ~CellSet{0} : CellSet{0}; };
  const auto cell_plane = [&](std::optional<Cell> cell) {
    return cell ? InView(kGame<Position>, CellBit(*cell), viewer) : CellSet{0};
  };
  planes = WritePiecePlanes(position, viewer, planes);
  *planes++ = InView(kGame<Position>, position.double_steppers(), viewer);
  const std::optional<Cell> en_passant = position.en_passant();
  const bool is_usable = en_passant && !position.is_over() &&
                         MoveGenerator(position, position.to_move()).HasEnPassant();
  *planes++ = cell_plane(is_usable ? en_passant : std::nullopt);
  for (int pin = 0; pin < kPins; ++pin) planes[pin] = 0;
  for (int board = 0; board < kAttackBoards; ++board) {
    const int pin = position.layout().pins[static_cast<size_t>(board)].index();
    const int shown = viewer == Seat::kFirst ? pin : pin / 6 * 6 + 5 - pin % 6;
    planes[shown] = InView(kGame<Position>, CellsOfAttackBoard(board), viewer);
  }
  planes += kPins;
  *planes++ = cell_plane(position.pending());
  for (const Seat seat : {viewer, Other(viewer)}) {
    *planes++ = everywhere(position.can_castle_short(seat));
    *planes++ = everywhere(position.can_castle_long(seat));
  }
}

// §7.
int ClockLimit(const Position&) { return 100; }

}  // namespace triarch::tri_d
