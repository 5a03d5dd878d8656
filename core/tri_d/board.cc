#include "core/tri_d/board.h"

#include "core/tri_d/attacks.h"
#include "core/tri_d/geometry.h"

namespace triarch::tri_d {
namespace {

struct Step {
  int file;
  int rank;
};

constexpr std::array<Step, 8> kDirections = {
    {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {-1, -1}, {1, -1}, {-1, 1}}};
constexpr std::array<Step, 8> kKnightSteps = {
    {{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}}};

// Returns the column one step away, or -1 if it is off the map.
constexpr Column After(Column column, Step step) {
  const int file = FileOf(column) + step.file;
  const int rank = RankOf(column) + step.rank;
  if (file < 0 || file >= kFiles || rank < 0 || rank >= kRanks) return -1;
  return ColumnAt(file, rank);
}

// The columns of a ray, in order from its origin.
struct Ray {
  std::array<Column, 9> columns{};
  size_t length = 0;
};

constexpr Ray RayFrom(Column column, Step step) {
  Ray ray;
  for (Column to = After(column, step); to >= 0; to = After(to, step)) {
    ray.columns[ray.length++] = to;
  }
  return ray;
}

constexpr ColumnSet ReachedOn(const Ray& ray, ColumnSet occupied) {
  ColumnSet set = 0;
  for (size_t i = 0; i < ray.length; ++i) {
    set |= ColumnBit(ray.columns[i]);
    if ((occupied & ColumnBit(ray.columns[i])) != 0) break;
  }
  return set;
}

constexpr ColumnSet HidingOn(const Ray& ray) {
  ColumnSet set = 0;
  for (size_t i = 0; i + 1 < ray.length; ++i) set |= ColumnBit(ray.columns[i]);
  return set;
}

class Builder {
 public:
  constexpr explicit Builder(AttackTables& tables) : tables_(tables) {}

  constexpr void AddColumn(Column column) {
    for (size_t pair = 0; pair < 4; ++pair) {
      AddLine(column, pair, kDirections[2 * pair], kDirections[2 * pair + 1]);
    }
    for (const Step step : kDirections) AddTo(tables_.king[At(column)], After(column, step));
    for (const Step step : kKnightSteps) AddTo(tables_.knight[At(column)], After(column, step));
    for (const size_t seat : {size_t{0}, size_t{1}}) {
      for (const int side : {-1, 1}) {
        const Column to = After(column, {side, seat == 0 ? 1 : -1});
        if (to < 0) continue;
        tables_.pawn_captures[seat][At(column)] |= ColumnBit(to);
        tables_.pawn_capturers[seat][At(to)] |= ColumnBit(column);
      }
    }
  }

  constexpr size_t entries() const { return entries_; }

 private:
  static constexpr void AddTo(ColumnSet& set, Column column) {
    if (column >= 0) set |= ColumnBit(column);
  }

  constexpr void AddLine(Column column, size_t number, Step step, Step back) {
    const Ray a = RayFrom(column, step);
    const Ray b = RayFrom(column, back);
    Line& line = tables_.lines[At(column)][number];
    line.hiding = HidingOn(a) | HidingOn(b);
    line.offset = static_cast<uint32_t>(entries_);
    ColumnSet occupied = 0;
    do {
      tables_.reached[entries_++] = ReachedOn(a, occupied) | ReachedOn(b, occupied);
      occupied = (occupied - line.hiding) & line.hiding;  // next subset, in ExtractBits' order
    } while (occupied != 0);
    (number < 2 ? tables_.rook_lines : tables_.bishop_lines)[At(column)] |=
        ReachedOn(a, 0) | ReachedOn(b, 0);
    AddBetween(column, a);
    AddBetween(column, b);
  }

  constexpr void AddBetween(Column column, const Ray& ray) {
    ColumnSet passed = 0;
    for (size_t i = 0; i < ray.length; ++i) {
      tables_.between[At(column)][At(ray.columns[i])] = passed;
      passed |= ColumnBit(ray.columns[i]);
    }
  }

  AttackTables& tables_;
  size_t entries_ = 0;
};

constexpr AttackTables BuildTables() {
  AttackTables tables;
  Builder builder(tables);
  for (Column column = 0; column < kColumns; ++column) builder.AddColumn(column);
  if (builder.entries() != kLineEntries) throw "";  // not a constant expression: fails to compile
  return tables;
}

}  // namespace

static_assert(kDirections.size() == kRayDirections);
std::vector<Column> RayColumnsOf(Column column, int direction) {
  const Ray ray = RayFrom(column, kDirections[static_cast<size_t>(direction)]);
  return {ray.columns.begin(), ray.columns.begin() + static_cast<std::ptrdiff_t>(ray.length)};
}

constinit const AttackTables kAttacks = BuildTables();

std::string Pin::ToString() const {
  return {is_king_side() ? 'K' : 'Q', 'L', static_cast<char>('0' + number())};
}

std::optional<Pin> Pin::Parse(std::string_view text) {
  if (text.size() != 3 || (text[0] != 'Q' && text[0] != 'K') || text[1] != 'L') return std::nullopt;
  if (text[2] < '1' || text[2] > '6') return std::nullopt;
  return At(text[0] == 'K', text[2] - '0');
}

}  // namespace triarch::tri_d
