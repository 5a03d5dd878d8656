#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "cli/commands.h"
#include "cli/files.h"
#include "cli/rules/position_options.h"
#include "cli/tournament/run_tournament.h"
#include "cli/tournament/tournament_hooks.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "core/schedule/schedule.h"
#include "spec/spec_json.h"
#include "spec/tournament_file.h"

// run: a tournament from a file, from flags, or from a file with flags over it.
namespace triarch {
namespace {

struct RunOptions {
  std::string file;
  std::optional<std::string> game;
  std::optional<std::string> bots;
  std::optional<std::string> start;
  std::optional<std::string> format;
  std::optional<int64_t> games;
  std::optional<int64_t> cycles;
  std::optional<uint64_t> seed;
  std::optional<int64_t> random_plies;
  std::optional<int64_t> nodes;
  std::optional<int64_t> depth;
  std::optional<int64_t> movetime_ms;
  std::optional<int64_t> clock_ms;
  std::optional<int64_t> increment_ms;
  std::optional<int64_t> max_plies;
  std::optional<std::string> db;
  std::optional<std::string> data;
  std::optional<std::string> tpgn;
  std::optional<int64_t> slots;
};

// The bounds of the numbers; the file's are the same.
constexpr int64_t kCyclesMax = 1'000'000'000;
constexpr int64_t kPliesMax = 1'000'000;
constexpr int64_t kRandomPliesMax = 200;
constexpr int64_t kNodesMax = 1'000'000'000'000;
constexpr int64_t kDepthMax = 100;
constexpr int64_t kTimeMsMax = 1'000'000'000;
constexpr int64_t kSlotsMax = 4096;

absl::Status About(const std::string& flag, const absl::Status& error) {
  return absl::InvalidArgumentError(flag + ": " + std::string(error.message()));
}

absl::StatusOr<TournamentSpec> ReadFile(const std::string& path) {
  ASSIGN_OR_RETURN(const InputFile file, InputFile::Open(path));
  return ParseTournamentFile(file.text(), path, MakeTournamentHooks());
}

// Of --game and --bots; the rest has its defaults.
absl::StatusOr<TournamentSpec> SpecOfBots(const std::string& game, const std::string& bots,
                                          bool is_selfplay) {
  TournamentFlags flags;
  flags.is_selfplay = is_selfplay;
  flags.game = game;
  flags.bots = bots;
  absl::StatusOr<TournamentSpec> spec = TournamentFromFlags(flags, MakeTournamentHooks());
  if (!spec.ok()) return About("--bots", spec.status());
  return spec;
}

template <class T>
void Override(const std::optional<T>& given, T* value) {
  if (given) *value = *given;
}
template <class T>
void Override(const std::optional<T>& given, std::optional<T>* value) {
  if (given) *value = given;
}

// The bots given stand in for those of the file.
absl::Status OverrideBots(const RunOptions& options, TournamentSpec* spec) {
  if (options.game && *options.game != spec->game) {
    return absl::InvalidArgumentError("--game: " + options.file + " is of the game " + spec->game +
                                      ", not " + Quote(*options.game));
  }
  if (!options.bots) return absl::OkStatus();
  ASSIGN_OR_RETURN(TournamentSpec given,
                   SpecOfBots(spec->game, *options.bots, spec->selfplay != nullptr));
  spec->bots = std::move(given.bots);
  if (spec->selfplay) {
    SelfplaySpec selfplay = *spec->selfplay;
    selfplay.weights = given.selfplay->weights;
    spec->selfplay = std::make_shared<const SelfplaySpec>(selfplay);
  }
  for (const BotSpec& bot : spec->bots) {
    if (spec->anchor.empty() || bot.name == spec->anchor) return absl::OkStatus();
  }
  return absl::InvalidArgumentError("--bots: " + Quote(spec->anchor) + ", the anchor of " +
                                    options.file + ", is not among them");
}

// Openings that are given have their own start.
absl::Status OverrideStart(const RunOptions& options, TournamentSpec* spec) {
  if (!options.start) return absl::OkStatus();
  ASSIGN_OR_RETURN(const AnyState start,
                   LoadState({.game = spec->game, .position = {}, .start = options.start}, {}));
  if (!spec->openings.lines.empty()) {
    return absl::InvalidArgumentError("--start: " + options.file +
                                      " gives its openings; expected " +
                                      "no --start, or --random-plies too");
  }
  const bool is_default = *options.start == start.Starts(spec->game).front();
  spec->start = is_default ? "" : *options.start;
  return absl::OkStatus();
}

absl::Status OverridePlay(const RunOptions& options, TournamentSpec* spec) {
  if (spec->selfplay && (options.format || options.cycles)) {
    return absl::InvalidArgumentError(
        std::string(options.format ? "--format" : "--cycles") +
        ": in self-play nobody meets to be rated; expected --games alone");
  }
  if (options.format) {
    const std::optional<Format> format = ParseFormat(*options.format);
    if (!format) {
      return absl::InvalidArgumentError("--format: expected round_robin or gauntlet, not " +
                                        Quote(*options.format));
    }
    spec->format = *format;
  }
  if (options.random_plies) {
    spec->openings = Openings();
    spec->openings.random_plies = *options.random_plies;
  }
  RETURN_IF_ERROR(OverrideStart(options, spec));
  Override(options.seed, &spec->seed);
  Override(options.nodes, &spec->time_control.nodes);
  Override(options.depth, &spec->time_control.depth);
  Override(options.movetime_ms, &spec->time_control.movetime_ms);
  Override(options.clock_ms, &spec->time_control.clock_ms);
  Override(options.increment_ms, &spec->time_control.increment_ms);
  Override(options.max_plies, &spec->adjudication.plies_max);
  if (options.increment_ms && !spec->time_control.clock_ms) {
    return absl::InvalidArgumentError("--increment-ms: there is no clock; give --clock-ms too");
  }
  return absl::OkStatus();
}

// After all else that a round depends on.
absl::Status OverrideGames(const RunOptions& options, TournamentSpec* spec) {
  const absl::StatusOr<Schedule> schedule = Schedule::Make(*spec);
  if (!schedule.ok()) return schedule.status();
  Override(options.games, &spec->games);
  const bool is_default = options.file.empty() && !options.games;
  if (!options.cycles && !is_default) return absl::OkStatus();
  const int64_t cycles = options.cycles.value_or(1);
  if (cycles > kGamesMax / schedule->games_per_round()) {
    return absl::InvalidArgumentError("--cycles: that is more than " + std::to_string(kGamesMax) +
                                      " games");
  }
  spec->games = cycles * schedule->games_per_round();
  return absl::OkStatus();
}

// The samples of a run go on from where its games stand, so those are always recorded somewhere.
absl::Status SetDataAndDb(const RunOptions& options, TournamentSpec* spec) {
  if (options.data && options.data->empty()) {
    return absl::InvalidArgumentError("--data: expected a folder or s3://BUCKET/PREFIX");
  }
  if (!spec->selfplay) {
    return options.data ? absl::InvalidArgumentError("--data: that is no self-play")
                        : absl::OkStatus();
  }
  if (!spec->db.empty()) return absl::OkStatus();
  if (IsBucket(spec->data)) {
    return absl::InvalidArgumentError("self-play into " + spec->data +
                                      " without a database; expected --db FILE too");
  }
  std::error_code error;
  std::filesystem::create_directories(spec->data, error);
  spec->db = (std::filesystem::path(spec->data) / "games.db").string();
  return absl::OkStatus();
}

absl::Status OverrideOutput(const RunOptions& options, TournamentSpec* spec) {
  Override(options.db, &spec->db);
  Override(options.tpgn, &spec->tpgn);
  Override(options.data, &spec->data);
  Override(options.slots, &spec->slots);
  RETURN_IF_ERROR(SetDataAndDb(options, spec));
  if (IsSameFile(spec->tpgn, spec->db) || IsSameFile(spec->tpgn, options.file) ||
      IsSameFile(spec->db, options.file)) {
    return absl::InvalidArgumentError(
        "the db, the tpgn and the tournament file must be three files; one would overwrite "
        "another");
  }
  if (spec->tpgn != "-") return absl::OkStatus();
  return absl::InvalidArgumentError(
      "--tpgn: standard output is for the standings; expected a file (`triarch games --tpgn -` "
      "writes recorded games there)");
}

absl::Status ApplyFlags(const RunOptions& options, TournamentSpec* spec) {
  RETURN_IF_ERROR(OverridePlay(options, spec));
  RETURN_IF_ERROR(OverrideGames(options, spec));
  return OverrideOutput(options, spec);
}

absl::StatusOr<TournamentSpec> SpecOfFlags(const RunOptions& options) {
  if (!options.bots) {
    return absl::InvalidArgumentError("run: a tournament FILE or --bots was expected");
  }
  ASSIGN_OR_RETURN(const GameInfo* const game, LoadGame(options.game.value_or("triumvirate")));
  return SpecOfBots(std::string(game->name), *options.bots, /*is_selfplay=*/false);
}

int RunRun(const RunOptions& options) {
  absl::StatusOr<TournamentSpec> spec;
  if (options.file.empty()) {
    spec = SpecOfFlags(options);
    if (!spec.ok()) return UsageError(spec.status());
  } else {
    spec = ReadFile(options.file);
    if (!spec.ok()) return Fail(spec.status());
    const absl::Status status = OverrideBots(options, &*spec);
    if (!status.ok()) return UsageError(status);
  }
  if (const absl::Status status = ApplyFlags(options, &*spec); !status.ok()) {
    return UsageError(status);
  }
  return RunTournament(*spec);
}

// A whole number from min to max. (The library's own reading takes 010 for 8 and -1 for a seed.)
template <class T>
CLI::Option* AddNumber(CLI::App* command, const std::string& flag, std::optional<T>* value,
                       const std::string& what, T min, T max) {
  const auto read = [flag, value, min, max](const std::string& text) {
    std::optional<T> number;
    if constexpr (std::is_signed_v<T>) {
      number = ParseInt64(text);
    } else {
      number = ParseUint64(text);
    }
    if (!number || *number < min || *number > max) {
      throw CLI::ValidationError(flag, "expected a whole number from " + std::to_string(min) +
                                           " to " + std::to_string(max) + ", not " + Quote(text));
    }
    *value = number;
  };
  return command->add_option_function<std::string>(flag, read, what)->type_name("N");
}

void AddSpecFlags(CLI::App* command, RunOptions* options) {
  command->add_option("--game", options->game, "Whose rules (default: triumvirate)")
      ->type_name("GAME");
  command->add_option("--bots", options->bots, "Commas between them; each NAME[:OPTION=VALUE...]")
      ->type_name("LIST");
  command->add_option("--start", options->start, "A named start, as tri-d's meder")
      ->type_name("NAME");
  command
      ->add_option("--format", options->format, "round_robin, or gauntlet: the first against all")
      ->type_name("FORMAT");
  CLI::Option* const games =
      AddNumber(command, "--games", &options->games, "How many in all (default: one round)",
                int64_t{1}, int64_t{kGamesMax});
  AddNumber(command, "--cycles", &options->cycles, "Instead: how many rounds of all pairings",
            int64_t{1}, kCyclesMax)
      ->excludes(games);
  AddNumber(command, "--seed", &options->seed, "Of all random choices (default: 1)", uint64_t{0},
            UINT64_MAX);
  AddNumber(command, "--random-plies", &options->random_plies, "Random moves to begin with",
            int64_t{0}, kRandomPliesMax);
  AddNumber(command, "--max-plies", &options->max_plies, "Then the survivors share a draw",
            int64_t{1}, kPliesMax);
}

void AddLimitFlags(CLI::App* command, RunOptions* options) {
  const auto add = [command](const char* flag, std::optional<int64_t>* value, const char* what,
                             int64_t max) {
    AddNumber(command, flag, value, what, int64_t{1}, max);
  };
  add("--nodes", &options->nodes, "Nodes a bot may search for a move", kNodesMax);
  add("--depth", &options->depth, "Plies that it may look ahead", kDepthMax);
  add("--movetime-ms", &options->movetime_ms, "Time for a move", kTimeMsMax);
  add("--clock-ms", &options->clock_ms, "Time for all moves of a game", kTimeMsMax);
  add("--increment-ms", &options->increment_ms, "More of it after each move", kTimeMsMax);
  add("--slots", &options->slots, "Games at a time (default: one per core)", kSlotsMax);
}

}  // namespace

void AddRunCommand(CLI::App& app, int* exit_code) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* const command = app.add_subcommand(
      "run", "Play a tournament: progress, then standings with ratings and their errors.");
  command->add_option("FILE", options->file, "A tournament file (YAML); flags override it")
      ->type_name("");
  AddSpecFlags(command, options.get());
  AddLimitFlags(command, options.get());
  command->add_option("--db", options->db, "Record the games here, and go on from what is there")
      ->type_name("FILE");
  command->add_option("--data", options->data, "Of self-play: where samples go, a folder or s3://…")
      ->type_name("DIR");
  command->add_option("--tpgn", options->tpgn, "Write the games here at the end")
      ->type_name("FILE");
  command->footer(
      "Progress goes to standard error, standings to standard output. With --db a run that was\n"
      "interrupted (Ctrl-C, kill, power cut) goes on where it was when it is given again; --games\n"
      "may be more then. Without time limits the same tournament gives the same games.\n\n"
      "Examples:\n"
      "  triarch run examples/quickstart.yaml\n"
      "  triarch run --bots random,greedy,paranoid:depth=2 --games 60 --seed 1 --db my.db\n"
      "  triarch run --game tri-d --start meder --bots greedy,mcts:nodes=300 --games 60\n"
      "  triarch run my.yaml --games 1200 --slots 2");
  SetRun(command, options, RunRun, exit_code);
}

}  // namespace triarch
