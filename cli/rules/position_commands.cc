// Implements `triarch moves`, `play` and `check`, which apply the rules to one position.

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "cli/rules/position_options.h"
#include "core/any_state.h"
#include "core/base/text.h"
#include "scenarios/play_move.h"

namespace triarch {
namespace {

struct MovesOptions {
  PositionOptions position;
  std::optional<std::string> from;
  std::optional<std::string> form;
  bool is_json = false;
};

// Returns the canonical text and the number of each legal move, sorted bytewise. If `from` is
// given, returns only the moves that begin there.
std::vector<std::pair<std::string, size_t>> SortedMoves(const AnyState& state,
                                                        const AnyState::Moves& moves,
                                                        const std::optional<std::string>& from) {
  std::vector<std::pair<std::string, size_t>> sorted;
  for (size_t i = 0; i < moves.size(); ++i) {
    if (!from || state.MoveStart(moves, i) == *from) {
      sorted.emplace_back(state.MoveToString(moves, i), i);
    }
  }
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

// Returns an example of a cell for messages: the start of the first move in the default start.
std::string ExampleCell(const GameInfo& info) {
  const AnyState start = AnyState::Start(info.name, "").value();
  return start.MoveStart(start.LegalMoves(), 0);
}

// Returns the cell that --from names, if it was given.
absl::StatusOr<std::optional<std::string>> ReadFrom(const MovesOptions& options,
                                                    const AnyState& state) {
  if (!options.from) return std::optional<std::string>();
  const std::optional<std::string> from = state.FindStart(*options.from);
  if (from) return from;
  return absl::InvalidArgumentError("--from: expected a cell of the board such as " +
                                    ExampleCell(state.info()) + ", not " + Quote(*options.from));
}

// Returns the number of the form that --form names, by default 0, the canonical form.
absl::StatusOr<size_t> ReadForm(const MovesOptions& options, const AnyState& state) {
  if (!options.form) return size_t{0};
  std::string known;
  const std::span<const std::string_view> forms = AnyState::MoveForms(state.info().name);
  for (size_t i = 0; i < forms.size(); ++i) {
    if (*options.form == forms[i]) return i;
    known += (i == 0 ? "" : i + 1 == forms.size() ? " or " : ", ") + std::string(forms[i]);
  }
  return absl::InvalidArgumentError("--form: expected " + known + ", not " + Quote(*options.form));
}

int RunMoves(const MovesOptions& options) {
  // Claimable draws do not end the game here.
  const absl::StatusOr<AnyState> state = LoadState(options.position, kRulesOnly);
  if (!state.ok()) return UsageError(state.status());
  const auto from = ReadFrom(options, *state);
  if (!from.ok()) return UsageError(from.status());
  const absl::StatusOr<size_t> form = ReadForm(options, *state);
  if (!form.ok()) return UsageError(form.status());
  const AnyState::Moves moves = state->LegalMoves();
  std::string out;
  for (const auto& [text, number] : SortedMoves(*state, moves, *from)) {
    if (options.is_json) {
      out += (out.empty() ? "[" : ",\n ") + state->MoveToJson(moves, number);
    } else {
      out += state->MoveInForm(moves, number, *form) + "\n";
    }
  }
  if (options.is_json) out += out.empty() ? "[]\n" : "]\n";
  Print(out);
  return kExitDone;
}

struct PlayOptions {
  PositionOptions position;
  bool is_json = false;
  std::vector<std::string> moves;
};

// Returns the result as text or as JSON members, or "" while the game runs.
std::string ResultOf(const AnyState& state, bool is_json) {
  const std::optional<Outcome>& outcome = state.outcome();
  if (!outcome) return "";
  const size_t seats = state.info().seats;
  const std::string result = ResultText(outcome->place, seats);
  const std::string termination(ToString(outcome->termination));
  const std::string placement = PlacementText(outcome->place, seats);
  if (!is_json) {
    return absl::StrFormat("result %s termination %s placement %s\n", result, termination,
                           placement);
  }
  return absl::StrFormat(R"(,"result":"%s","termination":"%s","placement":"%s")", result,
                         termination, placement);
}

int RunPlay(const PlayOptions& options) {
  absl::StatusOr<AnyState> state = LoadState(options.position, {});
  if (!state.ok()) return UsageError(state.status());
  if (const absl::Status status = PlayMoves(*state, options.moves); !status.ok()) {
    return Fail(status);
  }
  if (options.is_json) {
    std::string json = state->ToJson();
    json.insert(json.rfind('}'), ResultOf(*state, true));
    Print(json + "\n");
  } else {
    Print(state->ToString() + "\n" + ResultOf(*state, false));
  }
  return kExitDone;
}

struct CheckOptions {
  std::string game = "triumvirate";
  std::string position;
};

// Returns "CODE field N: message". Errors in position JSON have no code of the game's notation, so
// they get the code BAD_JSON.
std::string FaultText(const absl::Status& status) {
  const std::string message(status.message());
  const size_t code_end = message.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
  const bool has_code = code_end != std::string::npos &&
                        std::string_view(message).substr(code_end).starts_with(" field ");
  return has_code ? message : "BAD_JSON field 0: " + message;
}

int RunCheck(const CheckOptions& options) {
  const absl::StatusOr<const GameInfo*> info = LoadGame(options.game);
  if (!info.ok()) return UsageError(info.status());
  std::string text = options.position;
  if (text == "-") {
    const absl::StatusOr<InputFile> input = InputFile::Open(text);
    if (!input.ok()) return Fail(input.status());
    text = Trim(input->text());
  }
  const absl::StatusOr<AnyState> state = AnyState::Parse((*info)->name, text);
  if (state.ok()) {
    Print("ok\n");
    return kExitDone;
  }
  Print("error " + FaultText(state.status()) + OtherGameHint(options.game, text) + "\n");
  return kExitFailed;
}

void AddMoves(const Command& app) {
  auto options = std::make_shared<MovesOptions>();
  const Command command = app.AddCommand("moves", "List the legal moves of a position, sorted.");
  AddPositionOptions(command, &options->position);
  command.AddText(
      {"--from", "CELL", "List only the moves that begin on CELL (or on a board's pin)"},
      &options->from);
  const CommandOption form = command.AddText(
      {"--form", "FORM",
       "Write the moves in this form (default: canonical)\n(" + MoveFormNames() + ")"},
      &options->form);
  command
      .AddFlag({"--json", "", "Print a JSON array of moves in the same order; excludes --form"},
               &options->is_json)
      .Excludes(form);
  command.Footer(
      "Moves are sorted bytewise by their canonical form, one on each line. Claimable draws do\n"
      "not end the game; a game that is over has no moves.\n\n"
      "Examples:\n"
      "  triarch moves\n"
      "  triarch moves --start server --from B1\n"
      "  triarch moves --game tri-d --form short\n"
      "  triarch moves --position \"$(triarch play E2-E4 D7-D6)\" --json");
  command.OnRun(options, RunMoves);
}

void AddPlay(const Command& app) {
  auto options = std::make_shared<PlayOptions>();
  const Command command = app.AddCommand("play", "Play moves and print the resulting position.");
  AddPositionOptions(command, &options->position);
  command.AddFlag({"--json", "", "Print position JSON, with the result if the game is over"},
                  &options->is_json);
  command.AddText({"MOVE", "",
                   "Moves in any form of the game: E2-E4, E4xD5, A7-A8=Q, castling\n"
                   "as E1-G1 or O-O; in tri-d a2W-a4N, QL1-QL3, Nc6B. resign:w makes\n"
                   "the seat with letter w resign, even when it is not to move. One\n"
                   "argument may hold several moves, and anything that TPGN writes\n"
                   "among them: '1. E2-E4 D7-D6+ -- {Red resigns}'"},
                  &options->moves);
  command.Footer(
      "If the game is over, a second line says how it ended:\n"
      "`result 1-0-0 termination checkmate placement 1-3-2`. Draws are claimed as soon as\n"
      "possible. If a move is illegal, the error says which move and why, and the exit code is "
      "1.\n\n"
      "Examples:\n"
      "  triarch play E2-E4 D7-D6 I11-I10\n"
      "  triarch play --start server resign:b resign:r\n"
      "  triarch play --game tri-d --start meder Nb3N a5N Nxa5N");
  command.OnRun(options, RunPlay);
}

void AddCheck(const Command& app) {
  auto options = std::make_shared<CheckOptions>();
  const Command command = app.AddCommand("check", "Check whether a position is valid.");
  AddGameOption(command, &options->game);
  command
      .AddText({"POSITION", "",
                "The position in the game's notation\n(" + NotationNames() +
                    ")\nor as position JSON; - reads it from standard input"},
               &options->position)
      .Required();
  command.Footer(
      "Prints `ok`, or `error CODE field N: message` with exit code 1. CODE is one of the error\n"
      "codes of the game's notation, or BAD_JSON (field 0) for wrong position JSON.\n\n"
      "Examples:\n"
      "  triarch check 'wKE1,bKI8,rKI12 w w-.b-.r- - aaa 0 1'\n"
      "  triarch play E2-E4 --json | triarch check -");
  command.OnRun(options, RunCheck);
}

}  // namespace

void AddPositionCommands(const Command& app) {
  AddMoves(app);
  AddPlay(app);
  AddCheck(app);
}

}  // namespace triarch
