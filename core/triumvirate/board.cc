#include "core/triumvirate/board.h"

#include <bit>
#include <cstdlib>

#include "core/game/ray.h"
#include "core/triumvirate/attacks.h"
#include "core/triumvirate/geometry.h"

namespace triarch::triumvirate {
namespace {

// §1: the letters of each sector's local columns, the number of its local row 0, and the direction
// of its row numbers.
constexpr std::array<std::string_view, 3> kColumnLetters = {"ABCDEFGH", "LKJIDCBA", "HGFEIJKL"};
constexpr std::array<int, 3> kBaseNumber = {1, 8, 12};
constexpr std::array<int, 3> kNumberStep = {1, -1, -1};

enum class Heading { kLeft, kRight, kInward, kOutward };
constexpr std::array kHeadings = {Heading::kLeft, Heading::kRight, Heading::kInward,
                                  Heading::kOutward};

struct Step {
  Cell cell;
  Heading heading;  // after the step: outward if the step crossed a front
};

// Returns the cell across the front from a cell of local row 3: `(sector, c, 3)` borders on
// `(neighbour, 7 − c, 3)`.
constexpr Cell Across(Cell cell) {
  return Cell::At(cell.bridge_neighbor(), kColumns - 1 - cell.column(), kRows - 1);
}

constexpr std::optional<Step> Walk(Cell cell, Heading heading) {
  const Seat sector = cell.sector();
  const int column = cell.column();
  const int row = cell.row();
  switch (heading) {
    case Heading::kLeft:
      if (column == 0) return std::nullopt;
      return Step{Cell::At(sector, column - 1, row), heading};
    case Heading::kRight:
      if (column == kColumns - 1) return std::nullopt;
      return Step{Cell::At(sector, column + 1, row), heading};
    case Heading::kOutward:
      if (row == 0) return std::nullopt;
      return Step{Cell::At(sector, column, row - 1), heading};
    case Heading::kInward:
      if (row == kRows - 1) return Step{Across(cell), Heading::kOutward};
      return Step{Cell::At(sector, column, row + 1), heading};
  }
  return std::nullopt;
}

constexpr std::array<Heading, 2> Perpendicular(Heading heading) {
  if (heading == Heading::kLeft || heading == Heading::kRight) {
    return {Heading::kInward, Heading::kOutward};
  }
  return {Heading::kLeft, Heading::kRight};
}

constexpr CellSet OrthogonalNeighbors(Cell cell) {
  CellSet set;
  for (const Heading heading : kHeadings) {
    if (const auto step = Walk(cell, heading)) set |= CellSet::Of(step->cell);
  }
  return set;
}

// Returns the cells one orthogonal step and one perpendicular step away, in either order.
constexpr CellSet DiagonalNeighbors(Cell cell) {
  CellSet set;
  for (const Heading heading : kHeadings) {
    const auto first = Walk(cell, heading);
    if (!first) continue;
    for (const Heading turn : Perpendicular(first->heading)) {
      if (const auto second = Walk(first->cell, turn)) set |= CellSet::Of(second->cell);
    }
  }
  return set;
}

// Returns the cells two steps in one direction and one to the side away, or one step and two.
constexpr CellSet KnightTargets(Cell cell) {
  CellSet set;
  for (const Heading heading : kHeadings) {
    const auto first = Walk(cell, heading);
    if (!first) continue;
    if (const auto second = Walk(first->cell, first->heading)) {
      for (const Heading turn : Perpendicular(second->heading)) {
        if (const auto third = Walk(second->cell, turn)) set |= CellSet::Of(third->cell);
      }
    }
    for (const Heading turn : Perpendicular(first->heading)) {
      const auto second = Walk(first->cell, turn);
      if (!second) continue;
      if (const auto third = Walk(second->cell, second->heading)) set |= CellSet::Of(third->cell);
    }
  }
  return set;
}

// No ray is longer than seven cells.
using Ray = triarch::Ray<Cell, 7>;

constexpr Ray RookRay(Cell cell, Heading heading) {
  Ray ray;
  for (auto step = Walk(cell, heading); step; step = Walk(step->cell, step->heading)) {
    ray.Add(step->cell);
  }
  return ray;
}

// Appends the diagonal from `cell` (inclusive) to the base row, which moves `side` columns per row.
constexpr void AddOutward(Ray& ray, Cell cell, int side) {
  int column = cell.column();
  for (int row = cell.row(); row >= 0 && column >= 0 && column < kColumns; --row, column += side) {
    ray.Add(Cell::At(cell.sector(), column, row));
  }
}

// An inward diagonal: one ray, or two if it meets the centre point.
struct InwardRays {
  std::array<Ray, 2> rays{};
  size_t count = 0;
};

constexpr InwardRays BishopInward(Cell cell, int side) {
  Ray trunk;
  int column = cell.column();
  for (int row = cell.row(); row < kRows - 1; ++row) {
    column += side;
    if (column < 0 || column >= kColumns) return {{trunk, {}}, 1};
    trunk.Add(Cell::At(cell.sector(), column, row + 1));
  }
  if (column + side < 0 || column + side >= kColumns) return {{trunk, {}}, 1};
  // Cross the front in both orders: first over and then to the side, and vice versa. The results
  // differ only at the centre. The neighbour's columns run in the opposite direction.
  const Cell front = Cell::At(cell.sector(), column, kRows - 1);
  const Cell over = Across(front);
  const Cell first = Cell::At(over.sector(), over.column() - side, kRows - 1);
  const Cell second = Across(Cell::At(cell.sector(), column + side, kRows - 1));
  InwardRays result{{trunk, trunk}, first == second ? size_t{1} : size_t{2}};
  AddOutward(result.rays[0], first, -side);
  AddOutward(result.rays[1], second, -side);
  return result;
}

constexpr Ray BishopOutward(Cell cell, int side) {
  Ray ray;
  if (cell.row() == 0 || cell.column() + side < 0 || cell.column() + side >= kColumns) return ray;
  AddOutward(ray, Cell::At(cell.sector(), cell.column() + side, cell.row() - 1), side);
  return ray;
}

// Returns a subset of `cells`, one bit per cell in index order.
constexpr uint8_t BitsOf(CellSet subset, CellSet cells) {
  unsigned bits = 0;
  unsigned bit = 1;
  for (const Cell cell : cells) {
    if (subset.contains(cell)) bits |= bit;
    bit <<= 1;
  }
  return static_cast<uint8_t>(bits);
}

// Fills the tables span by span.
class Builder {
 public:
  constexpr explicit Builder(AttackTables& tables) : tables_(tables) {}

