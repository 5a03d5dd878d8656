// Implements `triarch replay`, which asks a bot again for its moves in a recorded game.

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>

#include "absl/strings/str_format.h"
#include "cli/cluster/tournament_hooks.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "cli/interrupt.h"
#include "cli/tournament/fault_text.h"
#include "cli/tournament/protocol_log.h"
#include "cli/tournament/recorded_game.h"
#include "cli/tournament/replay_game.h"
#include "core/base/counted.h"
#include "core/base/status_macros.h"
#include "core/record/time_control_tag.h"
#include "spec/bot_word.h"
#include "worker/host/any_bot.h"
#include "worker/host/bot_digest.h"

namespace triarch {
namespace {

struct ReplayOptions {
  RecordedGameOptions game;
  std::optional<std::string> bot;
  std::optional<std::string> with;
  std::string log;
  bool is_debug = false;
};

// Returns the seat to ask: the bot's, where it forfeited if it has several.
absl::StatusOr<Seat> SeatOf(const RecordedGame& game, size_t seats,
                            const std::optional<std::string>& bot) {
  std::optional<Seat> found;
  std::string names;
  for (size_t i = 0; i < seats; ++i) {
    const Seat seat = SeatAt(i);
    const std::string& name = game.record.bots[seat];
    names += (names.empty() ? "" : ", ") + name;
    const auto& ending = game.record.endings[seat];
    const bool is_forfeit = ending && IsForfeit(*ending);
    if (bot ? name == *bot || name.starts_with(*bot + " ") : is_forfeit) {
      if (!found || is_forfeit) found = seat;
    }
  }
  if (found) return *found;
  if (!bot) {
    return absl::InvalidArgumentError("--bot: no bot forfeited this game; name one of " + names);
  }
  return absl::InvalidArgumentError(
      absl::StrFormat("--bot: %s does not play this game; expected one of %s", *bot, names));
}

// Returns the bot of the seat, with its files as they are now.
absl::StatusOr<BotSpec> BotOf(const RecordedGame& game, Seat seat,
                              const std::optional<std::string>& with) {
  if (with) {
    absl::StatusOr<BotSpec> bot = ReadBotWord(*with, "", game.record.game, MakeTournamentHooks());
    if (!bot.ok()) return ForOption("--with", bot.status());
    return bot;
  }
  if (!game.spec) {
    return absl::InvalidArgumentError(
        "--with: a TPGN file does not say how to start a bot; give the bot with --with");
  }
  if (game.spec->tune) {
    return absl::FailedPreconditionError(
        "the games of a tuning do not record the options of each copy; give the bot with --with");
  }
  for (BotSpec bot : game.spec->bots) {
    if (bot.name != game.record.bots[seat]) continue;
    if (!bot.bundle.empty() && bot.dir.empty()) {
      return absl::FailedPreconditionError("the files of " + bot.name +
                                           " are on the coordinator; give a copy with --with");
    }
    if (bot.bot == kArenaPlayer) {
      return absl::FailedPreconditionError(
          bot.name + " played from elsewhere at an arena; give the bot with --with");
    }
    if (!bot.digest.empty()) {
      ASSIGN_OR_RETURN(bot.digest, DigestBot(bot));
    }
    return bot;
  }
  return absl::DataLossError("the tournament has no bot named " + game.record.bots[seat]);
}

void PrintResult(const ReplayResult& result) {
  Print(absl::StrFormat("%s, %d of them not as recorded\n", Counted(result.answers, "answer"),
                        result.differences));
  if (!result.fault) return;
  const GameFault& fault = *result.fault;
  Print(absl::StrFormat("ply %d: %s: %s\n", fault.ply, std::string(ToString(fault.why)),
                        fault.report.message));
  Print(ReportSections(fault.report));
}

// Returns the limits of the seat. A TPGN file does not say which clock was charged, nor the margin.
absl::StatusOr<TimeControl> LimitsOf(const RecordedGame& game, Seat seat) {
  if (game.spec) return game.spec->time_control;
  const std::string& own = game.record.time_controls[seat];
  return ParseTimeControlTag(own.empty() ? game.record.time_control : own);
}

absl::StatusOr<ReplayResult> AskAgain(const ReplayOptions& options) {
  ASSIGN_OR_RETURN(const RecordedGame game, OpenRecordedGame(options.game));
  ASSIGN_OR_RETURN(const GameInfo* const info, FindGame(game.record.game));
  ASSIGN_OR_RETURN(const Seat seat, SeatOf(game, info->seats, options.bot));
  ASSIGN_OR_RETURN(const TimeControl time_control, LimitsOf(game, seat));
  GameSpec spec = SpecOfRecord(game.record, time_control);
  ASSIGN_OR_RETURN(spec.seats[seat], BotOf(game, seat, options.with));
  std::function<void(const std::string&)> print;
  if (options.is_debug) print = Log;
  ASSIGN_OR_RETURN(const std::shared_ptr<ProtocolLog> log, ProtocolLog::Open(options.log, print));
  const PlayerMaker make = MakePlayerMaker(
      [](const std::string&) {}, {.protocol = [log](std::string_view line) { log->Add(line); }});
  ASSIGN_OR_RETURN(Player player, make(*info, spec.seats[seat]));
  const PlayerRef ref = std::visit([](const auto& held) { return PlayerRef(held.get()); }, player);
  Print(absl::StrFormat("game %s, %s as %s, seed %d\n",
                        ToString(GameNumber{game.record.match, game.record.index}),
                        spec.seats[seat].name, info->seat_name(seat), spec.seed));
  std::atomic<bool> stop = false;
  const Interrupt interrupt;
  const std::jthread watch([&](const std::stop_token& is_over) {
    while (!is_over.stop_requested()) {
      if (interrupt.is_asked()) stop = true;
      std::this_thread::sleep_for(kSignalPoll);
    }
  });
  const auto result = ReplayGame(game.record, spec, seat, ref, stop,
                                 [](const std::string& line) { Print(line + "\n"); });
  if (interrupt.is_asked()) return absl::CancelledError("interrupted");
  return result;
}

int RunReplay(const ReplayOptions& options) {
  const absl::Status usage = CheckRecordedGameOptions(options.game);
  if (!usage.ok()) return UsageError(usage);
  const absl::StatusOr<ReplayResult> result = AskAgain(options);
  if (!result.ok()) {
    const bool is_usage = result.status().message().substr(0, 2) == "--";
    return is_usage ? UsageError(result.status()) : Fail(result.status());
  }
  PrintResult(*result);
  return result->fault ? kExitFailed : kExitDone;
}

}  // namespace

void AddReplayCommand(const Command& app) {
  auto options = std::make_shared<ReplayOptions>();
  const Command command = app.AddCommand(
      "replay", "Ask a bot again for its moves in a recorded game, up to its fault.");
  AddRecordedGameOptions(command, &options->game);
  command.AddText({"--bot", "NAME", "The bot to ask; by default the one that forfeited"},
                  &options->bot);
  command.AddText({"--with", "BOT", "Ask this bot instead, as --bots names it: ./fixed/bot.py"},
                  &options->with);
  command.AddFile({"--log", "FILE", "Write all lines to and from the bot, with times, to FILE"},
                  &options->log);
  command.AddFlag({"--debug", "", "Print all lines to and from the bot on standard error"},
                  &options->is_debug);
  command.Footer(
      "The bot gets the same seed, position and clocks at each of its turns. The other seats "
      "repeat\n"
      "their moves, and whatever the bot answers, the game goes on as it was recorded. The exit\n"
      "code is 0 if the bot answers every time, and 1 if it forfeits again.\n\n"
      "Examples:\n"
      "  triarch replay --db my.db --id 3.17\n"
      "  triarch replay --db my.db --id 3.17 --bot mine --debug\n"
      "  triarch replay --db my.db --id 3.17 --bot mine --with ./fixed/bot.py\n"
      "  triarch replay --tpgn-in my.tpgn --id 3.17 --bot mine --with ./mine/bot.py");
  command.OnRun(options, RunReplay);
}

}  // namespace triarch
