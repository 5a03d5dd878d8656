// Implements `triarch scenarios`, which judges a table of moves and prints the failures.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "cli/rules/position_options.h"
#include "cli/rules/rules_engine.h"
#include "core/base/counted.h"
#include "scenarios/generate.h"
#include "scenarios/judge.h"
#include "scenarios/listed_moves.h"
#include "scenarios/scenario_table.h"

namespace triarch {
namespace {

using Json = nlohmann::ordered_json;

struct ScenariosOptions {
  std::string game = "triumvirate";
  std::string path;
  std::optional<std::string> engine;
  int64_t patience_s = 10;
  std::optional<int64_t> rows;  // to generate
  uint64_t seed = 1;
  bool is_json = false;
};

std::string FailureText(const Scenario& scenario, const Verdict& verdict) {
  const std::string category = scenario[kCategory].empty() ? "" : ", " + scenario[kCategory];
  std::string text = absl::StrFormat("%s (line %d%s): %s\n", scenario[kId], scenario.line, category,
                                     scenario[kDescription]);
  text += "  position  " + scenario[kPosition] + "\n";
  text += "  move      " + scenario[kMove] + ", expected " + scenario[kExpected] + ": " +
          verdict.reason + "\n";
  if (!scenario[kReason].empty()) text += "  expected  " + scenario[kReason] + "\n";
  if (!scenario[kAfter].empty()) text += "  expected  " + scenario[kAfter] + "\n";
  if (verdict.after) text += "  after     " + *verdict.after + "\n";
  if (!scenario[kEnds].empty()) text += "  expected  " + scenario[kEnds] + "\n";
  if (verdict.ends) text += "  ends      " + *verdict.ends + "\n";
  text += "  nearby   ";
  for (const std::string& move : verdict.nearby) text += " " + move;
  if (verdict.nearby.empty()) {
    text += " none of " + Counted(verdict.legal_moves, "legal move") + " is similar";
  }
  return text + "\n  rule      " + scenario[kRule] + "\n";
}

// Reports a text that passes as INVALID but may be a typo.
std::string UnreadableText(const Scenario& scenario, const Verdict& verdict) {
  return absl::StrFormat("%s (line %d): passed, but is not a move: %s\n", scenario[kId],
                         scenario.line, verdict.unreadable);
}

Json TextOrNull(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json FailureJson(const Scenario& scenario, const Verdict& verdict) {
  Json json = {{"line", scenario.line}};
  for (size_t column = 0; column < kAfter; ++column) {
    json[NameOf(Column{column})] = scenario.fields[column];
  }
  json["expected_position"] = TextOrNull(scenario[kAfter]);
  json["after"] = TextOrNull(verdict.after.value_or(""));
  json["expected_ends"] = TextOrNull(scenario[kEnds]);
  json["ends"] = TextOrNull(verdict.ends.value_or(""));
  json["expected_reason"] = TextOrNull(scenario[kReason]);
  json["reason"] = verdict.reason;
  json["nearby"] = verdict.nearby;
  return json;
}

// Reports each of the first faults on one line.
int FailWith(const std::string& path, std::vector<FaultyRow> faults, size_t most) {
  std::stable_sort(faults.begin(), faults.end(),
                   [](const FaultyRow& a, const FaultyRow& b) { return a.line < b.line; });
  for (size_t i = 0; i < std::min(most, faults.size()); ++i) {
    Fail(absl::StrFormat("%s:%d: %s", path, faults[i].line, faults[i].why));
  }
  if (faults.size() <= most) return kExitFailed;
  return Fail(path + ": " + Counted(faults.size() - most, "more fault"));
}

// Says that the program disagrees with the row.
std::string DisagreementText(const std::string& path, const Scenario& scenario) {
  return absl::StrFormat(
      "%s:%d: %s: %s\n  position  %s\n  move      %s, expected %s: the engine %s it\n  rule      "
      "%s\n",
      path, scenario.line, scenario[kId], scenario[kDescription], scenario[kPosition],
      scenario[kMove], scenario[kExpected], scenario.is_valid ? "does not list" : "lists",
      scenario[kRule]);
}

// Compares the rows with the moves that another program lists.
int AskEngine(const ScenariosOptions& options, const GameInfo& info, ScenarioTable table) {
  std::vector<AnyState> states;
  for (const Scenario& scenario : table.scenarios) {
    absl::StatusOr<AnyState> state = AnyState::Parse(info.name, scenario[kPosition], kRulesOnly);
    if (state.ok()) {
      state->JudgeTurn();
      states.push_back(*std::move(state));
    } else {
      table.faults.push_back(
          {scenario.line, scenario[kId] + ": position: " + std::string(state.status().message())});
    }
  }
  if (!table.faults.empty()) {
    return FailWith(options.path, std::move(table.faults), table.scenarios.empty() ? 1 : 20);
  }
  absl::StatusOr<RulesEngine> engine =
      RulesEngine::Start(info, *options.engine, std::chrono::seconds(options.patience_s));
  if (!engine.ok()) return Fail("--engine: " + std::string(engine.status().message()));
  int passed = 0;
  int failed = 0;
  int skipped = 0;
  std::string text;
  for (size_t i = 0; i < states.size(); ++i) {
    const Scenario& scenario = table.scenarios[i];
    if (scenario[kMove].starts_with("resign:")) {
      ++skipped;
      continue;
    }
    const auto listed = engine->LegalMoves(states[i].ToString());
    if (!listed.ok()) {
      return Fail(absl::StrFormat("%s:%d: %s: --engine: %s", options.path, scenario.line,
                                  scenario[kId], std::string(listed.status().message())));
    }
    if (IsListed(states[i], *listed, scenario[kMove]) == scenario.is_valid) {
      ++passed;
    } else {
      ++failed;
      text += DisagreementText(options.path, scenario);
    }
  }
  Print(text + absl::StrFormat("%d passed, %d failed", passed, failed) +
        (skipped == 0 ? "\n" : absl::StrFormat(", %d skipped\n", skipped)));
  return failed == 0 ? kExitDone : kExitFailed;
}

int RunScenarios(const ScenariosOptions& options) {
  const absl::StatusOr<const GameInfo*> info = LoadGame(options.game);
  if (!info.ok()) return UsageError(info.status());
  if (options.rows) {
    Print(GenerateScenarios(**info, *options.rows, options.seed));
    return kExitDone;
  }
  if (options.path.empty()) return UsageError("FILE is required, or --generate");
  const absl::StatusOr<InputFile> file = InputFile::Open(options.path);
  if (!file.ok()) return Fail(file.status());
  ScenarioTable table = ReadScenarioTable(file->text());
  if (table.scenarios.empty() && table.faults.empty()) {
    return Fail(options.path + ": the table has no scenarios");
  }
  if (options.engine) return AskEngine(options, **info, std::move(table));

  int passed = 0;
  std::string text;
  Json failures = Json::array();
  Json unreadable = Json::array();
  for (const Scenario& scenario : table.scenarios) {
    const absl::StatusOr<Verdict> verdict = Judge(options.game, scenario);
    if (!verdict.ok()) {
      table.faults.push_back(
          {scenario.line, scenario[kId] + ": " + std::string(verdict.status().message())});
    } else if (verdict->is_passed) {
      ++passed;
      if (verdict->unreadable.empty()) continue;
      text += UnreadableText(scenario, *verdict);
      unreadable.push_back(scenario[kId]);
    } else {
      text += FailureText(scenario, *verdict);
      failures.push_back(FailureJson(scenario, *verdict));
    }
  }
  if (!table.faults.empty()) {
    // A file without any scenario is hardly a table.
    return FailWith(options.path, std::move(table.faults), table.scenarios.empty() ? 1 : 20);
  }
  const int failed = static_cast<int>(failures.size());
  if (options.is_json) {
    const Json json = {
        {"passed", passed}, {"failed", failed}, {"failures", failures}, {"unreadable", unreadable}};
    Print(json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
  } else {
    Print(text + absl::StrFormat("%d passed, %d failed\n", passed, failed));
  }
  return failed == 0 ? kExitDone : kExitFailed;
}

}  // namespace

void AddScenariosCommand(const Command& app) {
  auto options = std::make_shared<ScenariosOptions>();
  const Command command =
      app.AddCommand("scenarios", "Check a table of legal and illegal moves against the rules.");
  AddGameOption(command, &options->game);
  const CommandOption file = command.AddText(
      {"FILE", "", "Table of scenarios (TSV); - means standard input"}, &options->path);
  const CommandOption json =
      command.AddFlag({"--json", "", "Print one JSON object: passed, failed, failures, unreadable"},
                      &options->is_json);
  const CommandOption engine =
      command
          .AddText({"--engine", "COMMAND",
                    "Compare the table with the legal moves of another program,\n"
                    "which speaks the bot protocol and answers `go perft 1`"},
                   &options->engine)
          .Excludes(json);
  command
      .AddNumber({"--timeout", "SECONDS", "The program has this long for each answer"}, {1, 3600},
                 &options->patience_s)
      .Needs(engine);
  const CommandOption generate =
      command
          .AddNumber({"--generate", "N",
                      "Instead of testing a table, print one with N rows: positions of\n"
                      "random games, each with a legal and an illegal move"},
                     {1, 100'000}, &options->rows)
          .Excludes(file)
          .Excludes(json)
          .Excludes(engine);
  command.AddNumber({"--seed", "S", "Generate other positions"}, &options->seed).Needs(generate);
  command.Footer(
      "Prints `N passed, M failed`. Each failure is shown with its position, move, similar legal\n"
      "moves and rule; the exit code is then 1. Only the rules of the game count: draws that a\n"
      "match declares do not end the game.\n\n"
      "The columns are separated by tabs: id, category, description, position, move, expected\n"
      "(VALID or INVALID) and rule (the citation). Three more are optional: after (the position\n"
      "after a VALID move), ends (how that move ends the game, such as `1-0 checkmate` or\n"
      "`stalemate`, or - if it does not) and reason (part of the error for an INVALID move).\n"
      "With a header line, which must name the column id, columns may come in any order.\n"
      "An INVALID move that cannot be read as a move at all passes, but is reported as a possible\n"
      "typo unless the row gives its reason.\n\n"
      "With --engine, only whether the moves are legal is compared, and resignations are "
      "skipped.\n\n"
      "Examples:\n"
      "  triarch scenarios --game tri-d tests/data/scenarios/tri_d.tsv\n"
      "  triarch scenarios tests/data/scenarios/triumvirate.tsv --engine 'python3 my_bot.py'\n"
      "  triarch scenarios --game three-way --generate 1000 > random.tsv");
  command.OnRun(options, RunScenarios);
}

}  // namespace triarch
