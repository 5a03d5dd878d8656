#include <algorithm>
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
#include "cli/rules/play_move.h"
#include "cli/rules/position_options.h"
#include "core/any_state.h"
#include "core/base/status_macros.h"
#include "scenarios/scenario_table.h"

// scenarios: a table of single moves that the rules allow or forbid.
namespace triarch {
namespace {

using Json = nlohmann::ordered_json;

struct ScenariosOptions {
  std::string game = "triumvirate";
  std::string path;
  bool is_json = false;
};

// What came of a scenario.
struct Verdict {
  bool is_passed = false;
  std::string reason;                // why the move is none, or why the scenario failed
  std::optional<std::string> after;  // where the move was played
  std::optional<std::string> ends;   // the same: "1-0 checkmate", or "-"
  std::string unreadable;            // why an INVALID text is no move at all, where no row says so
  std::vector<std::string> nearby;   // legal moves like it
  size_t legal_moves = 0;
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

// Why the text cannot be read as a move at all; empty if it can. It is asked in the default start,
// since in a game that is over, or in which a pawn must be promoted first, any text gets the same
// answer.
std::string WhyUnreadable(const std::string& game, std::string_view text) {
  AnyState start = AnyState::Start(game, "").value();
  const std::string why(TryMove(start, text).message());
  // What every game says of a text that it cannot read: "…; a move is written E2-E4, …".
  const bool is_unreadable =
      why.find(" is written ") != std::string::npos || why.starts_with("no such seat");
  return is_unreadable ? why : "";
}

// How the game ended with the move, or "-". A dead position ends it too: who plays on from here
// would see that.
std::string EndsText(const std::string& game, const AnyState& state) {
  std::optional<Outcome> outcome = state.outcome();
  if (!outcome) {
    const auto played = AnyState::Parse(game, state.ToString(), {.draws = Draws::kClaimed});
    if (played.ok()) outcome = played->outcome();
  }
  if (!outcome) return "-";
  return ResultText(outcome->place, state.info().seats) + " " +
         std::string(ToString(outcome->termination));
}

// --- legal moves like one that is none ---

// The piece that a written move names, or '\0': "N@b2W-c4N"; a castling is the king's.
char PieceLetter(std::string_view text) {
  if (text.starts_with('0') || text.starts_with('O')) return 'K';
  return text.size() > 1 && text[1] == '@' ? text[0] : '\0';
}

// What a move that was not found is compared by, as far as it can be read.
struct Likeness {
  std::string_view text;
  std::optional<std::string> start;  // the place of the piece or board
  char piece = '\0';                 // where no start is written

  Likeness(const AnyState& state, std::string_view move) : text(move) {
    const std::string_view from = text.substr(0, text.find_first_of("-x:"));
    if (from != text) start = state.FindStart(from.substr(from.find('@') + 1));
    const bool is_place = start || state.FindStart(text);
    piece = is_place ? '\0' : PieceLetter(text);
    if (!is_place && piece == '\0' && std::string_view("KQRBN").find(text[0]) != text.npos) {
      piece = text[0];  // the short form "Nc6B"
    }
  }

  // The target stands last, but for a promotion or a mark.
  bool HasTarget(std::string_view canonical) const {
    std::string_view target = canonical.substr(canonical.find('-') + 1);
    target = target.substr(0, target.find('='));
    const size_t place = text.rfind(target);
    return place != std::string_view::npos && place + target.size() + 2 >= text.size();
  }

  bool HasPiece(const AnyState& state, const AnyState::Moves& moves, size_t number) const {
    const size_t forms = AnyState::MoveForms(state.info().name).size();
    for (size_t form = 0; piece != '\0' && form < forms; ++form) {
      if (PieceLetter(state.MoveInForm(moves, number, form)) == piece) return true;
    }
    return false;
  }

