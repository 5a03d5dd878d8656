#include "core/three_way/board.h"

#include <algorithm>
#include <bit>

#include "core/game/ray.h"
#include "core/three_way/attacks.h"
#include "core/three_way/geometry.h"

namespace triarch::three_way {
namespace {

// §2: directions in pairs of opposites.
constexpr std::array<Hex, 6> kRookSteps = {
    {{1, 0, -1}, {-1, 0, 1}, {1, -1, 0}, {-1, 1, 0}, {0, -1, 1}, {0, 1, -1}}};
constexpr std::array<Hex, 6> kBishopSteps = {
    {{2, -1, -1}, {-2, 1, 1}, {1, -2, 1}, {-1, 2, -1}, {-1, -1, 2}, {1, 1, -2}}};
// The steps of White's pawns; those of the others are rotated.
constexpr Hex kPawnForward = {0, 1, -1};
constexpr std::array<Hex, 2> kPawnCaptures = {{{-1, 2, -1}, {1, 1, -2}}};

constexpr size_t IndexOf(Cell cell) { return static_cast<size_t>(cell.index()); }

constexpr std::optional<Cell> Step(Cell cell, Hex step) { return Cell::At(cell.hex() + step); }

constexpr Hex Turned(Hex hex, Seat seat) {
  for (size_t i = 0; i < Index(seat); ++i) hex = hex.Rotated();
  return hex;
}

constexpr bool IsKnightsMove(Hex step) {
  const auto size = [](int x) { return x < 0 ? -x : x; };
  const int q = size(step.q);
  const int r = size(step.r);
  const int s = size(step.s);
  return q * r * s == 6 && q + r + s == 6;
}

constexpr CellSet KnightTargets(Cell cell) {
  CellSet set;
  for (int i = 0; i < kCells; ++i) {
    if (IsKnightsMove(Cell::At(i).hex() - cell.hex())) set |= CellSet::Of(Cell::At(i));
  }
  return set;
}

constexpr CellSet KingTargets(Cell cell) {
  CellSet set;
  for (const auto& steps : {kRookSteps, kBishopSteps}) {
    for (const Hex step : steps) {
      if (const auto to = Step(cell, step)) set |= CellSet::Of(*to);
    }
  }
  return set;
}

// No line has more than twelve cells.
using Ray = triarch::Ray<Cell, 11>;

constexpr Ray RayFrom(Cell cell, Hex step) {
  Ray ray;
  for (auto to = Step(cell, step); to; to = Step(*to, step)) ray.Add(*to);
  return ray;
}

// Fills the tables cell by cell.
class Builder {
 public:
  constexpr explicit Builder(AttackTables& tables) : tables_(tables) {}

  constexpr void AddCell(Cell cell) {
    for (size_t pair = 0; pair < 3; ++pair) {
      AddLine(cell, pair, kRookSteps[2 * pair], kRookSteps[2 * pair + 1]);
      AddLine(cell, 3 + pair, kBishopSteps[2 * pair], kBishopSteps[2 * pair + 1]);
    }
    tables_.knight[IndexOf(cell)] = KnightTargets(cell);
    tables_.king[IndexOf(cell)] = KingTargets(cell);
    for (size_t seat = 0; seat < kSeatsMax; ++seat) AddPawn(SeatAt(seat), cell);
  }
  // Requires: all cells have been added.
  constexpr void AddNear(Cell cell) {
    const size_t at = IndexOf(cell);
    for (const Cell step : tables_.king[at]) {
      tables_.knights_near[at] |= tables_.knight[IndexOf(step)];
      tables_.kings_near[at] |= tables_.king[IndexOf(step)];
      for (size_t i = 0; i < kSeatsMax; ++i) {
        tables_.pawns_near[SeatAt(i)][at] |= tables_.pawn_capturers[SeatAt(i)][IndexOf(step)];
      }
    }
  }
  constexpr void AddEnPassant(Cell passed) {
    const int victim = tables_.pawn_step[passed.third()][IndexOf(passed)];
    for (size_t i = 0; i < kSeatsMax; ++i) {
      tables_.en_passant_from[SeatAt(i)][IndexOf(passed)] =
          victim < 0 ? int8_t{-1} : tables_.pawn_step_back[SeatAt(i)][static_cast<size_t>(victim)];
    }
  }

  constexpr bool is_complete() const { return entries_ == kLineEntries && sets_ == kLineSets; }

