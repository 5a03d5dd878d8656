// Fuzzes cells of Triumvirate v4.0 and plain cells: an accepted name denotes exactly one cell.

#include "core/triumvirate/v4_notation.h"
#include "tests/fuzz/fuzz.h"

namespace {

using triarch::triumvirate::Cell;
using triarch::triumvirate::V4Table;

}  // namespace

FUZZ_TEXT(text) {
  for (const V4Table table : {V4Table::kPublished, V4Table::kClient}) {
    const absl::StatusOr<Cell> cell = FromV4(text, table);
    if (!cell.ok()) continue;
    const std::string name = ToV4(*cell, table);
    CHECK(name == DescribeV4(*cell, table).name);
    const absl::StatusOr<Cell> again = FromV4(name, table);
    CHECK(again.ok() && *again == *cell);
  }
  const std::optional<Cell> cell = Cell::Parse(text);
  if (cell) CHECK(Cell::Parse(cell->ToString()) == cell);
}
