#include "scenarios/scenario_table.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_format.h"
#include "core/base/counted.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "core/game/outcome.h"

namespace triarch {
namespace {

using Row = std::vector<std::string_view>;

// The names of each column that a header may use, the canonical one first. Case does not matter.
constexpr std::array<std::array<std::string_view, 5>, kColumns> kNames = {
    {{"id", "TestCaseID"},
     {"category"},
     {"description"},
     {"position", "initial_position", "initial_tfen", "tfen", "InitialStateFEN"},
     {"move", "MoveToTest"},
     {"expected", "verdict", "ExpectedResult"},
     {"rule", "rule_citation", "citation", "RuleCitation"},
     {"after", "expected_position", "position_after", "tfen_after"},
     {"ends"},
     {"reason"}}};

std::string LowerCase(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = absl::ascii_tolower(static_cast<unsigned char>(c));
  return lower;
}

bool IsNameOf(Column column, std::string_view text) {
  const auto& names = kNames[column];
  return !text.empty() && std::any_of(names.begin(), names.end(), [&](std::string_view name) {
    return LowerCase(name) == LowerCase(text);
  });
}

// Maps columns to the fields of a row, by the header or in the default order.
class Header {
 public:
  static bool IsHeader(const Row& row) {
    return std::any_of(row.begin(), row.end(),
                       [](std::string_view field) { return IsNameOf(kId, field); });
  }

  static absl::StatusOr<Header> Read(const Row& row) {
    Header header;
    for (size_t column = 0; column < kColumns; ++column) {
      std::optional<size_t>& field = header.fields_[column];
      field = std::nullopt;
      for (size_t i = 0; i < row.size(); ++i) {
        if (!IsNameOf(Column{column}, row[i])) continue;
        if (field) {
          return absl::InvalidArgumentError(
              absl::StrFormat("the header has two columns for \"%s\": %s and %s",
                              NameOf(Column{column}), Quote(row[*field]), Quote(row[i])));
        }
        field = i;
      }
      const bool is_needed = column < kAfter && column != kCategory;
      if (!field && is_needed) {
        return absl::InvalidArgumentError("the header has no column \"" + NameOf(Column{column}) +
                                          "\"");
      }
    }
    return header;
  }

  absl::StatusOr<Scenario> ReadRow(const Row& row) const {
    Scenario scenario;
    for (size_t column = 0; column < kColumns; ++column) {
      const std::optional<size_t> field = fields_[column];
      if (!field) continue;
      if (*field < row.size()) {
        scenario.fields[column] = row[*field];
      } else if (column < kAfter) {
        return absl::InvalidArgumentError(absl::StrFormat("the row has %s; \"%s\" is field %d",
                                                          Counted(row.size(), "field"),
                                                          NameOf(Column{column}), *field + 1));
      }
    }
    RETURN_IF_ERROR(CheckFields(scenario));
    scenario.is_valid = scenario[kExpected] == "VALID";
    return scenario;
  }

 private:
  static absl::Status CheckFields(const Scenario& scenario) {
    for (const Column column : {kId, kMove, kRule}) {
      if (!scenario[column].empty()) continue;
      return absl::InvalidArgumentError("the field \"" + NameOf(column) + "\" is empty");
    }
    const std::string& expected = scenario[kExpected];
    if (expected != "VALID" && expected != "INVALID") {
      return absl::InvalidArgumentError("expected VALID or INVALID, not " + Quote(expected));
    }
    const bool is_valid = expected == "VALID";
    if (!is_valid && !scenario[kAfter].empty()) {
      return absl::InvalidArgumentError("\"after\" must be empty for an INVALID move");
    }
    if (!is_valid && !scenario[kEnds].empty()) {
      return absl::InvalidArgumentError("\"ends\" must be empty for an INVALID move");
    }
    if (is_valid && !scenario[kReason].empty()) {
      return absl::InvalidArgumentError("\"reason\" must be empty for a VALID move");
    }
    // "1-0 checkmate", or just "checkmate".
    const std::string_view ends = scenario[kEnds];
    if (!ends.empty() && ends != "-" && !ParseTermination(ends.substr(ends.find(' ') + 1))) {
      return absl::InvalidArgumentError(
          "\"ends\": expected \"-\", or an ending such as \"checkmate\" or \"1-0 checkmate\", "
          "not " +
          Quote(ends));
    }
    return absl::OkStatus();
  }

  std::array<std::optional<size_t>, kColumns> fields_ = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
};

}  // namespace

std::string NameOf(Column column) { return std::string(kNames[column][0]); }

ScenarioTable ReadScenarioTable(std::string_view text) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  ScenarioTable table;
  Header header;
  bool is_first = true;
  std::map<std::string, int> lines;  // by id
  int line = 0;
  for (std::string_view row_text : Split(text, '\n')) {
    ++line;
    if (row_text.ends_with('\r')) row_text.remove_suffix(1);
    if (Trim(row_text).empty()) continue;
    const Row row = Split(row_text, '\t');
    if (std::exchange(is_first, false) && Header::IsHeader(row)) {
      const absl::StatusOr<Header> read = Header::Read(row);
      if (!read.ok()) return {{}, {{line, std::string(read.status().message())}}};
      header = *read;
      continue;
    }
    absl::StatusOr<Scenario> scenario = header.ReadRow(row);
    if (!scenario.ok()) {
      table.faults.push_back({line, std::string(scenario.status().message())});
      continue;
    }
    scenario->line = line;
    const auto [first, is_new] = lines.emplace((*scenario)[kId], line);
    if (!is_new) {
      table.faults.push_back({line, absl::StrFormat("id %s is already used on line %d",
                                                    Quote((*scenario)[kId]), first->second)});
    }
    table.scenarios.push_back(*std::move(scenario));
  }
  return table;
}

}  // namespace triarch
