// Implements `triarch show`, which draws a board.

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_format.h"
#include "cli/color_option.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "cli/rules/names_option.h"
#include "cli/rules/position_options.h"
#include "core/any_state.h"
#include "core/base/check.h"
#include "core/base/text.h"
#include "core/game/json_reader.h"
#include "core/game/picture.h"
#include "scenarios/play_move.h"

namespace triarch {
namespace {

struct ShowOptions {
  PositionOptions position;
  std::vector<std::string> moves;
  std::optional<std::string> svg;
  std::string players;
  bool has_cell_names = false;
  std::string color = "auto";
  std::string names;
  bool has_moves = false;
  std::optional<std::string> from;
};

// Reads the bots' names: none, or one for each seat.
absl::StatusOr<std::vector<std::string>> ReadPlayers(const std::string& text,
                                                     const GameInfo& info) {
  std::vector<std::string> players;
  if (text.empty()) return players;
  for (const std::string_view name : Split(text, ',')) players.emplace_back(Trim(name));
  if (players.size() == info.seats) return players;
  return absl::InvalidArgumentError(
      absl::StrFormat("--players: expected %d names, not %d", info.seats, players.size()));
}

MoveMark MarkOf(const Json& move) {
  if (!move.at("promotion").is_null()) return MoveMark::kPromotion;
  if (!move.at("captured").is_null()) return MoveMark::kCapture;
  return move.at("type") == "castling" ? MoveMark::kCastling : MoveMark::kTarget;
}

// Returns the targets of the legal moves, or of those that begin at `from` if it is given.
MoveMarks MarkMoves(const AnyState& state, const std::optional<std::string>& from) {
  MoveMarks marks;
  const AnyState::Moves moves = state.LegalMoves();
  for (size_t i = 0; i < moves.size(); ++i) {
    if (from && state.MoveStart(moves, i) != *from) continue;
    const absl::StatusOr<Json> move = ParseJson(state.MoveToJson(moves, i));
    CHECK(move.ok());
    MoveMark& mark = marks[move->at("to").get<std::string>()];  // at first kTarget
    mark = std::max(mark, MarkOf(*move));
  }
  return marks;
}

int WriteSvg(const AnyState& state, const SvgStyle& style, const std::string& path) {
  absl::StatusOr<OutputFile> file = OutputFile::Create(path, kSvgFile);
  if (!file.ok()) return Fail(file.status());
  if (const absl::Status status = file->Write(state.ToSvg(style)); !status.ok())
    return Fail(status);
  return Finish(file->Commit());
}

int RunShow(const ShowOptions& options) {
  absl::StatusOr<AnyState> state = LoadState(options.position, kRulesOnly);
  if (!state.ok()) return UsageError(state.status());
  const auto players = ReadPlayers(options.players, state->info());
  if (!players.ok()) return UsageError(players.status());
  const absl::StatusOr<Names> names = Names::Read(options.names, state->info());
  if (!names.ok()) return UsageError(names.status());
  if (const absl::Status played = PlayMoves(*state, names->Parse(options.moves)); !played.ok()) {
    return Fail(names->Write(played));
  }
  const auto from = ReadFrom(options.from, *names, *state);
  if (!from.ok()) return UsageError(from.status());
  const MoveMarks marks = options.has_moves ? MarkMoves(*state, *from) : MoveMarks();
  if (options.svg) {
    return WriteSvg(*state,
                    {.players = *players,
                     .has_cell_names = options.has_cell_names,
                     .moves = marks,
                     .names = options.names},
                    *options.svg);
  }
  const absl::StatusOr<std::string> board = state->ToBoard(
      {.is_colored = IsColored(options.color), .names = options.names, .moves = marks});
  if (!board.ok()) return UsageError("--names: " + std::string(board.status().message()));
  PrintBoard(*board);
  return kExitDone;
}

}  // namespace

void AddShowCommand(const Command& app) {
  auto options = std::make_shared<ShowOptions>();
  const Command command =
      app.AddCommand("show", "Draw a position in the terminal or as an SVG picture.");
  AddPositionOptions(command, &options->position);
  command.AddText({"MOVE", "", "Moves to play first, as in `play`; the last one is marked"},
                  &options->moves);
  const CommandOption svg = command.AddFile(
      {"--svg", "FILE", "Write an SVG picture to FILE; - means standard output"}, &options->svg);
  command
      .AddText({"--players", "NAME,NAME,NAME",
                "Write the bots' names next to their seats in the SVG picture"},
               &options->players)
      .Needs(svg);
  command
      .AddFlag({"--cells", "",
                "Write the cells' names into the SVG picture of Triumvirate; the\n"
                "other games' pictures always show them"},
               &options->has_cell_names)
      .Needs(svg);
  AddColorOption(command, &options->color);
  AddNamesOption(command, &options->names);
  const CommandOption moves = command.AddFlag(
      {"--moves", "", "Mark where legal moves go: targets, captures, castling, promotions"},
      &options->has_moves);
  command
      .AddText({"--from", "CELL", "Mark only the moves that begin on CELL (or on a board's pin)"},
               &options->from)
      .Needs(moves);
  command.Footer(
      "Examples:\n"
      "  triarch show\n"
      "  triarch show E2-E4 D7-D6\n"
      "  triarch show --moves --from B1\n"
      "  triarch show --names triumvirate --color never\n"
      "  triarch show --game tri-d --start meder --svg board.svg\n"
      "  triarch show E2-E4 --svg board.svg --cells --players mine,greedy,random");
  command.OnRun(options, RunShow);
}

}  // namespace triarch
