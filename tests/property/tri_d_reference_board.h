// Provides cells, boards and pieces for the reference implementation of Tri-D chess.

#ifndef TRIARCH_TESTS_PROPERTY_TRI_D_REFERENCE_BOARD_H_
#define TRIARCH_TESTS_PROPERTY_TRI_D_REFERENCE_BOARD_H_

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/check.h"
#include "tests/property/tri_d_reference.h"

namespace triarch::tri_d_reference {

inline constexpr std::string_view kFileLetters = "zabcde";
inline constexpr int kWhite = 0;
inline constexpr int kBlack = 1;
inline constexpr int kMainBoards = 3;
inline constexpr int kPinNumbers = 6;
inline int CellAt(int file, int rank, int level) {
  return (file * kRanks + rank) * kLevels + level;
}
inline int FileOf(int cell) { return cell / (kRanks * kLevels); }
inline int RankOf(int cell) { return cell / kLevels % kRanks; }
inline int LevelOf(int cell) { return cell % kLevels; }
inline bool SameColumn(int a, int b) { return a / kLevels == b / kLevels; }

// Returns the level of "QL1".
inline int PinLevel(char side, int number) {
  return kMainBoards + (side == 'K' ? kPinNumbers : 0) + number - 1;
}
inline bool IsPin(int level) { return level >= kMainBoards; }
inline char SideOfPin(int level) { return level < kMainBoards + kPinNumbers ? 'Q' : 'K'; }
inline int NumberOfPin(int level) { return (level - kMainBoards) % kPinNumbers + 1; }

struct Area {
  int file;  // of the corner with the lowest file and rank
  int rank;
  int size;
};

inline constexpr std::array<Area, kLevels> kAreas = {{
    {1, 1, 4},  // W
    {1, 3, 4},  // N
    {1, 5, 4},  // B
    {0, 0, 2},  // QL1
    {0, 4, 2},  // QL2
    {0, 2, 2},  // QL3
    {0, 6, 2},  // QL4
    {0, 4, 2},  // QL5
    {0, 8, 2},  // QL6
    {4, 0, 2},  // KL1
    {4, 4, 2},  // KL2
    {4, 2, 2},  // KL3
    {4, 6, 2},  // KL4
    {4, 4, 2},  // KL5
    {4, 8, 2},  // KL6
}};

inline bool IsOccupiedPin(const State& state, int level) {
  return std::find(state.pins.begin(), state.pins.end(), level) != state.pins.end();
}

// Returns the levels that have a board, in the order of the blocks of a placement.
inline std::array<int, kMainBoards + kAttackBoards> Levels(const State& state) {
  return {0, 1, 2, state.pins[0], state.pins[1], state.pins[2], state.pins[3]};
}

// The existing cells of one file and rank: at most four, none off the map.
class Column {
 public:
  Column(const State& state, int file, int rank) {
    for (const int level : Levels(state)) {
      const Area& area = kAreas[level];
      if (file >= area.file && file < area.file + area.size && rank >= area.rank &&
          rank < area.rank + area.size) {
        cells_.at(size_++) = CellAt(file, rank, level);
      }
    }
  }

  const int* begin() const { return cells_.data(); }
  const int* end() const { return cells_.data() + size_; }

 private:
  std::array<int, 4> cells_{};
  size_t size_ = 0;
};

// Returns the cells of a board on that level.
inline std::vector<int> CellsOfLevel(int level) {
  std::vector<int> cells;
  const Area& area = kAreas[level];
  for (int file = area.file; file < area.file + area.size; ++file) {
    for (int rank = area.rank; rank < area.rank + area.size; ++rank) {
      cells.push_back(CellAt(file, rank, level));
    }
  }
  return cells;
}

// Returns all existing cells.
inline std::vector<int> AllCells(const State& state) {
  std::vector<int> cells;
  cells.reserve(64);
  for (const int level : Levels(state)) {
    const Area& area = kAreas[level];
    for (int i = 0; i < area.size * area.size; ++i) {
      cells.push_back(CellAt(area.file + i % area.size, area.rank + i / area.size, level));
    }
  }
  return cells;
}

inline std::string LevelName(int level) {
  if (!IsPin(level)) return std::string(1, "WNB"[level]);
  return std::string(1, SideOfPin(level)) + 'L' + std::to_string(NumberOfPin(level));
}

inline std::string CellName(int cell) {
  return std::string(1, kFileLetters[static_cast<size_t>(FileOf(cell))]) +
         std::to_string(RankOf(cell)) + LevelName(LevelOf(cell));
}

inline int LevelNamed(std::string_view name) {
  for (int level = 0; level < kLevels; ++level) {
    if (LevelName(level) == name) return level;
  }
  CHECK(false && "no such level");
  return kNowhere;
}

inline int CellNamed(std::string_view name) {
  for (int cell = 0; cell < kCells; ++cell) {
    if (CellName(cell) == name) return cell;
  }
  CHECK(false && "no such cell");
  return kNowhere;
}

inline bool IsWhiteLetter(char piece) { return piece >= 'A' && piece <= 'Z'; }
inline int OwnerOf(char piece) { return IsWhiteLetter(piece) ? kWhite : kBlack; }
inline char ToBlack(char piece) { return static_cast<char>(piece - 'A' + 'a'); }
inline char PieceOf(int seat, char type) { return seat == kWhite ? type : ToBlack(type); }

// Returns K Q R B N P; pawns with and without their double step are both P.
inline char TypeOf(char piece) {
  const char type = IsWhiteLetter(piece) ? piece : static_cast<char>(piece - 'a' + 'A');
  return type == 'D' ? 'P' : type;
}

inline bool HasDoubleStep(char piece) { return piece == 'D' || piece == 'd'; }
inline int Forward(int seat) { return seat == kWhite ? 1 : -1; }

inline bool IsEmpty(const State& state, int cell) { return state.cells[cell] == kNoPiece; }
inline bool Belongs(const State& state, int cell, int seat) {
  return !IsEmpty(state, cell) && OwnerOf(state.cells[cell]) == seat;
}
inline bool IsPawn(const State& state, int cell) {
  return !IsEmpty(state, cell) && TypeOf(state.cells[cell]) == 'P';
}

inline bool IsShadowed(const State& state, const Column& column) {
  return std::any_of(column.begin(), column.end(), [&](int cell) { return !IsEmpty(state, cell); });
}

inline int KingOf(const State& state, int seat) {
  for (const int cell : AllCells(state)) {
    if (state.cells[cell] == PieceOf(seat, 'K')) return cell;
  }
  CHECK(false && "no king");
  return kNowhere;
}

}  // namespace triarch::tri_d_reference

#endif  // TRIARCH_TESTS_PROPERTY_TRI_D_REFERENCE_BOARD_H_