  // 0 is the nearest: the same start, target, piece, or another place that is no cell either (a
  // board's); 4 is nothing in common.
  int Distance(const AnyState& state, const AnyState::Moves& moves, size_t number) const {
    const std::string from = state.MoveStart(moves, number);
    if (start == from) return 0;
    if (HasTarget(state.MoveToString(moves, number))) return 1;
    if (HasPiece(state, moves, number)) return 2;
    return start && !state.IsCell(*start) && !state.IsCell(from) ? 3 : 4;
  }
};

// At most 12. Moves from the same start, if there are any, stand alone.
std::vector<std::string> Nearby(const AnyState& state, const AnyState::Moves& moves,
                                std::string_view text) {
  constexpr size_t kMost = 12;
  const Likeness likeness(state, text);
  std::vector<std::pair<int, std::string>> found;
  for (size_t i = 0; i < moves.size(); ++i) {
    const int distance = likeness.Distance(state, moves, i);
    if (distance < 4) found.emplace_back(distance, state.MoveToString(moves, i));
  }
  std::sort(found.begin(), found.end());
  std::vector<std::string> nearby;
  for (const auto& [distance, move] : found) {
    if (nearby.size() == kMost || (distance > 0 && found.front().first == 0)) break;
    nearby.push_back(move);
  }
  return nearby;
}

// --- the verdict ---

// Why the scenario fails; empty if it does not. `status` is what came of the move.
absl::StatusOr<std::string> WhyFailed(const std::string& game, const Scenario& scenario,
                                      const absl::Status& status, const Verdict& verdict) {
  const std::string why(status.message());
  if (!scenario.is_valid) {
    if (status.ok()) return "the move is legal";
    const std::string& reason = scenario[kReason];
    const bool is_said = why.find(reason) != std::string::npos ||
                         WhyUnreadable(game, scenario[kMove]).find(reason) != std::string::npos;
    return is_said ? "" : "it is none for another reason: " + why;
  }
  std::string after = scenario[kAfter];
  if (!after.empty() && after != verdict.after) {
    const absl::StatusOr<AnyState> expected = AnyState::Parse(game, after, kRulesOnly);
    if (!expected.ok()) {
      return absl::InvalidArgumentError("after: " + std::string(expected.status().message()));
    }
    after = expected->ToString();
  }
  if (!status.ok()) return why;
  if (!after.empty() && after != verdict.after) return "the position after the move is another";
  const std::string& ends = scenario[kEnds];
  const bool is_end = ends.empty() || *verdict.ends == ends || verdict.ends->ends_with(" " + ends);
  if (is_end) return "";
  return *verdict.ends == "-" ? "the game does not end"
                              : "the game ends otherwise: " + *verdict.ends;
}

// An error is a fault of the row: its position is none, or the one that it expects.
absl::StatusOr<Verdict> Judge(const std::string& game, const Scenario& scenario) {
  absl::StatusOr<AnyState> state = AnyState::Parse(game, scenario[kPosition], kRulesOnly);
  if (!state.ok()) {
    return absl::InvalidArgumentError("position: " + std::string(state.status().message()));
  }
  Verdict verdict;
  AnyState next = *state;
  const absl::Status status = TryMove(next, scenario[kMove]);
  if (status.ok()) {
    verdict.after = next.ToString();
    verdict.ends = EndsText(game, next);
  }
  ASSIGN_OR_RETURN(verdict.reason, WhyFailed(game, scenario, status, verdict));
  verdict.is_passed = verdict.reason.empty();
  if (verdict.is_passed) {
    const bool is_open = !scenario.is_valid && scenario[kReason].empty();
    if (is_open) verdict.unreadable = WhyUnreadable(game, scenario[kMove]);
    return verdict;
  }
  state->JudgeTurn();
  const AnyState::Moves moves = state->LegalMoves();
  verdict.nearby = Nearby(*state, moves, scenario[kMove]);
  verdict.legal_moves = moves.size();
  return verdict;
}

// --- what is printed ---

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
    text += absl::StrFormat(" none of %d legal moves is like it", verdict.legal_moves);
  }
  return text + "\n  rule      " + scenario[kRule] + "\n";
}

// A slip of the pen is as invalid as an illegal move, so it is told.
std::string UnreadableText(const Scenario& scenario, const Verdict& verdict) {
  return absl::StrFormat("%s (line %d): passed, but is no move at all: %s\n", scenario[kId],
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

// One line for each, up to a number.
int FailWith(const std::string& path, std::vector<FaultyRow> faults) {
  constexpr size_t kMost = 20;
  std::stable_sort(faults.begin(), faults.end(),
                   [](const FaultyRow& a, const FaultyRow& b) { return a.line < b.line; });
  for (size_t i = 0; i < std::min(kMost, faults.size()); ++i) {
    Fail(absl::StrFormat("%s:%d: %s", path, faults[i].line, faults[i].why));
  }
  if (faults.size() <= kMost) return kExitFailed;
  return Fail(absl::StrFormat("%s: %d more faults", path, faults.size() - kMost));
}

int RunScenarios(const ScenariosOptions& options) {
  const absl::StatusOr<const GameInfo*> info = LoadGame(options.game);
  if (!info.ok()) return UsageError(info.status());
  const absl::StatusOr<InputFile> file = InputFile::Open(options.path);
  if (!file.ok()) return Fail(file.status());
  ScenarioTable table = ReadScenarioTable(file->text());
  if (table.scenarios.empty() && table.faults.empty()) {
    return Fail(options.path + ": there is no scenario in it");
  }

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
  if (!table.faults.empty()) return FailWith(options.path, std::move(table.faults));
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
      "rule (the citation); and, each of which may be left empty or out, after (the position "
      "after\n"
      "a VALID move), ends (how it ends the game: `1-0 checkmate`, `stalemate`, or - where it "
      "does\n"
      "not) and reason (a part of what is said of an INVALID move). An INVALID text that is no "
      "move\n"
      "at all, perhaps a slip, passes and is told, unless its reason is given. A first line with "
      "a\n"
      "column id is a header; with one the columns may stand in any order.\n"
      "What fails is printed with position, move, legal moves nearby and the citation; then the\n"
      "exit code is 1. Only the rules count: draws that a match makes end nothing.\n\n"
      "Example:\n"
      "  triarch scenarios --game tri-d tests/data/scenarios/tri_d.tsv");
  SetRun(command, options, RunScenarios, exit_code);
}

}  // namespace triarch
