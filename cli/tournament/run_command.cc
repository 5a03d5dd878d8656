// Implements `triarch run`: plays a tournament from a file, from flags, or from both.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "absl/strings/str_format.h"
#include "cli/cluster/tournament_hooks.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "cli/tournament/option_flags.h"
#include "cli/tournament/run_tournament.h"
#include "core/base/status_macros.h"
#include "spec/tournament_draft.h"
#include "spec/tournament_file.h"
#include "spec/tournament_options.h"

namespace triarch {
namespace {

struct RunOptions {
  std::string file;
  std::optional<std::string> bots;
  OptionTexts options;  // of the tournament
  RunSettings settings;
};

absl::StatusOr<TournamentDraft> ReadFile(const RunOptions& options, const TournamentHooks& hooks) {
  absl::StatusOr<InputFile> file = InputFile::Open(options.file);
  if (absl::IsNotFound(file.status()) && options.bots) {
    return absl::NotFoundError(
        absl::StrFormat("%s; commas without spaces separate bots, as in --bots %s,%s",
                        file.status().message(), *options.bots, options.file));
  }
  RETURN_IF_ERROR(file.status());
  OptionValues flags;
  for (const auto& [key, text] : options.options) {
    // SetFlags reports the invalid ones.
    if (const auto value = ParseOption(*FindOption(key), text)) flags[key] = *value;
  }
  return ReadTournamentFile(file->text(), options.file, hooks, flags);
}

// A self-play run continues from its recorded games, so it always has a database.
absl::Status SetDatabase(TournamentSpec* spec) {
  if (!spec->selfplay || !spec->db.empty()) return absl::OkStatus();
  if (IsBucket(spec->data)) {
    return absl::InvalidArgumentError("--db: self-play into " + spec->data +
                                      " needs a database; give --db FILE or output.db");
  }
  std::error_code error;
  std::filesystem::create_directories(spec->data, error);
  spec->db = (std::filesystem::path(spec->data) / "games.db").string();
  return absl::OkStatus();
}

absl::StatusOr<TournamentSpec> Resolve(const RunOptions& options, const TournamentHooks& hooks,
                                       TournamentDraft draft) {
  RETURN_IF_ERROR(SetOptionFlags(options.options, &draft));
  if (options.bots) RETURN_IF_ERROR(SetBotFlags(*options.bots, hooks, &draft));
  ASSIGN_OR_RETURN(TournamentSpec spec, ResolveDraft(draft, hooks));
  RETURN_IF_ERROR(SetDatabase(&spec));
  RETURN_IF_ERROR(CheckOutput(spec, options.file));
  return spec;
}

int RunRun(const RunOptions& options) {
  const TournamentHooks hooks = MakeTournamentHooks();
  TournamentDraft draft;
  const bool has_file = !options.file.empty();
  if (has_file) {
    absl::StatusOr<TournamentDraft> read = ReadFile(options, hooks);
    if (!read.ok()) return Fail(read.status());
    draft = *std::move(read);
  } else if (options.bots) {
    draft.values[FindOption("game")->key] = std::string("triumvirate");
  } else {
    return UsageError("run: expected a tournament FILE or --bots");
  }
  const absl::StatusOr<TournamentSpec> spec = Resolve(options, hooks, std::move(draft));
  if (spec.ok()) return RunTournament(*spec, options.settings);
  const bool is_usage = !has_file || spec.status().message().substr(0, 2) == "--";
  return is_usage ? UsageError(spec.status()) : Fail(spec.status());
}

}  // namespace

void AddRunCommand(const Command& app) {
  auto options = std::make_shared<RunOptions>();
  const Command command = app.AddCommand("run", "Play a tournament and print its standings.");
  command.AddText({"FILE", "", "Tournament file (YAML); options override it"}, &options->file);
  command.AddText({"--bots", "LIST",
                   "Play these bots: [NAME=]BOT[:OPTION=VALUE...],... A BOT is a\n"
                   "bundled bot, a program, a plugin (.so), a folder with a bot.yaml,\n"
                   "or a command in quotes"},
                  &options->bots);
  AddRunSettings(command, &options->settings);
  AddOptionFlags(
      command,
      [](const Option& option) {
        return option.mode != OptionMode::kBestOf && option.mode != OptionMode::kTune;
      },
      &options->options);
  command.Footer(
      "Progress goes to standard error, standings to standard output. With --db, the same command\n"
      "resumes a run that was interrupted (Ctrl-C, kill, power failure), or extends it with a\n"
      "larger --games. Other options add another tournament to the database; `triarch ratings`\n"
      "rates the bots of all of them. Without time limits, the same tournament always gives the "
      "same games.\n\n"
      "Examples:\n"
      "  triarch run examples/quickstart.yaml\n"
      "  triarch run --bots random,greedy,paranoid:depth=2 --games 60 --seed 1 --db my.db\n"
      "  triarch run --game tri-d --bots mine=./mine/bot.py,greedy --games 60\n"
      "  triarch run --game tri-d --bots \"v1='python3 ./v1/bot.py --fast',v2=./v2.so\"\n"
      "  triarch run --game tri-d --start meder --bots greedy,mcts:nodes=300 --games 60\n"
      "  triarch run my.yaml --games 1200 --slots 2");
  command.OnRun(options, RunRun);
}

}  // namespace triarch
