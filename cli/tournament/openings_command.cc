// Implements `triarch openings`: makes sets of balanced openings.

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>

#include "absl/strings/str_format.h"
#include "bots/bots.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "cli/interrupt.h"
#include "cli/report.h"
#include "cli/rules/position_options.h"
#include "cli/tournament/make_openings.h"
#include "core/any_state.h"
#include "core/base/check.h"
#include "core/base/counted.h"
#include "core/base/status_macros.h"
#include "core/record/played_game.h"
#include "core/record/tpgn.h"
#include "spec/bot_flag.h"

namespace triarch {
namespace {

struct OpeningsOptions {
  std::string game = "triumvirate";
  int64_t lines = 250;
  int64_t plies = 6;
  uint64_t seed = 1;
  std::string bot = "mcts:nodes=1000";
  std::string player = "paranoid:nodes=1000";
  std::string tpgn;
};

absl::StatusOr<BotSpec> ReadBot(std::string_view flag, const std::string& text,
                                const GameInfo& game) {
  absl::StatusOr<BotSpec> bot = ParseBotFlag(text);
  absl::Status status = bot.ok() ? CheckBot(game, *bot) : bot.status();
  if (status.ok() && bot->limits != BotLimits()) {
    status = absl::InvalidArgumentError("a time limit would make the openings depend on chance");
  }
  if (status.ok()) return bot;
  return absl::InvalidArgumentError(absl::StrFormat("%s: %s", flag, Message(status)));
}

absl::StatusOr<OpeningsRequest> ReadRequest(const OpeningsOptions& options) {
  OpeningsRequest request{.lines = options.lines, .plies = options.plies, .seed = options.seed};
  ASSIGN_OR_RETURN(request.game, LoadGame(options.game));
  ASSIGN_OR_RETURN(request.searcher, ReadBot("--bot", options.bot, *request.game));
  ASSIGN_OR_RETURN(request.player, ReadBot("--player", options.player, *request.game));
  return request;
}

// Describes how the set was made and what was measured, as lines of a comment.
std::string Describe(const OpeningsRequest& request, const MadeOpenings& made) {
  double worst = 0;
  for (const MadeOpenings::Line& line : made.lines) worst = std::max(worst, line.imbalance);
  std::string text = absl::StrFormat(
      "; %s of %s, chosen from %d random ones (seed %d): %s expected\n"
      "; at most %.3f more or less than an equal share of the points for any seat.\n",
      Counted(made.lines.size(), "opening"), Counted(request.plies, "ply", "plies"), made.drawn,
      request.seed, request.searcher.name, worst);
  text += absl::StrFormat("; Points per game when %s plays each four times against itself:\n;",
                          request.player.name);
  for (size_t i = 0; i < request.game->seats; ++i) {
    const Seat seat = SeatAt(i);
    text += absl::StrFormat("%s %s %.3f ± %.3f", i == 0 ? "" : ",", request.game->seat_name(seat),
                            made.points[seat], made.error[seat]);
  }
  return text + " (± one standard error).\n";
}

// Writes the moves as a game without tags except Variant.
std::string LineToTpgn(const GameInfo& game, const MadeOpenings::Line& line,
                       std::string_view comment) {
  GameRecord record;
  record.game = game.name;
  AnyState state = AnyState::Start(game.name, "").value();
  for (const std::string& text : line.moves) {
    const AnyState::Moves moves = state.LegalMoves();
    const absl::StatusOr<size_t> number = state.FindMove(moves, text);
    CHECK(number.ok());
    PlayRecorded(moves, *number, &state, &record.events.emplace_back());
  }
  const std::string tpgn = WriteTpgn(record);
  return absl::StrFormat("[Variant \"%s\"]\n\n%s%s", std::string(game.variant), comment,
                         tpgn.substr(tpgn.find("\n\n") + 2));
}

absl::StatusOr<MadeOpenings> MakeUntilInterrupted(const OpeningsRequest& request) {
  std::atomic<bool> stop = false;
  std::atomic<bool> is_done = false;
  const Interrupt interrupt;
  std::thread watcher([&] {
    while (!is_done) {
      if (interrupt.is_asked()) stop = true;
      std::this_thread::sleep_for(kSignalPoll);
    }
  });
  absl::StatusOr<MadeOpenings> made = MakeOpenings(request, stop);
  is_done = true;
  watcher.join();
  return made;
}

int RunMakeOpenings(const OpeningsOptions& options) {
  const absl::StatusOr<OpeningsRequest> request = ReadRequest(options);
  if (!request.ok()) return UsageError(request.status());
  absl::StatusOr<OutputFile> file = OutputFile::Create(options.tpgn, kTpgnFile);
  if (!file.ok()) return Fail(file.status());
  const absl::StatusOr<MadeOpenings> made = MakeUntilInterrupted(*request);
  if (!made.ok()) return Fail(made.status());
  std::string comment = Describe(*request, *made);
  std::string text;
  for (const MadeOpenings::Line& line : made->lines) {
    text += LineToTpgn(*request->game, line, text.empty() ? comment : "");
  }
  absl::Status status = file->Write(text);
  if (status.ok()) status = file->Commit();
  if (!status.ok()) return Fail(status);
  Print(comment);
  return kExitDone;
}

void AddMake(const Command& app) {
  auto options = std::make_shared<OpeningsOptions>();
  const Command command =
      app.AddCommand("make", "Make openings that are even for all seats, as TPGN.");
  AddGameOption(command, &options->game);
  command.AddNumber({"--lines", "N", "Make N openings"}, {2, 10'000}, &options->lines);
  command.AddNumber({"--plies", "N", "Length of each opening"}, {1, 200}, &options->plies);
  command.AddNumber({"--seed", "N", "Determines all random choices"}, &options->seed);
  command.AddText({"--bot", "NAME[:OPTION=VALUE...]", "Bot that evaluates the openings"},
                  &options->bot);
  command.AddText({"--player", "NAME[:OPTION=VALUE...]",
                   "Bot that plays them in all seats, to measure the points of each seat"},
                  &options->player);
  command.AddFile({"--tpgn", "FILE", "Write the openings to FILE"}, &options->tpgn).Required();
  command.Footer(
      "Draws eight times as many random openings, lets the bot play one move per seat from each,\n"
      "and keeps those in which the points it expects for the seats differ least. Prints what it\n"
      "measured, which is also a comment in the file. A tournament plays them with\n"
      "openings: {tpgn: FILE}. Triarch's own sets, openings: {set: balanced}, were made like "
      "this.\n\n"
      "Example:\n"
      "  triarch openings make --game tri-d --lines 50 --plies 4 --tpgn openings.tpgn");
  command.OnRun(options, RunMakeOpenings);
}

}  // namespace

void AddOpeningsCommand(const Command& app) {
  const Command command = app.AddCommand("openings", "Make sets of balanced openings.");
  command.RequireCommand();
  AddMake(command);
  command.Footer("Example:\n  triarch openings make --game tri-d --tpgn openings.tpgn");
}

}  // namespace triarch
