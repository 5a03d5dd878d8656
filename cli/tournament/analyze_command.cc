// Implements `triarch analyze`: judges the moves of a recorded game, or of all games of a bot.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "cli/cluster/tournament_hooks.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "cli/tournament/analysis_text.h"
#include "cli/tournament/game_analysis.h"
#include "cli/tournament/games_of_bot.h"
#include "cli/tournament/loss_table.h"
#include "cli/tournament/recorded_game.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "spec/bot_word.h"
#include "worker/host/any_bot.h"

namespace triarch {
namespace {

constexpr int64_t kGamesIfUnspecified = 100;

struct AnalyzeOptions {
  RecordedGameOptions game;
  // By hand, because what counts as a blunder was chosen for that evaluation.
  std::string bot = "mcts:nodes=2000:net=none";
  std::optional<std::string> of;
  std::optional<int64_t> games;
  std::optional<int64_t> slots;
  std::optional<std::string> tpgn;
  bool is_json = false;
};

absl::Status CheckAnalyzeOptions(const AnalyzeOptions& options) {
  RETURN_IF_ERROR(CheckRecordedGameOptions(options.game));
  if (options.of && options.game.id) {
    return absl::InvalidArgumentError("--of analyses many games; expected no --id");
  }
  if (options.of && options.tpgn) {
    return absl::InvalidArgumentError("--of prints a table; expected no --tpgn");
  }
  if (options.games && !options.of) {
    return absl::InvalidArgumentError("--games needs --of NAME");
  }
  if (options.is_json && options.tpgn == "-") {
    return absl::InvalidArgumentError(
        "--json and --tpgn - both need standard output; give --tpgn a file");
  }
  for (const std::string& input : {options.game.stored.db, options.game.tpgn_in}) {
    if (options.tpgn && IsSameFile(*options.tpgn, input)) {
      return absl::InvalidArgumentError("--tpgn: " + input +
                                        " holds the game; expected another file");
    }
  }
  return absl::OkStatus();
}

// Reads the analyst, for that game.
absl::StatusOr<AnalysisSettings> SettingsOf(const AnalyzeOptions& options,
                                            const std::string& game) {
  const TournamentHooks hooks = MakeTournamentHooks();
  absl::StatusOr<BotSpec> bot = ReadBotWord(options.bot, "", game, hooks);
  if (!bot.ok()) return ForOption("--bot", bot.status());
  const size_t cores = std::max(std::thread::hardware_concurrency(), 1u);
  return AnalysisSettings{.analyst = *std::move(bot),
                          .make_player = MakePlayerMaker([](const std::string&) {}),
                          .slots = options.slots ? static_cast<size_t>(*options.slots) : cores};
}

using EventAnalyses = std::vector<std::optional<EventAnalysis>>;

// Analyses the events and shows the progress on standard error. `is_cut` becomes true if the user
// ends it early.
absl::StatusOr<EventAnalyses> AnalyzeAndShow(const std::vector<AnalysisTask>& tasks,
                                             const AnalysisSettings& settings, bool* is_cut) {
  using Clock = std::chrono::steady_clock;
  const Interrupt interrupt;
  const Clock::time_point began = Clock::now();
  ProgressLine progress(stderr, TerminalColumns(stderr), began);
  return Analyze(tasks, settings, [&](size_t done) {
    const Clock::time_point now = Clock::now();
    ProgressFigures figures;
    figures.games_done = static_cast<int64_t>(done);
    figures.games_total = static_cast<int64_t>(tasks.size());
    figures.games_per_second =
        static_cast<double>(done) / std::chrono::duration<double>(now - began).count();
    figures.unit = "moves";
    progress.Update(figures, now);
    *is_cut |= interrupt.is_asked();
    return !*is_cut;
  });
}

absl::Status AnalyzeOne(const AnalyzeOptions& options) {
  ASSIGN_OR_RETURN(const RecordedGame game, OpenRecordedGame(options.game));
  ASSIGN_OR_RETURN(const GameInfo* const info, FindGame(game.record.game));
  ASSIGN_OR_RETURN(const AnalysisSettings settings, SettingsOf(options, game.record.game));
  std::vector<AnalysisTask> tasks;
  for (size_t i = 0; i < game.record.events.size(); ++i) tasks.push_back({&game.record, i});
  std::optional<OutputFile> file;
  if (options.tpgn) {
    ASSIGN_OR_RETURN(OutputFile created, OutputFile::Create(*options.tpgn, kTpgnFile));
    file.emplace(std::move(created));
  }
  bool is_cut = false;
  ASSIGN_OR_RETURN(const EventAnalyses events, AnalyzeAndShow(tasks, settings, &is_cut));
  if (is_cut) return absl::CancelledError("interrupted");
  AnalyzedGame analyzed{
      .info = *info, .record = game.record, .analyst = settings.analyst.name, .events = {}};
  for (const std::optional<EventAnalysis>& event : events) analyzed.events.push_back(*event);
  if (file) {
    RETURN_IF_ERROR(file->Write(AnalysisTpgn(analyzed)));
    RETURN_IF_ERROR(file->Commit());
  }
  if (options.is_json) Print(AnalysisJson(analyzed));
  if (!options.is_json && !options.tpgn) Print(AnalysisText(analyzed));
  return absl::OkStatus();
}

// A seat of the bot in one of its games, with its share of all tasks.
struct SeatTasks {
  const GameRecord* record;
  Seat seat;
  size_t first;
  size_t count;
};

std::vector<SeatTasks> TasksOf(const std::vector<GameRecord>& games, const std::string& bot,
                               size_t seats, std::vector<AnalysisTask>* tasks) {
  std::vector<SeatTasks> shares;
  for (const GameRecord& record : games) {
    for (size_t i = 0; i < seats; ++i) {
      if (record.bots[SeatAt(i)] != bot) continue;
      const std::vector<size_t> events = OwnEvents(record, SeatAt(i));
      shares.push_back({&record, SeatAt(i), tasks->size(), events.size()});
      for (const size_t event : events) tasks->push_back({&record, event});
    }
  }
  return shares;
}

// Returns the losses of the seats whose tasks are all done.
std::vector<SeatLosses> LossesOfSeats(const GameInfo& info, const std::vector<SeatTasks>& shares,
                                      const EventAnalyses& all) {
  std::vector<SeatLosses> losses;
  for (const SeatTasks& share : shares) {
    std::vector<EventAnalysis> events;
    for (size_t i = share.first; i < share.first + share.count; ++i) {
      if (all[i]) events.push_back(*all[i]);
    }
    if (events.size() != share.count) continue;
    losses.push_back(LossesOf(info, *share.record, share.seat, events));
  }
  return losses;
}

// Counts the games; a bot may have several seats in one.
size_t CountGames(const std::vector<SeatLosses>& seats) {
  size_t count = 0;
  for (size_t i = 0; i < seats.size(); ++i) {
    if (i == 0 || seats[i].game != seats[i - 1].game) ++count;
  }
  return count;
}

absl::Status AnalyzeMany(const AnalyzeOptions& options) {
  ASSIGN_OR_RETURN(
      const GamesOfBot games,
      ReadGamesOfBot(options.game, *options.of,
                     static_cast<size_t>(options.games.value_or(kGamesIfUnspecified))));
  const std::string& game = games.records.front().game;
  ASSIGN_OR_RETURN(const GameInfo* const info, FindGame(game));
  ASSIGN_OR_RETURN(const AnalysisSettings settings, SettingsOf(options, game));
  std::vector<AnalysisTask> tasks;
  const std::vector<SeatTasks> shares = TasksOf(games.records, *options.of, info->seats, &tasks);
  bool is_cut = false;
  ASSIGN_OR_RETURN(const EventAnalyses events, AnalyzeAndShow(tasks, settings, &is_cut));
  LossReport report{.info = *info,
                    .bot = *options.of,
                    .analyst = settings.analyst.name,
                    .games_there = games.count,
                    .seats = LossesOfSeats(*info, shares, events)};
  report.games = CountGames(report.seats);
  if (report.games > 0) Print(options.is_json ? LossJson(report) : LossText(report));
  return is_cut ? absl::CancelledError("interrupted") : absl::OkStatus();
}

int RunAnalyze(const AnalyzeOptions& options) {
  const absl::Status usage = CheckAnalyzeOptions(options);
  if (!usage.ok()) return UsageError(usage);
  return Finish(options.of ? AnalyzeMany(options) : AnalyzeOne(options));
}

}  // namespace

void AddAnalyzeCommand(const Command& app) {
  auto options = std::make_shared<AnalyzeOptions>();
  const Command command = app.AddCommand(
      "analyze", "Let a bot judge the moves of a recorded game, or of all games of a bot.");
  AddRecordedGameOptions(command, &options->game);
  command.AddText(
      {"--bot", "BOT", "The bot that judges, as --bots names it; it must give evaluations"},
      &options->bot);
  command.AddText({"--of", "NAME", "Judge all games of this bot: where does it lose its points?"},
                  &options->of);
  command.AddNumber({"--games", "N",
                     absl::StrFormat("With --of, at most N games, evenly spread; %d by default",
                                     kGamesIfUnspecified)},
                    {1, INT64_MAX}, &options->games);
  command.AddNumber({"--slots", "N", "Moves to judge at a time; by default one per processor"},
                    {1, 1024}, &options->slots);
  command.AddFile({"--tpgn", "FILE",
                   "Write the game with evaluations, best lines and comments\n"
                   "to FILE instead; - means standard output"},
                  &options->tpgn);
  command.AddFlag({"--json", "", "Print one JSON object"}, &options->is_json);
  command.Footer(
      "With node limits, the same command prints the same result. docs/bots.md explains the "
      "table.\n\n"
      "Examples:\n"
      "  triarch analyze --db my.db --id 3.17\n"
      "  triarch analyze --db my.db --id 3.17 --bot paranoid:nodes=20000 --tpgn judged.tpgn\n"
      "  triarch analyze --db my.db --of mine\n"
      "  triarch analyze --tpgn-in games.tpgn --of mine --games 20");
  command.OnRun(options, RunAnalyze);
}

}  // namespace triarch
