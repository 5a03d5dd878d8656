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
#include "cli/rules/play_move.h"
#include "cli/rules/position_options.h"
#include "core/any_state.h"
#include "core/base/text.h"

// moves, play, check: the rules, asked about one position.
namespace triarch {
namespace {

struct MovesOptions {
  PositionOptions position;
  std::optional<std::string> from;
  std::optional<std::string> form;
  bool is_json = false;
};

// The legal moves in canonical text with their numbers, sorted bytewise; those that begin at one
// place if it is given.
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

// A place where moves begin, for messages: that of the first one of the default start.
std::string SomePlace(const GameInfo& info) {
  const AnyState start = AnyState::Start(info.name, "").value();
  return start.MoveStart(start.LegalMoves(), 0);
}

// The place that --from names, if it is given.
absl::StatusOr<std::optional<std::string>> ReadFrom(const MovesOptions& options,
                                                    const AnyState& state) {
  if (!options.from) return std::optional<std::string>();
  const std::optional<std::string> from = state.FindStart(*options.from);
  if (from) return from;
  return absl::InvalidArgumentError("--from: " + Quote(*options.from) +
                                    " is no cell of the board; as " + SomePlace(state.info()));
}

// The number of the form that --form names; the canonical one, 0, if it is not given.
absl::StatusOr<size_t> ReadForm(const MovesOptions& options, const AnyState& state) {
  if (!options.form) return size_t{0};
  std::string known;
  const std::span<const std::string_view> forms = AnyState::MoveForms(state.info().name);
  for (size_t i = 0; i < forms.size(); ++i) {
    if (*options.form == forms[i]) return i;
    known += (i == 0 ? "" : i + 1 == forms.size() ? " or " : ", ") + std::string(forms[i]);
  }
  return absl::InvalidArgumentError("--form: " + Quote(*options.form) +
                                    " is no form of moves; expected " + known);
}

int RunMoves(const MovesOptions& options) {
  // Draws that must be claimed do not take the moves away.
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

// The result as words or as JSON members; empty while the game runs.
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
  for (size_t i = 0; i < options.moves.size(); ++i) {
    const std::string& move = options.moves[i];
    if (const absl::Status status = PlayMove(*state, move); !status.ok()) {
      return Fail(
          absl::StrFormat("move %d %s: %s", i + 1, Quote(move), std::string(status.message())));
    }
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

// "CODE field N: message". JSON that is no position JSON has no code of the game's notation and
// gets one here, so that the line is always of one form.
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

void AddMoves(CLI::App& app, int* exit_code) {
  auto options = std::make_shared<MovesOptions>();
  CLI::App* const command = app.add_subcommand(
      "moves", "List the legal moves of a position, one a line, sorted bytewise.");
  AddPositionOptions(command, &options->position);
  AddTextOption(command, "--from", &options->from,
                "Only the moves that begin on CELL (or, if it is a board that moves, on a pin)")
      ->type_name("CELL");
  const auto form =
      AddTextOption(command, "--form", &options->form,
                    "How they are written, canonical by default\n(" + MoveFormNames() + ")")
          ->type_name("FORM");
  command->add_flag("--json", options->is_json, "A JSON array of move objects in the same order")
      ->excludes(form);
  command->footer(
      "Draws that must be claimed take no moves away; a game that is over has none.\n\n"
      "Examples:\n"
      "  triarch moves\n"
      "  triarch moves --start server --from B1\n"
      "  triarch moves --game tri-d --form short\n"
      "  triarch moves --position \"$(triarch play E2-E4 D7-D6)\" --json");
  SetRun(command, options, RunMoves, exit_code);
}

void AddPlay(CLI::App& app, int* exit_code) {
  auto options = std::make_shared<PlayOptions>();
  CLI::App* const command =
      app.add_subcommand("play", "Play moves and print the resulting position on one line.");
  AddPositionOptions(command, &options->position);
  command->add_flag("--json", options->is_json,
                    "Position JSON; after the end also result, termination, placement");
  command
      ->add_option("MOVE", options->moves,
                   "In any form of the game: E2-E4, E4xD5, A7-A8=Q, castling as E1-G1 or O-O;\n"
                   "of tri-d a2W-a4N, QL1-QL3, Nc6B; or resign:w: the seat of that letter\n"
                   "resigns, whoever's turn it is")
      ->type_name("");
  command->footer(
      "When the game is over, a second line says how: `result 1-0-0 termination checkmate\n"
      "placement 1-3-2`. Draws are claimed as soon as they can be. An illegal move is an error\n"
      "that says which and why, and the exit code is 1.\n\n"
      "Examples:\n"
      "  triarch play E2-E4 D7-D6 I11-I10\n"
      "  triarch play --start server resign:b resign:r\n"
      "  triarch play --game tri-d --start meder Nb3N a5N Nxa5N");
  SetRun(command, options, RunPlay, exit_code);
}

void AddCheck(CLI::App& app, int* exit_code) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App* const command =
      app.add_subcommand("check", "Check a position: `ok`, or `error CODE field N: message`.");
  AddGameOption(command, &options->game);
  command
      ->add_option("POSITION", options->position,
                   "The game's notation (" + NotationNames() +
                       "), or\nposition JSON if it begins with '{'; - is standard input")
      ->type_name("")
      ->required();
  command->footer(
      "The exit code is 0 for a good position and 1 for a wrong one. The code is one of the "
      "game's\n"
      "notation, or BAD_JSON (field 0) for JSON that is no position.\n\n"
      "Examples:\n"
      "  triarch check 'wKE1,bKI8,rKI12 w w-.b-.r- - aaa 0 1'\n"
      "  triarch play E2-E4 --json | triarch check -");
  SetRun(command, options, RunCheck, exit_code);
}

}  // namespace

void AddPositionCommands(CLI::App& app, int* exit_code) {
  AddMoves(app, exit_code);
  AddPlay(app, exit_code);
  AddCheck(app, exit_code);
}

}  // namespace triarch