  constexpr void AddCell(Cell cell) {
    const size_t at = static_cast<size_t>(cell.index());
    AddSpan(cell, 0, RookRay(cell, Heading::kLeft), RookRay(cell, Heading::kRight));
    AddSpan(cell, 1, RookRay(cell, Heading::kInward), RookRay(cell, Heading::kOutward));
    // An inward diagonal continues the outward diagonal of the opposite side.
    const InwardRays left = BishopInward(cell, -1);
    const InwardRays right = BishopInward(cell, +1);
    AddSpan(cell, 2, left.rays[0], BishopOutward(cell, +1));
    AddSpan(cell, 3, right.rays[0], BishopOutward(cell, -1));
    AddSpan(cell, 4, left.count == 2 ? left.rays[1] : Ray(),
            right.count == 2 ? right.rays[1] : Ray());
    tables_.knight[at] = KnightTargets(cell);
    tables_.king[at] = OrthogonalNeighbors(cell) | DiagonalNeighbors(cell);
    AddPawn(cell);
  }

  // Requires: all cells have been added.
  constexpr void AddNearKings() {
    for (size_t k = 0; k < kCells; ++k) {
      NearKing& near = tables_.near_king[k];
      for (const Cell cell : tables_.king[k]) {
        const size_t at = static_cast<size_t>(cell.index());
        near.knights |= tables_.knight[at];
        near.kings |= tables_.king[at];
        near.pawns |= tables_.pawn_capturers[0][at] | tables_.pawn_capturers[1][at];
        near.rooks |= tables_.rook_lines[at];
        near.bishops |= tables_.bishop_lines[at];
      }
    }
  }

  constexpr size_t entries() const { return entries_; }

 private:
  constexpr void AddSpan(Cell cell, size_t number, const Ray& a, const Ray& b) {
    const size_t at = static_cast<size_t>(cell.index());
    Span& span = tables_.spans[at][number];
    const CellSet hiding = a.hiding() | b.hiding();
    const CellSet cells = a.Reached({}) | b.Reached({});
    if (cells.size() > 8) throw "";  // not a constant expression: fails to compile
    span = {.hiding_low = hiding.low,
            .cells_low = cells.low,
            .hiding_high = static_cast<uint32_t>(hiding.high),
            .cells_high = static_cast<uint32_t>(cells.high),
            .offset = static_cast<uint16_t>(entries_),
            .hiding_low_count = static_cast<uint8_t>(std::popcount(hiding.low)),
            .cells_low_count = static_cast<uint8_t>(std::popcount(cells.low))};
    CellSet occupied;
    do {
      tables_.reached[entries_++] = BitsOf(a.Reached(occupied) | b.Reached(occupied), cells);
      occupied = NextSubset(hiding, occupied);
    } while (!occupied.empty());
    CellSet& lines = number < 2 ? tables_.rook_lines[at] : tables_.bishop_lines[at];
    lines |= cells;
    a.WriteBetween(tables_.between[at]);
    b.WriteBetween(tables_.between[at]);
  }

