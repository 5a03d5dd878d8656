#include <algorithm>
#include <array>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "cli/play_move.h"
#include "cli/position_options.h"
#include "core/any_state.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"

// scenarios: a table of single moves that the rules allow or forbid.
namespace triarch {
namespace {

using Json = nlohmann::ordered_json;

struct ScenariosOptions {
  std::string game = "triumvirate";
  std::string path;
  bool is_json = false;
};

// The columns of the table, in the order in which they stand where no header says otherwise.
enum Column : size_t {
  kId,
  kCategory,
  kDescription,
  kPosition,
  kMove,
  kExpected,
  kRule,
  kAfter,  // may be missing, or empty in a row: then it is not looked at
  kColumns
};

// What a header may call each of them, the usual name first.
constexpr std::array<std::array<std::string_view, 4>, kColumns> kNames = {
    {{"id"},
     {"category"},
     {"description"},
     {"position", "initial_position", "initial_tfen", "tfen"},
     {"move"},
     {"expected", "verdict"},
     {"rule", "rule_citation", "citation"},
     {"after", "expected_position", "position_after", "tfen_after"}}};

struct Scenario {
  int line = 0;  // from 1
  std::array<std::string, kColumns> fields;
  bool is_valid = false;

  const std::string& operator[](Column column) const { return fields[column]; }
};

absl::Status FaultAt(const std::string& path, int line, const std::string& what) {
  return absl::InvalidArgumentError(absl::StrFormat("%s:%d: %s", path, line, what));
}

// Where each column stands in a row: by the header, or as they come.
class Header {
 public:
  // Whether the row is a header: its first field is "id".
  static bool IsHeader(const std::vector<std::string_view>& row) {
    return !row.empty() && row.front() == kNames[kId][0];
  }

  static absl::StatusOr<Header> Read(const std::vector<std::string_view>& row) {
    Header header;
    for (size_t column = 0; column < kColumns; ++column) {
      header.places_[column] = std::nullopt;
      for (size_t i = 0; i < row.size(); ++i) {
        const auto& names = kNames[column];
        const bool is_named =
            !row[i].empty() && std::find(names.begin(), names.end(), row[i]) != names.end();
        if (is_named) header.places_[column] = i;
      }
      if (header.places_[column] || column == kAfter) continue;
      return absl::InvalidArgumentError("the header has no column " + Quote(kNames[column][0]));
    }
    return header;
  }

  absl::StatusOr<Scenario> ReadRow(const std::vector<std::string_view>& row) const {
    Scenario scenario;
    for (size_t column = 0; column < kColumns; ++column) {
      const std::optional<size_t> place = places_[column];
      if (place && *place < row.size()) {
        scenario.fields[column] = row[*place];
      } else if (column != kAfter) {
        return absl::InvalidArgumentError(
            absl::StrFormat("there are %d fields; expected %s in field %d", row.size(),
                            std::string(kNames[column][0]), place.value_or(0) + 1));
      }
    }
    const std::string& expected = scenario[kExpected];
    if (expected != "VALID" && expected != "INVALID") {
      return absl::InvalidArgumentError("expected VALID or INVALID, not " + Quote(expected));
    }
    scenario.is_valid = expected == "VALID";
    if (!scenario.is_valid && !scenario[kAfter].empty()) {
      return absl::InvalidArgumentError("an INVALID move has no position after it");
    }
    return scenario;
  }

