// Implements `triarch tune`: improves the options of a bot.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "cli/cluster/tournament_hooks.h"
#include "cli/commands.h"
#include "cli/tournament/option_flags.h"
#include "cli/tournament/run_tournament.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "spec/tournament_options.h"
#include "spec/tuned_options.h"

namespace triarch {
namespace {

struct TuneOptions {
  std::string bot;
  std::vector<std::string> tuned;
  OptionTexts texts;
  RunSettings settings;
};

absl::StatusOr<TournamentSpec> Resolve(const TuneOptions& options, const TournamentHooks& hooks) {
  RETURN_IF_ERROR(CheckOneBot("BOT", options.bot));
  TournamentDraft draft;
  draft.values[FindOption("game")->key] = std::string("triumvirate");
  draft.values[FindOption("mode")->key] = static_cast<int64_t>(OptionMode::kTune) - 1;
  RETURN_IF_ERROR(SetOptionFlags(options.texts, &draft));
  RETURN_IF_ERROR(SetBotFlags(options.bot, hooks, &draft, ""));
  draft.values[FindOption("tune.options")->key] = {};
  for (const std::string& text : options.tuned) {
    ASSIGN_OR_RETURN(TournamentDraft::TunedDraft tuned, ParseTunedOption(text));
    draft.tuned.push_back(std::move(tuned));
  }
  ASSIGN_OR_RETURN(TournamentSpec spec, ResolveDraft(draft, hooks));
  RETURN_IF_ERROR(CheckOutput(spec));
  return spec;
}

int RunTune(const TuneOptions& options) {
  const absl::StatusOr<TournamentSpec> spec = Resolve(options, MakeTournamentHooks());
  if (!spec.ok()) return UsageError(spec.status());
  return RunTournament(*spec, options.settings);
}

bool IsForTuning(const Option& option) {
  const bool is_general = option.mode == OptionMode::kAny && option.key != "mode";
  return is_general || option.mode == OptionMode::kTune;
}

}  // namespace

void AddTuneCommand(const Command& app) {
  auto options = std::make_shared<TuneOptions>();
  const Command command =
      app.AddCommand("tune", "Improve the options of a bot, and test the result.");
  command
      .AddText({"BOT", "",
                "The bot, as in `run --bots`, with the values to start "
                "from:\n[NAME=]BOT[:OPTION=VALUE...]"},
               &options->bot)
      .Required();
  command
      .AddText({"--option", "NAME[=MIN..MAX[:STEP]]",
                "An option to tune; may be repeated. STEP is the smallest change with a noticeable "
                "effect (default: a twentieth of the range)"},
               &options->tuned)
      .Required();
  AddRunSettings(command, &options->settings);
  AddOptionFlags(command, IsForTuning, &options->texts);
  command.Footer(
      "Copies of BOT play each other with the options a little higher and lower, and the values\n"
      "follow the copies that score better. Without MIN and MAX, the bounds are those that the\n"
      "bot declares. Then a test with other games decides whether BOT is stronger with the result\n"
      "than at the start; the exit code is that of the test: 0 if it is, 3 if that is not shown,\n"
      "4 if the test did not decide, and 1 or 2 after an error. With --db, the same command\n"
      "resumes a tuning that was interrupted.\n"
      "docs/experiments.md says how many games a tuning needs.\n\n"
      "Examples:\n"
      "  triarch tune smart:risk=0.2 --option risk=0..2:0.1 --db tune.db --svg tune.svg\n"
      "  triarch tune smart --option tactics --option position=0..4 --games 60000\n"
      "  triarch tune mcts:nodes=200 --game tri-d --option exploration=0.1..3 --games 10000");
  command.OnRun(options, RunTune);
}

}  // namespace triarch
