// Defines the seven boards of Tri-D chess, their pins and the columns.

#ifndef TRIARCH_CORE_TRI_D_BOARD_H_
#define TRIARCH_CORE_TRI_D_BOARD_H_

#include <array>
#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/game/cell_set.h"
#include "core/game/seat.h"

// Three main boards are fixed; four attack boards stand on twelve pins (rules §1). Cells above one
// another form a column.
//
// 96 cells are possible, but only 64 exist at any moment: 48 on the main boards and 4 on each
// attack board. Pieces are therefore stored by *board*: a Cell is one of the 64 places on the
// boards, wherever the boards stand, and a set of cells is one word. A board move changes where the
// cells of that board are but moves no piece. Lines, the shadow and attacks use only the 60 columns
// (6 files, 10 ranks). `Layout` converts sets of cells to sets of columns and back, given the pins.
namespace triarch::tri_d {

inline constexpr int kFiles = 6;   // z a b c d e
inline constexpr int kRanks = 10;  // 0 to 9
inline constexpr int kColumns = kFiles * kRanks;
inline constexpr int kPins = 12;
inline constexpr int kAttackBoards = 4;
inline constexpr int kCells = 64;
inline constexpr int kMainCells = 48;

// All cells with the same file and rank, as rank · 6 + file.
using Column = int;
constexpr Column ColumnAt(int file, int rank) { return rank * kFiles + file; }
constexpr int FileOf(Column column) { return column % kFiles; }
constexpr int RankOf(Column column) { return column / kFiles; }
inline constexpr std::string_view kFileLetters = "zabcde";

using ColumnSet = uint64_t;  // bit: Column
constexpr ColumnSet ColumnBit(Column column) { return ColumnSet{1} << column; }

// A location for an attack board: QL1 to QL6, then KL1 to KL6.
class Pin {
 public:
  constexpr Pin() = default;
  static constexpr Pin At(int index) { return Pin(static_cast<uint8_t>(index)); }
  // `number` is 1 to 6.
  static constexpr Pin At(bool is_king_side, int number) {
    return At((is_king_side ? 6 : 0) + number - 1);
  }
  // Parses a name such as "QL1"; empty if no pin has that name.
  static std::optional<Pin> Parse(std::string_view text);
  std::string ToString() const;

  constexpr int index() const { return index_; }
  constexpr bool is_king_side() const { return index_ >= 6; }
  constexpr int number() const { return index_ % 6 + 1; }
  constexpr int first_file() const { return is_king_side() ? 4 : 0; }
  constexpr int first_rank() const {
    constexpr std::array<int, 6> kFirst = {0, 4, 2, 6, 4, 8};
    return kFirst[static_cast<size_t>(index_ % 6)];
  }

  friend constexpr auto operator<=>(Pin, Pin) = default;

 private:
  constexpr explicit Pin(uint8_t index) : index_(index) {}
  uint8_t index_ = 0;
};

// The boards: W, N, B, then WQL, WKL, BQL, BKL.
enum class Board : uint8_t { kW, kN, kB, kWql, kWkl, kBql, kBkl };
inline constexpr int kBoards = 7;
constexpr Board AttackBoard(int number) { return static_cast<Board>(3 + number); }
inline constexpr std::array<std::string_view, kBoards> kBoardNames = {"W",   "N",   "B",  "WQL",
                                                                      "WKL", "BQL", "BKL"};

constexpr std::string_view AttackBoardName(int number) {
  return kBoardNames[static_cast<size_t>(AttackBoard(number))];
}
// Returns the colour of the attack board with that number: 0 for White's, 1 for Black's.
constexpr size_t ColorOfBoard(int number) { return number < 2 ? 0 : 1; }

// A place on a board. Indices: 0..15 W, 16..31 N, 32..47 B, then four from 48 + 4 · number for each
// attack board. The places of a board are ordered by rank, then by file, like the columns.
class Cell {
 public:
  constexpr Cell() = default;
  static constexpr Cell At(int index) { return Cell(static_cast<uint8_t>(index)); }

