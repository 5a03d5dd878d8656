#ifndef TRIARCH_SCENARIOS_SCENARIO_TABLE_H_
#define TRIARCH_SCENARIOS_SCENARIO_TABLE_H_

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

// Tables of single moves that the rules allow or forbid, as docs/formats.md, "Scenario tables",
// describes them.
namespace triarch {

// The columns, in the order in which they stand where no header says otherwise.
enum Column : size_t {
  kId,
  kCategory,
  kDescription,
  kPosition,
  kMove,
  kExpected,
  kRule,
  kAfter,   // this and what follows may be missing, or empty in a row: then it is not looked at
  kEnds,    // how a valid move ends the game; "-" if it does not
  kReason,  // a part of why an invalid move is none
  kColumns
};

// What the column is called here.
std::string NameOf(Column column);

struct Scenario {
  int line = 0;  // from 1
  std::array<std::string, kColumns> fields;
  bool is_valid = false;

  const std::string& operator[](Column column) const { return fields[column]; }
};

// A row that is none, and why.
struct FaultyRow {
  int line = 0;
  std::string why;
};

struct ScenarioTable {
  std::vector<Scenario> scenarios;
  std::vector<FaultyRow> faults;
};

// Knows no game: positions and moves are text. A faulty header is the only fault of its table.
ScenarioTable ReadScenarioTable(std::string_view text);

}  // namespace triarch

#endif  // TRIARCH_SCENARIOS_SCENARIO_TABLE_H_