 private:
  constexpr void AddLine(Cell cell, size_t number, Hex step, Hex back) {
    const size_t at = IndexOf(cell);
    const Ray a = RayFrom(cell, step);
    const Ray b = RayFrom(cell, back);
    Line& line = tables_.lines[at][number];
    line.hiding = a.hiding() | b.hiding();
    line.hiding_low = static_cast<uint16_t>(std::popcount(line.hiding.low));
    line.offset = static_cast<uint32_t>(entries_);
    line.set_offset = static_cast<uint16_t>(sets_);
    // A ray reaches at least one cell, unless it has none.
    const size_t first_a = std::min<size_t>(a.length, 1);
    const size_t first_b = std::min<size_t>(b.length, 1);
    const size_t row = b.length - first_b + 1;
    for (size_t i = first_a; i <= a.length; ++i) {
      for (size_t j = first_b; j <= b.length; ++j) {
        tables_.line_sets[sets_++] = a.firsts[i] | b.firsts[j];
      }
    }
    CellSet occupied;
    do {
      tables_.line_entries[entries_++] = static_cast<uint8_t>(
          (a.CountReached(occupied) - first_a) * row + b.CountReached(occupied) - first_b);
      occupied = NextSubset(line.hiding, occupied);
    } while (!occupied.empty());
    (number < 3 ? tables_.rook_lines[at] : tables_.bishop_lines[at]) |=
        a.Reached({}) | b.Reached({});
    a.WriteBetween(tables_.between[at]);
    b.WriteBetween(tables_.between[at]);
  }

  constexpr void AddPawn(Seat seat, Cell cell) {
    const size_t at = IndexOf(cell);
    const Hex forward = Turned(kPawnForward, seat);
    const auto front = Step(cell, forward);
    const auto behind = Cell::At(cell.hex() - forward);
    tables_.pawn_step[seat][at] = static_cast<int8_t>(front ? front->index() : -1);
    tables_.pawn_step_back[seat][at] = static_cast<int8_t>(behind ? behind->index() : -1);
    if (!front) {
      tables_.promotion[seat] |= CellSet::Of(cell);
      return;
    }
    for (const Hex step : kPawnCaptures) {
      const auto to = Step(cell, Turned(step, seat));
      if (!to) continue;
      tables_.pawn_captures[seat][at] |= CellSet::Of(*to);
      tables_.pawn_capturers[seat][IndexOf(*to)] |= CellSet::Of(cell);
    }
  }

  AttackTables& tables_;
  size_t entries_ = 0;
  size_t sets_ = 0;
};

constexpr AttackTables BuildTables() {
  AttackTables tables;
  Builder builder(tables);
  for (int i = 0; i < kCells; ++i) builder.AddCell(Cell::At(i));
  for (int i = 0; i < kCells; ++i) {
    builder.AddNear(Cell::At(i));
    builder.AddEnPassant(Cell::At(i));
  }
  if (!builder.is_complete()) throw "";  // not a constant expression: fails to compile
  return tables;
}

std::vector<CellLine> RaysOf(Cell cell, const std::array<Hex, 6>& steps) {
  std::vector<CellLine> rays;
  for (const Hex step : steps) {
    const Ray ray = RayFrom(cell, step);
    if (ray.length == 0) continue;
    CellLine& line = rays.emplace_back();
    for (size_t i = 0; i < ray.length; ++i) line.push_back(ray.cells[i].index());
  }
  return rays;
}

}  // namespace

std::vector<CellLine> RookRaysOf(Cell cell) { return RaysOf(cell, kRookSteps); }
std::vector<CellLine> BishopRaysOf(Cell cell) { return RaysOf(cell, kBishopSteps); }

constinit const AttackTables kAttacks = BuildTables();

constinit const std::array<std::array<char, Cell::kNameMax + 1>, kCells> Cell::kNames = [] {
  std::array<std::array<char, kNameMax + 1>, kCells> names{};
  for (int i = 0; i < kCells; ++i) {
    const Hex hex = Cell::At(i).hex();
    const int rank = hex.r + 8;
    auto& name = names[static_cast<size_t>(i)];
    size_t size = 0;
    name[size++] = static_cast<char>('a' + hex.q + 7);
    if (rank >= 10) name[size++] = '1';
    name[size++] = static_cast<char>('0' + rank % 10);
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
  const int file = (text[0] >= 'A' && text[0] <= 'O' ? text[0] - 'A' : text[0] - 'a') - 7;
  if (text[1] < '1' || text[1] > '9') return std::nullopt;  // "a01" is not a cell name
  int rank = 0;
  for (const char c : text.substr(1)) {
    if (c < '0' || c > '9') return std::nullopt;
    rank = rank * 10 + (c - '0');
  }
  if (file < -7 || file > 7) return std::nullopt;
  return At(Hex{file, rank - 8, 7 - file - rank});
}

}  // namespace triarch::three_way
