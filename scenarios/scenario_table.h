// Reads tables of scenarios, single moves that the rules allow or forbid (docs/formats.md).

#ifndef TRIARCH_SCENARIOS_SCENARIO_TABLE_H_
#define TRIARCH_SCENARIOS_SCENARIO_TABLE_H_

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace triarch {

// The columns, in their order when a table has no header.
enum Column : size_t {
  kId,
  kCategory,
  kDescription,
  kPosition,
  kMove,
  kExpected,
  kRule,
  kAfter,   // from here on, columns may be missing or empty, and are then not checked
  kEnds,    // how a valid move ends the game; "-" if it does not
  kReason,  // part of the error for an invalid move
  kColumns
};

// Returns the canonical name of the column.
std::string NameOf(Column column);

struct Scenario {
  int line = 0;  // from 1
  std::array<std::string, kColumns> fields;
  bool is_valid = false;

  const std::string& operator[](Column column) const { return fields[column]; }
};

// An unusable row.
struct FaultyRow {
  int line = 0;
  std::string why;
};

struct ScenarioTable {
  std::vector<Scenario> scenarios;
  std::vector<FaultyRow> faults;
};

// Reads a table. Positions and moves stay text, so the game does not matter. If the header is
// wrong, this is the only fault reported.
ScenarioTable ReadScenarioTable(std::string_view text);

}  // namespace triarch

#endif  // TRIARCH_SCENARIOS_SCENARIO_TABLE_H_