  constexpr int index() const { return index_; }
  constexpr bool is_main() const { return index_ < kMainCells; }
  constexpr Board board() const {
    return static_cast<Board>(is_main() ? index_ / 16 : 3 + (index_ - kMainCells) / 4);
  }
  // Returns which of the four attack boards holds the cell. Requires: not is_main().
  constexpr int attack_board() const { return (index_ - kMainCells) / 4; }
  constexpr int place() const { return is_main() ? index_ % 16 : index_ % 4; }

  friend constexpr auto operator<=>(Cell, Cell) = default;

 private:
  constexpr explicit Cell(uint8_t index) : index_(index) {}
  uint8_t index_ = 0;
};

// A set of cells.
using CellSet = uint64_t;  // bit: Cell::index()
constexpr CellSet CellBit(Cell cell) { return CellSet{1} << cell.index(); }

constexpr CellSet CellsOfAttackBoard(int number) {
  return CellSet{15} << (kMainCells + 4 * number);
}
// The first cell of a board (0..6), and its number of files, which equals its number of ranks.
struct BoardShape {
  int first_cell = 0;
  int size = 0;
};
constexpr BoardShape ShapeOf(int board) {
  return board < 3 ? BoardShape{16 * board, 4} : BoardShape{kMainCells + 4 * (board - 3), 2};
}

// Calls f(Cell) for each cell until a call returns true. Returns whether one did.
template <class F>
constexpr bool AnyOf(CellSet set, F f) {
  for (; set != 0; set &= set - 1) {
    if (f(Cell::At(std::countr_zero(set)))) return true;
  }
  return false;
}

// Return the column of a place of a main board (0..2), and of a place of a board on a pin.
constexpr Column MainColumn(int board, int place) {
  return ColumnAt(1 + place % 4, 1 + 2 * board + place / 4);
}
constexpr Column PinColumn(Pin pin, int place) {
  return ColumnAt(pin.first_file() + place % 2, pin.first_rank() + place / 2);
}

struct BoardTables {
  std::array<ColumnSet, 3> main{};     // the columns of each main board
  std::array<ColumnSet, kPins> pin{};  // the columns of a board on each pin
  std::array<std::array<int8_t, 4>, kPins> pin_columns{};
  std::array<int8_t, kMainCells> main_columns{};
};

inline constexpr BoardTables kBoardTables = [] {
  BoardTables tables;
  for (int cell = 0; cell < kMainCells; ++cell) {
    const Column column = MainColumn(cell / 16, cell % 16);
    tables.main_columns[static_cast<size_t>(cell)] = static_cast<int8_t>(column);
    tables.main[static_cast<size_t>(cell / 16)] |= ColumnBit(column);
  }
  for (int pin = 0; pin < kPins; ++pin) {
    for (int place = 0; place < 4; ++place) {
      const Column column = PinColumn(Pin::At(pin), place);
      tables.pin_columns[static_cast<size_t>(pin)][static_cast<size_t>(place)] =
          static_cast<int8_t>(column);
      tables.pin[static_cast<size_t>(pin)] |= ColumnBit(column);
    }
  }
  return tables;
}();

// Convert the places of a board, one bit each, to columns and back. With shifts where the processor
// has no instruction for it, because these are the hottest of such conversions.
inline ColumnSet MainColumns(uint64_t places, size_t board) {
#ifdef __BMI2__
  return DepositBits(places, kBoardTables.main[board]);
#else
  const ColumnSet rows =
      (places & 15) | (places & 0xf0) << 2 | (places & 0xf00) << 4 | (places & 0xf000) << 6;
  return rows << MainColumn(static_cast<int>(board), 0);
#endif
}
inline uint64_t MainPlaces(ColumnSet columns, size_t board) {
#ifdef __BMI2__
  return ExtractBits(columns, kBoardTables.main[board]);
#else
  const ColumnSet rows = columns >> MainColumn(static_cast<int>(board), 0);
  return (rows & 15) | (rows >> 2 & 0xf0) | (rows >> 4 & 0xf00) | (rows >> 6 & 0xf000);
#endif
}
// `pin` is the columns of a board on the pin.
inline ColumnSet PinColumns(uint64_t places, ColumnSet pin) {
#ifdef __BMI2__
  return DepositBits(places, pin);
#else
  return ((places & 3) | (places & 12) << 4) << std::countr_zero(pin);
#endif
}
inline uint64_t PinPlaces(ColumnSet columns, ColumnSet pin) {
#ifdef __BMI2__
  return ExtractBits(columns, pin);
#else
  const ColumnSet rows = columns >> std::countr_zero(pin);
  return (rows & 3) | (rows >> 4 & 12);
#endif
}

// The pins of the four attack boards.
struct Layout {
  std::array<Pin, kAttackBoards> pins;

