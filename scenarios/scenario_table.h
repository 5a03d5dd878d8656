// Reads tables of scenarios: single moves that the rules allow or forbid (docs/formats.md).

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
  kAfter,   // this and the next columns may be missing or empty, and are then not checked
  kEnds,    // how a valid move ends the game; "-" if it does not
  kReason,  // part of the error for an invalid move
  kColumns
};

// Returns our name for the column.
std::string NameOf(Column column);

struct Scenario {
  int line = 0;  // from 1
  std::array<std::string, kColumns> fields;
  bool is_valid = false;

  const std::string& operator[](Column column) const { return fields[column]; }
};

// A row that cannot be used.
struct FaultyRow {
  int line = 0;
  std::string why;
};

struct ScenarioTable {
  std::vector<Scenario> scenarios;
  std::vector<FaultyRow> faults;
};

// Reads positions and moves as text, without knowing the game. If the header is wrong, that is the
// only fault reported.
ScenarioTable ReadScenarioTable(std::string_view text);

}  // namespace triarch

#endif  // TRIARCH_SCENARIOS_SCENARIO_TABLE_H_
