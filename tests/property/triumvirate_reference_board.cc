#include "tests/property/triumvirate_reference_board.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace triarch::triumvirate_reference {
namespace {

constexpr int kColumns = 8;
constexpr int kRows = 4;

constexpr std::array<std::string_view, 3> kColumnLetters = {"ABCDEFGH", "LKJIDCBA", "HGFEIJKL"};
// The neighbouring sector across columns 0-3 and across columns 4-7.
constexpr std::array<std::array<int, 2>, 3> kNeighbours = {{{1, 2}, {2, 0}, {0, 1}}};

int RowNumber(int sector, int row) {
  switch (sector) {
    case 0:
      return 1 + row;
    case 1:
      return 8 - row;
    default:
      return 12 - row;
  }
}

// A piece moving step by step. Directions are relative to the starting cell; crossing a front
// rotates the local directions, which `turned` records.
struct Walker {
  int sector;
  int column;
  int row;
  bool turned = false;

  int cell() const { return CellAt(sector, column, row); }
};

struct Direction {
  int column;
  int row;
};

constexpr std::array<Direction, 4> kOrthogonal = {{{1, 0}, {-1, 0}, {0, 1}, {0, -1}}};
constexpr std::array<Direction, 4> kDiagonal = {{{1, 1}, {1, -1}, {-1, 1}, {-1, -1}}};

Walker StandOn(int cell) { return {SectorOf(cell), ColumnOf(cell), RowOf(cell)}; }

std::optional<Walker> Step(Walker walker, Direction direction) {
  const int sign = walker.turned ? -1 : 1;
  walker.column += sign * direction.column;
  walker.row += sign * direction.row;
  if (walker.column < 0 || walker.column >= kColumns || walker.row < 0) return std::nullopt;
  if (walker.row < kRows) return walker;
  return Walker{OppositeOf(CellAt(walker.sector, walker.column, kRows - 1)),
                kColumns - 1 - walker.column, kRows - 1, !walker.turned};
}

std::optional<Walker> Walk(Walker walker, const std::vector<Direction>& steps) {
  std::optional<Walker> here = walker;
  for (const Direction step : steps) {
    if (here) here = Step(*here, step);
  }
  return here;
}

// Takes one orthogonal and one perpendicular step, in either order: two different results at the
// centre.
std::vector<Walker> StepDiagonally(const Walker& walker, Direction direction) {
  const Direction along{direction.column, 0};
  const Direction up{0, direction.row};
  const std::optional<Walker> first = Walk(walker, {along, up});
  const std::optional<Walker> second = Walk(walker, {up, along});
  std::vector<Walker> ends;
  if (first) ends.push_back(*first);
  if (second && (!first || first->cell() != second->cell())) ends.push_back(*second);
  return ends;
}

using Lines = PerCell<std::vector<Between>>;

// Records a line. The branches of a split ray share their first part, which is recorded only once.
void NoteLine(int to, const Between& between, Lines& lines) {
  std::vector<Between>& ways = lines[to];
  if (std::find(ways.begin(), ways.end(), between) == ways.end()) ways.push_back(between);
}

void FollowRook(const Walker& here, Direction direction, Between passed, Lines& lines) {
  const std::optional<Walker> next = Step(here, direction);
  if (!next) return;
  NoteLine(next->cell(), passed, lines);
  passed.push_back(next->cell());
  FollowRook(*next, direction, std::move(passed), lines);
}

void FollowBishop(const Walker& here, Direction direction, const Between& passed, Lines& lines) {
  for (const Walker& next : StepDiagonally(here, direction)) {
    NoteLine(next.cell(), passed, lines);
    Between further = passed;
    further.push_back(next.cell());
    FollowBishop(next, direction, further, lines);
  }
}

// Records the cells two steps in one direction and one perpendicular, or one step and then two.
void NoteKnight(const Walker& start, PerCell<bool>& reached) {
  for (const Direction d : kDiagonal) {
    const Direction along{d.column, 0};
    const Direction up{0, d.row};
    for (const auto& steps : std::vector<std::vector<Direction>>{
             {along, along, up}, {up, up, along}, {along, up, up}, {up, along, along}}) {
      const std::optional<Walker> end = Walk(start, steps);
      if (end) reached[end->cell()] = true;
    }
  }
}

void NotePawn(const Walker& start, int heading, PerHeading<int>& push,
              PerHeading<std::vector<int>>& captures) {
  const int row = heading == kToFront ? 1 : -1;
  const std::optional<Walker> ahead = Step(start, {0, row});
  push[heading] = ahead ? ahead->cell() : kNowhere;
  for (const int column : {-1, 1}) {
    for (const Walker& end : StepDiagonally(start, {column, row})) {
      captures[heading].push_back(end.cell());
    }
  }
}

void NoteCell(int cell, Geometry& geometry) {
  const int from = cell;
  const Walker start = StandOn(cell);
  for (const Direction direction : kOrthogonal) {
    FollowRook(start, direction, {}, geometry.rook[from]);
    if (const std::optional<Walker> next = Step(start, direction)) {
      geometry.king[from][next->cell()] = true;
      geometry.orthogonal_step[from][next->cell()] = true;
    }
  }
  for (const Direction direction : kDiagonal) {
    FollowBishop(start, direction, {}, geometry.bishop[from]);
    for (const Walker& next : StepDiagonally(start, direction)) {
      geometry.king[from][next.cell()] = true;
    }
  }
  NoteKnight(start, geometry.knight[from]);
  for (const int heading : {kToBaseRow, kToFront}) {
    NotePawn(start, heading, geometry.pawn_push[from], geometry.pawn_captures[from]);
  }
}

const Geometry* MakeGeometry() {
  auto* geometry = new Geometry;
  for (int cell = 0; cell < kCells; ++cell) {
    NoteCell(cell, *geometry);
    geometry->by_name.push_back(cell);
  }
  const auto key = [](int cell) {
    return std::pair(CellName(cell).front(), RowNumber(SectorOf(cell), RowOf(cell)));
  };
  std::sort(geometry->by_name.begin(), geometry->by_name.end(),
            [&](int a, int b) { return key(a) < key(b); });
  return geometry;
}

}  // namespace

int CellAt(int sector, int column, int row) { return (sector * kRows + row) * kColumns + column; }
int SectorOf(int cell) { return cell / (kRows * kColumns); }
int ColumnOf(int cell) { return cell % kColumns; }
int RowOf(int cell) { return cell / kColumns % kRows; }

int OppositeOf(int cell) { return kNeighbours[SectorOf(cell)][ColumnOf(cell) < 4 ? 0 : 1]; }

std::string CellName(int cell) {
  const int sector = SectorOf(cell);
  const char letter = kColumnLetters[sector][ColumnOf(cell)];
  return letter + std::to_string(RowNumber(SectorOf(cell), RowOf(cell)));
}

int CellNamed(std::string_view name) {
  static const auto& names = *[] {
    auto* made = new PerCell<std::string>;
    for (int cell = 0; cell < kCells; ++cell) (*made)[cell] = CellName(cell);
    return made;
  }();
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? kNowhere : static_cast<int>(found - names.begin());
}

const Geometry& Board() {
  static const Geometry& geometry = *MakeGeometry();
  return geometry;
}

}  // namespace triarch::triumvirate_reference
