// Implements `triarch join`: seats a bot at an arena.

#include <sys/stat.h>

#include <atomic>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_format.h"
#include "arena/client/arena_client.h"
#include "bots/bots.h"
#include "bots/searchers.h"
#include "cli/arena/join_games.h"
#include "cli/arena/join_report.h"
#include "cli/cluster/tournament_hooks.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "cli/interrupt.h"
#include "cli/report.h"
#include "cli/rules/position_options.h"
#include "cli/tournament/option_flags.h"
#include "cli/tournament/protocol_log.h"
#include "core/any_state.h"
#include "core/base/counted.h"
#include "core/base/mutex.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "core/record/bot_error.h"
#include "core/record/odds.h"
#include "spec/bot_flag.h"
#include "spec/bot_word.h"
#include "worker/host/any_bot.h"
#include "worker/host/bot_copies.h"

namespace triarch {
namespace {

constexpr std::string_view kLlmBot = "llm";

struct JoinOptions {
  std::string url;
  std::string bot;
  std::string game = "triumvirate";
  arena::JoinWish wish;  // without game, type and opponents
  std::string opponents = "anyone";
  bool is_rated = false;
  bool is_unrated = false;
  std::string key_file;
  std::string ca_file;
  TimeControl limits;
  int64_t games = 1;
  int64_t tables = 1;
  bool is_json = false;
  std::string log;
  bool is_debug = false;
};

// Reads the key of an account, which nobody else may read.
absl::StatusOr<std::string> ReadKey(const std::string& path) {
  if (path.empty()) return std::string();
  ASSIGN_OR_RETURN(const std::string text, ReadOptionFile("--key-file", path));
  struct stat status {};
  const bool is_file = ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
  if (is_file && (status.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    return absl::InvalidArgumentError(absl::StrFormat(
        "--key-file: others may read or change %s; run chmod 600 %s", path, ShellWord(path)));
  }
  const std::string key(Trim(text));
  if (!key.empty() && IsPlainText(key) && key.find(' ') == std::string::npos) return key;
  return absl::InvalidArgumentError("--key-file: " + path + " does not hold one key");
}

// Returns the name of the language model that plays, if one does and it is known.
std::string ModelOf(const BotSpec& bot) {
  if (bot.bot != kLlmBot) return "";
  const auto given = bot.options.find(std::string(kModelOption));
  if (given != bot.options.end()) return given->second;
  const char* const usual = std::getenv("TRIARCH_LLM_MODEL");
  return usual == nullptr ? "" : usual;
}

// Returns the bot's limits.
absl::StatusOr<arena::TimeRules> RulesOf(const JoinOptions& options, const BotSpec& bot) {
  if (bot.limits.clock) {
    return absl::InvalidArgumentError(
        "--bot: option tc is for tournaments; an arena has its own "
        "time");
  }
  const TimeControl control = TimeControlOf(options.limits, bot);
  const bool has_own = bot.options.contains("nodes") || bot.options.contains("depth");
  return arena::TimeRules{
      .nodes = control.nodes,
      .depth = control.depth,
      .move_ms = control.movetime_ms,
      // A language model's answers take their time.
      .may_take_long = control.nodes || control.depth || has_own || bot.bot == kLlmBot};
}

absl::Status CheckTogether(const JoinOptions& options) {
  if (options.is_rated && options.is_unrated) {
    return absl::InvalidArgumentError("--rated and --unrated exclude each other");
  }
  if (options.is_rated && options.key_file.empty()) {
    return absl::InvalidArgumentError("--rated needs --key-file");
  }
  if (!options.wish.table.empty() && options.games != 1) {
    return absl::InvalidArgumentError("--table: one table has one game; leave out --games");
  }
  const bool is_id = options.wish.table.find_first_of("/?# %") == std::string::npos;
  if (!is_id) {
    return absl::InvalidArgumentError("--table: expected the id of a table, not " +
                                      Quote(options.wish.table));
  }
  return CheckOneBot("--bot", options.bot);
}

absl::Status CheckSeat(const GameInfo& game, const std::string& seat) {
  if (seat.empty()) return absl::OkStatus();
  std::string seats;
  for (const std::string_view name : game.seat_names) {
    const std::string lower = absl::AsciiStrToLower(std::string(name));
    if (lower == seat) return absl::OkStatus();
    if (!name.empty()) seats += (seats.empty() ? "" : ", ") + lower;
  }
  return absl::InvalidArgumentError("--seat: expected one of " + seats + ", not " + Quote(seat));
}

// Turns the options into a plan. InvalidArgument: they are wrong.
absl::StatusOr<JoinPlan> PlanOf(const JoinOptions& options) {
  RETURN_IF_ERROR(CheckTogether(options));
  JoinPlan plan;
  plan.arena.ca_file = options.ca_file;
  plan.wish = options.wish;
  ASSIGN_OR_RETURN(plan.arena.url, arena::ArenaUrl(options.url));
  ASSIGN_OR_RETURN(plan.arena.key, ReadKey(options.key_file));
  // Only to find out early whether it can be read.
  RETURN_IF_ERROR(ReadOptionFile("--tls-ca", options.ca_file).status());
  const absl::StatusOr<const GameInfo*> game = FindGame(options.game);
  if (!game.ok()) return ForOption("--game", game.status());
  plan.game = *game;
  RETURN_IF_ERROR(CheckSeat(**game, options.wish.seat));
  absl::StatusOr<BotSpec> bot = ReadBotWord(options.bot, "", options.game, MakeTournamentHooks());
  if (!bot.ok()) return ForOption("--bot", bot.status());
  plan.bot = *std::move(bot);
  ASSIGN_OR_RETURN(plan.rules, RulesOf(options, plan.bot));
  plan.games = options.games;
  plan.tables = options.tables;
  plan.wish.game = options.game;
  plan.wish.opponents = options.opponents;
  if (options.is_rated || options.is_unrated) plan.wish.rated = options.is_rated;
  plan.wish.type = plan.bot.bot == kLlmBot ? "llm" : "bot";
  if (plan.wish.model.empty()) plan.wish.model = ModelOf(plan.bot);
  // An account has a name.
  if (plan.wish.name.empty() && plan.arena.key.empty()) plan.wish.name = plan.bot.name;
  return plan;
}

// Copies the bot's files, so that changes to them do not matter during the games.
absl::StatusOr<std::shared_ptr<BotCopies>> CopyBot(const JoinPlan& plan) {
  if (!IsUserSupplied(plan.bot)) {
    const absl::Status here = CheckBotHere(plan.bot);
    if (!here.ok()) return WithBotName(plan.bot, here);
  }
  ASSIGN_OR_RETURN(std::shared_ptr<BotCopies> copies, BotCopies::Make({&plan.bot, 1}));
  const std::optional<BotSpec> copy = copies->Find(plan.bot);
  if (copy) {
    const absl::Status checked = CheckAnyBot(plan.game->name, *copy);
    if (!checked.ok()) return copies->Explain(plan.bot, checked);
  }
  return copies;
}

// Returns the exit code.
int Report(const JoinPlan& plan, const JoinGames& games, bool is_json) {
  if (is_json) {
    Print(JoinedGamesJson(plan.arena.url, plan.wish.game, plan.bot.name, games.games()));
  } else if (!games.games().empty()) {
    Print(JoinedGamesSummary(games.games()));
  }
  if (absl::IsCancelled(games.status())) {
    if (plan.games == 0) return kExitDone;
    int64_t ended = 0;
    for (const arena::TableGame& game : games.games()) ended += game.result ? 1 : 0;
    return Fail(absl::StrFormat("interrupted: %d of %d games were played", ended, plan.games));
  }
  if (!games.status().ok()) return Fail(games.status());
  if (games.failure_count() == 0) return kExitDone;
  return Fail(absl::StrFormat("bot %s failed in %d of %s", plan.bot.name, games.failure_count(),
                              Counted(games.games().size(), "game")));
}

int RunJoin(const JoinOptions& options) {
  const absl::StatusOr<JoinPlan> plan = PlanOf(options);
  if (!plan.ok()) {
    return absl::IsInvalidArgument(plan.status()) ? UsageError(plan.status()) : Fail(plan.status());
  }
  const absl::StatusOr<std::shared_ptr<ProtocolLog>> protocol =
      ProtocolLog::Open(options.log, options.is_debug ? [](const std::string& line) { Log(line); }
                                                      : std::function<void(const std::string&)>());
  if (!protocol.ok()) return UsageError(protocol.status());
  const absl::StatusOr<std::shared_ptr<BotCopies>> copies = CopyBot(*plan);
  if (!copies.ok()) return Fail(copies.status());
  std::function<void(std::string_view)> tap;
  if (options.is_debug || !options.log.empty()) {
    tap = [protocol = *protocol](std::string_view line) { protocol->Add(line); };
  }
  const auto log = [](const std::string& line) { Log(line); };
  const Interrupt interrupt;
  std::atomic<bool> stop = false;
  const std::jthread watch([&](const std::stop_token& is_done) {
    while (!is_done.stop_requested()) {
      if (interrupt.is_asked()) stop = true;
      std::this_thread::sleep_for(kSignalPoll);
    }
  });
  JoinGames games(*plan, MakePlayerMaker(log, {.copies = *copies, .protocol = tap}), stop, log,
                  [&](const arena::TableGame& game) {
                    if (options.is_json) return;
                    PrintLine(JoinedGameLine(game));
                    std::fflush(stdout);
                  });
  games.Run();
  return Report(*plan, games, options.is_json);
}

void AddTableOptions(const Command& command, JoinOptions* options) {
  arena::JoinWish& wish = options->wish;
  command.AddText({"--opponents", "WHO",
                   "anyone; private: those to whom you give the table's id; or a list of\n"
                   "the arena's house bots, one for each other seat"},
                  &options->opponents);
  command.AddText({"--table", "ID", "Sit down at this table, which waits for players"},
                  &wish.table);
  command.AddText({"--seat", "SEAT", "Ask for this seat, as in white; you may get another"},
                  &wish.seat);
  command.AddFlag({"--rated", "", "Play only rated games, with --key-file"}, &options->is_rated);
  command.AddFlag({"--unrated", "", "Play unrated games even with --key-file"},
                  &options->is_unrated);
  command.AddNumber({"--fill-seconds", "N",
                     "Let house bots take empty seats after this time (default: the arena's)"},
                    {0, 3'600}, &wish.fill_seconds);
  command.AddNumber({"--move-seconds", "N", "Time for a move (default: the arena's)"}, {1, 86'400},
                    &wish.move_seconds);
}

void AddBotOptions(const Command& command, JoinOptions* options) {
  command.AddNumber({"--nodes", "N", "Limit the bot's search to this many nodes per move"},
                    {1, INT64_MAX}, &options->limits.nodes);
  command.AddNumber({"--depth", "PLIES", "Limit the bot's search depth"}, {1, 100},
                    &options->limits.depth);
  command.AddNumber({"--movetime-ms", "MS", "Time that the bot takes for a move"}, {1, 86'400'000},
                    &options->limits.movetime_ms);
  command.AddFile(
      {"--log", "FILE", "Write all lines to and from a process bot, with times, to FILE"},
      &options->log);
  command.AddFlag({"--debug", "", "Print all lines to and from a process bot on standard error"},
                  &options->is_debug);
}

}  // namespace

void AddJoinCommand(const Command& app) {
  auto options = std::make_shared<JoinOptions>();
  const Command command = app.AddCommand("join", "Seat a bot at an arena.");
  command
      .AddText({"URL", "", "Address of the arena, as in https://arena.example.org"}, &options->url)
      .Required();
  command
      .AddText({"--bot", "BOT",
                "[NAME=]BOT[:OPTION=VALUE...]: a bundled bot, a program, a plugin\n"
                "(.so), a folder with a bot.yaml, or a command in quotes"},
               &options->bot)
      .Required();
  command.AddText({"--game", "GAME", "Game to play"}, &options->game).Completes(GameNames());
  command.AddText({"--name", "NAME", "Name at the arena (default: the bot's)"},
                  &options->wish.name);
  command.AddText({"--model", "MODEL", "Language model to name (default: that of the bot llm)"},
                  &options->wish.model);
  command.AddFile({"--key-file", "FILE", "Play as the account with the key in this file"},
                  &options->key_file);
  command.AddFile(
      {"--tls-ca", "FILE", "PEM file of the authority that signed the arena's certificate"},
      &options->ca_file);
  AddTableOptions(command, options.get());
  AddBotOptions(command, options.get());
  command.AddNumber({"--games", "N", "Play N games; 0: until Ctrl-C"}, {0, 1'000'000'000},
                    &options->games);
  command.AddNumber({"--concurrency", "N", "Play at this many tables at a time"}, {1, 1'000},
                    &options->tables);
  command.AddFlag({"--json", "", "At the end, print the games as one JSON object (docs/json.md)"},
                  &options->is_json);
  command.Footer(
      "A bot with limits of its own (nodes, depth), and llm, may take up to four fifths of the\n"
      "arena's time for a move; any other bot is given a thirtieth, unless --movetime-ms says "
      "more.\n"
      "If the bot crashes, sends an illegal move or runs out of time, its seat is resigned and "
      "the\n"
      "next game begins, but not after three such games in a row. The exit code is then 1. Ctrl-C\n"
      "resigns, or leaves a table that waits; with --games 0, the exit code is then 0.\n\n"
      "Examples:\n"
      "  triarch join http://127.0.0.1:8080 --bot smart\n"
      "  triarch join https://arena.example.org --bot mcts:nodes=500 --game tri-d --games 10\n"
      "  triarch join https://arena.example.org --bot mine=./mine/bot.py --key-file mine.key\n"
      "  triarch join http://127.0.0.1:8080 --bot llm --opponents smart,mcts:nodes=500");
  command.OnRun(options, RunJoin);
}

}  // namespace triarch