  // §4: captures go to the diagonal neighbours one row ahead. Over a front, these are all diagonal
  // neighbours in another sector: two or, from a centre cell, three.
  constexpr void AddPawn(Cell cell) {
    const size_t at = static_cast<size_t>(cell.index());
    for (const size_t homeward : {size_t{0}, size_t{1}}) {
      const auto step = Walk(cell, homeward == 1 ? Heading::kOutward : Heading::kInward);
      tables_.pawn_step[homeward][at] = static_cast<int8_t>(step ? step->cell.index() : -1);
      if (!step) continue;
      const bool is_crossing = step->cell.sector() != cell.sector();
      for (const Cell to : DiagonalNeighbors(cell)) {
        const bool is_ahead = is_crossing
                                  ? to.sector() != cell.sector()
                                  : to.sector() == cell.sector() && to.row() == step->cell.row();
        if (!is_ahead) continue;
        tables_.pawn_captures[homeward][at] |= CellSet::Of(to);
        tables_.pawn_capturers[homeward][static_cast<size_t>(to.index())] |= CellSet::Of(cell);
      }
    }
  }

  AttackTables& tables_;
  size_t entries_ = 0;
};

constexpr AttackTables BuildTables() {
  AttackTables tables;
  Builder builder(tables);
  for (int i = 0; i < kCells; ++i) builder.AddCell(Cell::At(i));
  builder.AddNearKings();
  if (builder.entries() != kSpanEntries) throw "";  // not a constant expression: fails to compile
  return tables;
}

void AddRay(const Ray& ray, std::vector<CellLine>& rays) {
  if (ray.length == 0) return;
  CellLine& line = rays.emplace_back();
  for (size_t i = 0; i < ray.length; ++i) line.push_back(ray.cells[i].index());
}

}  // namespace

CellSet OrthogonalNeighborsOf(Cell cell) { return OrthogonalNeighbors(cell); }
CellSet DiagonalNeighborsOf(Cell cell) { return DiagonalNeighbors(cell); }

std::vector<CellLine> RookRaysOf(Cell cell) {
  std::vector<CellLine> rays;
  for (const Heading heading : kHeadings) AddRay(RookRay(cell, heading), rays);
  return rays;
}

std::vector<CellLine> BishopRaysOf(Cell cell) {
  std::vector<CellLine> rays;
  for (const int side : {-1, +1}) {
    const InwardRays inward = BishopInward(cell, side);
    for (size_t i = 0; i < inward.count; ++i) AddRay(inward.rays[i], rays);
    AddRay(BishopOutward(cell, side), rays);
  }
  return rays;
}

constinit const AttackTables kAttacks = BuildTables();

int Cell::letter() const {
  return kColumnLetters[Index(sector())][static_cast<size_t>(column())] - 'A';
}

int Cell::number() const {
  return kBaseNumber[Index(sector())] + row() * kNumberStep[Index(sector())];
}

constinit const std::array<std::array<char, Cell::kNameMax + 1>, kCells> Cell::kNames = [] {
  std::array<std::array<char, kNameMax + 1>, kCells> names{};
  for (int i = 0; i < kCells; ++i) {
    const size_t sector = Index(Cell::At(i).sector());
    const int number = kBaseNumber[sector] + Cell::At(i).row() * kNumberStep[sector];
    auto& name = names[static_cast<size_t>(i)];
    size_t size = 0;
    name[size++] = kColumnLetters[sector][static_cast<size_t>(Cell::At(i).column())];
    if (number >= 10) name[size++] = '1';
    name[size++] = static_cast<char>('0' + number % 10);
    name[kNameMax] = static_cast<char>(size);
  }
  return names;
}();

std::string Cell::ToString() const {
  char text[kNameMax];
  return {text, Write(text)};
}

std::optional<Cell> Cell::Parse(std::string_view text) {
  if (text.size() < 2 || text.size() > 3) return std::nullopt;
  int number = 0;
  for (const char c : text.substr(1)) {
    if (c < '0' || c > '9') return std::nullopt;
    number = number * 10 + (c - '0');
  }
  if (text[1] == '0') return std::nullopt;  // "A01" is not a cell name
  for (size_t sector = 0; sector < 3; ++sector) {
    const size_t column = kColumnLetters[sector].find(text[0]);
    const int row = (number - kBaseNumber[sector]) * kNumberStep[sector];
    if (column != std::string_view::npos && row >= 0 && row < kRows) {
      return At(SeatAt(sector), static_cast<int>(column), row);
    }
  }
  return std::nullopt;
}

}  // namespace triarch::triumvirate
