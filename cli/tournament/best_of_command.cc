// Implements `triarch best-of`: finds the best of several variants of a bot.

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_join.h"
#include "cli/cluster/tournament_hooks.h"
#include "cli/commands.h"
#include "cli/tournament/option_flags.h"
#include "cli/tournament/run_tournament.h"
#include "core/base/status_macros.h"
#include "spec/tournament_options.h"

namespace triarch {
namespace {

struct BestOfOptions {
  std::string base;
  std::vector<std::string> variants;
  OptionTexts texts;
  RunSettings settings;
};

absl::StatusOr<TournamentSpec> ResolveBestOf(const BestOfOptions& options,
                                             const TournamentHooks& hooks) {
  std::vector<std::string> bots = {options.base};
  bots.insert(bots.end(), options.variants.begin(), options.variants.end());
  for (const std::string& bot : bots) {
    RETURN_IF_ERROR(CheckOneBot(&bot == &bots.front() ? "BASE" : "VARIANT", bot));
  }
  TournamentDraft draft;
  draft.values[FindOption("game")->key] = std::string("triumvirate");
  draft.values[FindOption("mode")->key] = static_cast<int64_t>(OptionMode::kBestOf) - 1;
  RETURN_IF_ERROR(SetOptionFlags(options.texts, &draft));
  RETURN_IF_ERROR(SetBotFlags(absl::StrJoin(bots, ","), hooks, &draft, ""));
  ASSIGN_OR_RETURN(TournamentSpec spec, ResolveDraft(draft, hooks));
  RETURN_IF_ERROR(CheckOutput(spec));
  return spec;
}

int RunBestOf(const BestOfOptions& options) {
  const absl::StatusOr<TournamentSpec> spec = ResolveBestOf(options, MakeTournamentHooks());
  if (!spec.ok()) return UsageError(spec.status());
  return RunTournament(*spec, options.settings);
}

bool IsForBestOf(const Option& option) {
  const bool is_general = option.mode == OptionMode::kAny && option.key != "mode";
  return is_general || option.mode == OptionMode::kBestOf;
}

}  // namespace

void AddBestOfCommand(const Command& app) {
  auto options = std::make_shared<BestOfOptions>();
  const Command command = app.AddCommand("best-of", "Find the best of several variants of a bot.");
  command
      .AddText({"BASE", "",
                "The bot to compare them with: [NAME=]BOT[:OPTION=VALUE...],\n"
                "where BOT is as in `run --bots`"},
               &options->base)
      .Required();
  command.AddText({"VARIANT", "", "The bots that may be stronger"}, &options->variants).Required();
  AddRunSettings(command, &options->settings);
  AddOptionFlags(command, IsForBestOf, &options->texts);
  command.Footer(
      "Plays most with the variants that may be the best, until the games show that one of them "
      "is\n"
      "stronger than BASE by more than the lower --elo value, or that all are by less than the\n"
      "higher one. Looking at the result while it runs is safe. With --db, the same command\n"
      "resumes a search that was interrupted. The exit code is 0 if a variant is better, 3 if "
      "none\n"
      "is shown to be, 4 if --games were not enough to decide, and 1 or 2 after an error.\n"
      "docs/experiments.md explains the numbers.\n\n"
      "Examples:\n"
      "  triarch best-of smart smart:risk=0.1 smart:risk=0.2 smart:risk=0.4 --db risk.db\n"
      "  triarch best-of mcts:nodes=200 mcts:nodes=300 greedy --elo 0,20 --json\n"
      "  triarch best-of random greedy smart --game tri-d --elo 0,50");
  command.OnRun(options, RunBestOf);
}

}  // namespace triarch