  constexpr Column ColumnOf(Cell cell) const {
    if (cell.is_main()) return kBoardTables.main_columns[static_cast<size_t>(cell.index())];
    const Pin pin = pins[static_cast<size_t>(cell.attack_board())];
    return kBoardTables
        .pin_columns[static_cast<size_t>(pin.index())][static_cast<size_t>(cell.place())];
  }
  // Returns all existing cells of the columns.
  CellSet CellsOf(ColumnSet columns) const {
    CellSet cells =
        MainPlaces(columns, 0) | MainPlaces(columns, 1) << 16 | MainPlaces(columns, 2) << 32;
    for (size_t i = 0; i < pins.size(); ++i) {
      cells |= PinPlaces(columns, kBoardTables.pin[static_cast<size_t>(pins[i].index())])
               << (kMainCells + 4 * i);
    }
    return cells;
  }
  // The columns that contain some of the cells, and those that contain at least two.
  struct Columns {
    ColumnSet any = 0;
    ColumnSet several = 0;
  };
  Columns ColumnsOf(CellSet cells) const {
    Columns columns;
    const auto add = [&](ColumnSet part) {
      columns.several |= columns.any & part;
      columns.any |= part;
    };
    for (size_t i = 0; i < 3; ++i) add(MainColumns(cells >> (16 * i), i));
    for (size_t i = 0; i < pins.size(); ++i) {
      add(PinColumns(cells >> (kMainCells + 4 * i),
                     kBoardTables.pin[static_cast<size_t>(pins[i].index())]));
    }
    return columns;
  }
  // Returns the number of the attack board on the pin, or -1.
  constexpr int BoardOn(Pin pin) const {
    for (size_t i = 0; i < pins.size(); ++i) {
      if (pins[i] == pin) return static_cast<int>(i);
    }
    return -1;
  }
  // Returns the pins that hold a board. Bit: Pin::index().
  constexpr unsigned taken() const {
    unsigned taken = 0;
    for (const Pin pin : pins) taken |= 1u << pin.index();
    return taken;
  }
  constexpr bool is_taken(Pin pin) const { return (taken() >> pin.index() & 1) != 0; }
  // Returns the columns where the seat's pawns currently promote, with or without cells (§4): the
  // outermost rank of z and e, and of a and d, where it exists only with a board; the last rank of
  // the main boards for b and c; and that for a and d, unless a board stands above it.
  constexpr ColumnSet PromotionColumns(Seat seat) const {
    constexpr std::array<ColumnSet, 2> kAlways = {
        ColumnSet{0b00'11'00} << ColumnAt(0, 8) | ColumnSet{0b11'00'11} << ColumnAt(0, 9),
        ColumnSet{0b00'11'00} << ColumnAt(0, 1) | ColumnSet{0b11'00'11} << ColumnAt(0, 0)};
    const bool is_first = seat == Seat::kFirst;
    const int rank = is_first ? 8 : 1;
    const unsigned taken = this->taken() >> (is_first ? 5 : 0);  // the pins number 6 or 1
    return kAlways[Index(seat)] | ColumnSet{~taken & 1} << ColumnAt(1, rank) |
           ColumnSet{~taken >> 6 & 1} << ColumnAt(4, rank);
  }

  friend constexpr bool operator==(const Layout&, const Layout&) = default;
};

}  // namespace triarch::tri_d

#endif  // TRIARCH_CORE_TRI_D_BOARD_H_