 private:
  std::array<std::optional<size_t>, kColumns> places_ = {0, 1, 2, 3, 4, 5, 6, 7};
};

// The whole table. A row that is none ends it: nothing is tried then.
absl::StatusOr<std::vector<Scenario>> ReadScenarios(const std::string& path,
                                                    std::string_view text) {
  std::vector<Scenario> scenarios;
  Header header;
  int line = 0;
  for (std::string_view row_text : Split(text, '\n')) {
    ++line;
    if (row_text.ends_with('\r')) row_text.remove_suffix(1);
    if (row_text.empty()) continue;
    const std::vector<std::string_view> row = Split(row_text, '\t');
    if (line == 1 && Header::IsHeader(row)) {
      absl::StatusOr<Header> read = Header::Read(row);
      if (!read.ok()) return FaultAt(path, line, std::string(read.status().message()));
      header = *read;
      continue;
    }
    absl::StatusOr<Scenario> scenario = header.ReadRow(row);
    if (!scenario.ok()) return FaultAt(path, line, std::string(scenario.status().message()));
    scenario->line = line;
    scenarios.push_back(*std::move(scenario));
  }
  return scenarios;
}

// What came of a scenario.
struct Verdict {
  bool is_passed = false;
  std::string reason;                // why the move is none, or why the scenario failed
  std::optional<std::string> after;  // where the move was played
  std::vector<std::string> nearby;   // legal moves of the same piece, else to the same place
};

// The rules of the game alone: draws that a match makes end nothing here.
absl::Status TryMove(AnyState& state, std::string_view text) {
  if (text.starts_with("resign:")) return PlayMove(state, text);
  state.JudgeTurn();
  const AnyState::Moves moves = state.LegalMoves();
  ASSIGN_OR_RETURN(const size_t number, state.FindMove(moves, text));
  state.Play(moves, number);
  return absl::OkStatus();
}

// Legal moves that begin with the same cell, or end with the same text, or just some of them.
std::vector<std::string> Nearby(const AnyState& state, std::string_view text) {
  constexpr size_t kMost = 12;
  const AnyState::Moves moves = state.LegalMoves();
  std::vector<std::string> all;
  for (size_t i = 0; i < moves.size(); ++i) all.push_back(state.MoveToString(moves, i));
  std::sort(all.begin(), all.end());
  const size_t middle = std::min(text.find_first_of("-x:"), text.size());
  const std::string_view from = text.substr(0, middle).substr(text.find('@') + 1);
  const std::string_view to = text.substr(std::min(middle + 1, text.size()));
  std::vector<std::string> found;
  const auto keep = [&](auto is_near) {
    for (const std::string& move : all) {
      if (found.size() < kMost && is_near(std::string_view(move))) found.push_back(move);
    }
    return !found.empty();
  };
  if (keep([&](std::string_view move) { return move.starts_with(std::string(from) + "-"); }) ||
      keep([&](std::string_view move) { return !to.empty() && move.ends_with(to); })) {
    return found;
  }
  keep([](std::string_view) { return true; });
  return found;
}

absl::StatusOr<Verdict> Judge(const std::string& game, const Scenario& scenario) {
  ASSIGN_OR_RETURN(AnyState state, AnyState::Parse(game, scenario[kPosition], kRulesOnly));
  Verdict verdict;
  AnyState next = state;
  const absl::Status status = TryMove(next, scenario[kMove]);
  if (status.ok()) verdict.after = next.ToString();
  if (status.ok() != scenario.is_valid) {
    verdict.reason = status.ok() ? "the move is legal" : std::string(status.message());
  } else if (status.ok() && !scenario[kAfter].empty() && scenario[kAfter] != *verdict.after) {
    verdict.reason = "the position after the move is another";
  } else {
    verdict.is_passed = true;
    return verdict;
  }
  state.JudgeTurn();
  verdict.nearby = Nearby(state, scenario[kMove]);
  return verdict;
}

std::string FailureText(const Scenario& scenario, const Verdict& verdict) {
  std::string text = absl::StrFormat("%s (line %d, %s): %s\n", scenario[kId], scenario.line,
                                     scenario[kCategory], scenario[kDescription]);
  text += "  position  " + scenario[kPosition] + "\n";
  text += "  move      " + scenario[kMove] + ", expected " + scenario[kExpected] + ": " +
          verdict.reason + "\n";
  if (!scenario[kAfter].empty()) text += "  expected  " + scenario[kAfter] + "\n";
  if (verdict.after) text += "  after     " + *verdict.after + "\n";
  text += "  nearby   ";
  for (const std::string& move : verdict.nearby) text += " " + move;
  if (verdict.nearby.empty()) text += " no legal move";
  return text + "\n  rule      " + scenario[kRule] + "\n";
}

Json FailureJson(const Scenario& scenario, const Verdict& verdict) {
  Json json = {{"line", scenario.line}};
  for (size_t column = 0; column < kColumns; ++column) {
    if (column == kAfter) continue;
    json[std::string(kNames[column][0])] = scenario.fields[column];
  }
  json["expected_position"] = scenario[kAfter].empty() ? Json(nullptr) : Json(scenario[kAfter]);
  json["after"] = verdict.after ? Json(*verdict.after) : Json(nullptr);
  json["reason"] = verdict.reason;
  json["nearby"] = verdict.nearby;
  return json;
}

int RunScenarios(const ScenariosOptions& options) {
  const absl::StatusOr<const GameInfo*> info = LoadGame(options.game);
  if (!info.ok()) return UsageError(info.status());
  const absl::StatusOr<InputFile> file = InputFile::Open(options.path);
  if (!file.ok()) return Fail(file.status());
  const auto scenarios = ReadScenarios(options.path, file->text());
  if (!scenarios.ok()) return Fail(scenarios.status());

  int passed = 0;
  std::string text;
  Json failures = Json::array();
  for (const Scenario& scenario : *scenarios) {
    const absl::StatusOr<Verdict> verdict = Judge(options.game, scenario);
    if (!verdict.ok()) {
      return Fail(
          FaultAt(options.path, scenario.line,
                  scenario[kId] + ": position: " + std::string(verdict.status().message())));
    }
    if (verdict->is_passed) {
      ++passed;
    } else {
      text += FailureText(scenario, *verdict);
      failures.push_back(FailureJson(scenario, *verdict));
    }
  }
  const int failed = static_cast<int>(failures.size());
  if (options.is_json) {
    const Json json = {{"passed", passed}, {"failed", failed}, {"failures", failures}};
    Print(json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
  } else {
    Print(text + absl::StrFormat("%d passed, %d failed\n", passed, failed));
  }
  return failed == 0 ? kExitDone : kExitFailed;
}

}  // namespace

void AddScenariosCommand(CLI::App& app, int* exit_code) {
  auto options = std::make_shared<ScenariosOptions>();
  CLI::App* const command = app.add_subcommand(
      "scenarios", "Try a table of moves that the rules allow or forbid: `N passed, M failed`.");
  AddGameOption(command, &options->game);
  command->add_option("FILE", options->path, "A table (TSV); - is standard input")
      ->type_name("")
      ->required();
  command->add_flag("--json", options->is_json, "One JSON object: passed, failed, failures");
  command->footer(
      "Columns, separated by tabs: id, category, description, position, move, VALID or INVALID,\n"
      "rule (the citation) and, if the position after the move matters, that position. A first\n"
      "line that begins with id is a header; with one the columns may stand in any order.\n"
      "What fails is printed with position, move, legal moves nearby and the citation; then the\n"
      "exit code is 1. Only the rules count: draws that a match makes end nothing.\n\n"
      "Example:\n"
      "  triarch scenarios --game three-way tests/data/scenarios/three_way.tsv");
  SetRun(command, options, RunScenarios, exit_code);
}

}  // namespace triarch
