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
#include "cli/rules/names_option.h"
#include "cli/rules/position_options.h"
#include "core/any_state.h"
#include "core/base/check.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "core/game/json_reader.h"
#include "core/game/position_fault.h"
#include "core/record/game_record.h"
#include "core/record/spec_words.h"
#include "core/record/tpgn.h"
#include "scenarios/play_move.h"

namespace triarch {
namespace {

struct MovesOptions {
  PositionOptions position;
  std::optional<std::string> from;
  std::optional<std::string> form;
  std::string names;
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
  const absl::StatusOr<Names> names = Names::Read(options.names, state->info());
  if (!names.ok()) return UsageError(names.status());
  const auto from = ReadFrom(options.from, *names, *state);
  if (!from.ok()) return UsageError(from.status());
  const absl::StatusOr<size_t> form = ReadForm(options, *state);
  if (!form.ok()) return UsageError(form.status());
  const AnyState::Moves moves = state->LegalMoves();
  std::string out;
  for (const auto& [text, number] : SortedMoves(*state, moves, *from)) {
    if (options.is_json) {
      out += (out.empty() ? "[" : ",\n ") + state->MoveToJson(moves, number);
    } else {
      out += names->Write(state->MoveInForm(moves, number, *form)) + "\n";
    }
  }
  if (options.is_json) out += out.empty() ? "[]\n" : "]\n";
  Print(out);
  return kExitDone;
}

struct PlayOptions {
  PositionOptions position;
  std::string draws = "automatic";
  std::optional<std::string> tpgn;
  std::string names;
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

// Returns the game with these events, which leads from `start` to `end`.
GameRecord RecordOf(const PlayOptions& options, const AnyState& start, const AnyState& end,
                    std::vector<RecordedEvent> events) {
  GameRecord record;
  record.game = start.info().name;
  if (options.position.position || options.position.start) {
    record.position = start.ToString();
    record.first_round = start.move_number();
  }
  record.time_control = "-";
  record.draw_rules.draws = *ParseDraws(options.draws);
  record.plies = std::count_if(events.begin(), events.end(), [](const RecordedEvent& event) {
    return event.kind == RecordedEvent::Kind::kMove;
  });
  record.events = std::move(events);
  record.is_finished = end.outcome().has_value();
  if (record.is_finished) record.outcome = *end.outcome();
  record.endings = end.endings();
  return record;
}

absl::Status WriteGame(const std::string& path, const GameRecord& record) {
  ASSIGN_OR_RETURN(OutputFile file, OutputFile::Create(path, kTpgnFile));
  RETURN_IF_ERROR(file.Write(WriteTpgn(record)));
  return file.Commit();
}

int RunPlay(const PlayOptions& options) {
  absl::StatusOr<AnyState> state =
      LoadState(options.position, {.draws = *ParseDraws(options.draws)});
  if (!state.ok()) return UsageError(state.status());
  const absl::StatusOr<Names> names = Names::Read(options.names, state->info());
  if (!names.ok()) return UsageError(names.status());
  const AnyState start = *state;
  std::vector<RecordedEvent> events;
  if (const absl::Status status = PlayMoves(*state, names->Parse(options.moves), &events);
      !status.ok()) {
    return Fail(names->Write(status));
  }
  if (options.tpgn) {
    const absl::Status written =
        WriteGame(*options.tpgn, RecordOf(options, start, *state, std::move(events)));
    if (!written.ok()) return Fail(written);
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
  bool is_json = false;
};

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
  Json json = {
      {"ok", state.ok()}, {"error_code", nullptr}, {"field", nullptr}, {"message", nullptr}};
  if (state.ok()) {
    Print(options.is_json ? json.dump() + "\n" : "ok\n");
    return kExitDone;
  }
  PositionFault fault = FaultOf(state.status());
  fault.message += OtherGameHint(options.game, text);
  json["error_code"] = fault.code;
  json["field"] = fault.field;
  json["message"] = fault.message;
  Print(options.is_json
            ? json.dump() + "\n"
            : absl::StrFormat("error %s field %d: %s\n", fault.code, fault.field, fault.message));
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
  const CommandOption names = AddNamesOption(command, &options->names);
  command
      .AddFlag({"--json", "",
                "Print a JSON array of moves in the same order; excludes --form and\n--names"},
               &options->is_json)
      .Excludes(form)
      .Excludes(names);
  command.Footer(
      "Moves are sorted bytewise by their canonical form, one on each line. Claimable draws do\n"
      "not end the game; a game that is over has no moves.\n\n"
      "Examples:\n"
      "  triarch moves\n"
      "  triarch moves --start server --from B1\n"
      "  triarch moves --game tri-d --form short\n"
      "  triarch moves --names triumvirate --from W2/R2.3\n"
      "  triarch moves --position \"$(triarch play E2-E4 D7-D6)\" --json");
  command.OnRun(options, RunMoves);
}

void AddPlay(const Command& app) {
  auto options = std::make_shared<PlayOptions>();
  const Command command = app.AddCommand("play", "Play moves and print the resulting position.");
  AddPositionOptions(command, &options->position);
  command.AddFlag({"--json", "", "Print position JSON, with the result if the game is over"},
                  &options->is_json);
  command.AddFile({"--tpgn", "FILE", "Also write the game to FILE"}, &options->tpgn);
  AddNamesOption(command, &options->names);
  command.AddChoice({"--draws", "HOW", "Claim draws as soon as possible, or only by claim:w"},
                    {kDrawsWords.begin(), kDrawsWords.end()}, &options->draws);
  command.AddText({"MOVE", "",
                   "Moves in any form of the game: E2-E4, E4xD5, A7-A8=Q, castling\n"
                   "as E1-G1 or O-O; in tri-d a2W-a4N, QL1-QL3, Nc6B. resign:w makes\n"
                   "the seat with letter w resign, even when it is not to move. One\n"
                   "argument may hold several moves, and anything that TPGN writes\n"
                   "among them: '1. E2-E4 D7-D6+ -- {Red resigns}', or an object\n"
                   "of `triarch moves --json`"},
                  &options->moves);
  command.Footer(
      "If the game is over, a second line says how it ended:\n"
      "`result 1-0-0 termination checkmate placement 1-3-2`. If a move is illegal, the error\n"
      "says which move and why, and the exit code is 1. --names concerns the moves and errors;\n"
      "the position and the TPGN keep the default names.\n\n"
      "Examples:\n"
      "  triarch play E2-E4 D7-D6 I11-I10\n"
      "  triarch play --start server resign:b resign:r\n"
      "  triarch play --names triumvirate W2/R2.3-C/W.R\n"
      "  triarch play --tpgn game.tpgn '{\"from\": \"E2\", \"to\": \"E4\"}'\n"
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
  command.AddFlag({"--json", "", "Print {ok, error_code, field, message} as JSON"},
                  &options->is_json);
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
