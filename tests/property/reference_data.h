// Reads test data for the tests of the reference implementations.

#ifndef TRIARCH_TESTS_PROPERTY_REFERENCE_DATA_H_
#define TRIARCH_TESTS_PROPERTY_REFERENCE_DATA_H_

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/text.h"

namespace triarch {

// Returns the lines of a file in tests/data.
inline std::vector<std::string> LinesOf(const std::string& file) {
  std::ifstream in(std::string(TRIARCH_TEST_DATA) + "/" + file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  EXPECT_FALSE(lines.empty()) << file;
  return lines;
}

// Returns where the piece on `cell` can move.
template <class State>
std::set<std::string> TargetsFrom(std::string_view cell, const State& state) {
  const std::string from = std::string(cell) + "-";
  std::set<std::string> targets;
  for (const std::string& move : LegalMoves(state)) {
    if (move.starts_with(from)) targets.insert(move.substr(from.size()));
  }
  return targets;
}

// Checks Perft against the counts in a table with lines "NAME POSITION COUNT…" for depths 1, 2, …
// `parse` and `write` convert between a position and its text.
template <class Parse, class Write>
void CheckPerftTable(const std::string& file, const Parse& parse, const Write& write) {
  for (const std::string& line : LinesOf(file)) {
    const std::vector<std::string_view> fields = Split(line, '\t');
    ASSERT_GE(fields.size(), 4u) << line;
    const auto state = parse(fields[1]);
    EXPECT_EQ(write(state), fields[1]);
    for (size_t i = 2; i < fields.size() && !fields[i].empty(); ++i) {
      const int depth = static_cast<int>(i) - 1;
      EXPECT_EQ(Perft(state, depth), ParseUint64(fields[i]).value())
          << fields[0] << " at depth " << depth;
    }
  }
}

}  // namespace triarch

#endif  // TRIARCH_TESTS_PROPERTY_REFERENCE_DATA_H_
