// Implements `triarch test`: tests whether one bot is stronger than another.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "cli/cluster/tournament_hooks.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "cli/tournament/option_flags.h"
#include "cli/tournament/run_tournament.h"
#include "coordinator/experiments/test_plan.h"
#include "core/any_state.h"
#include "core/base/status_macros.h"
#include "spec/tournament_options.h"

namespace triarch {
namespace {

struct TestOptions {
  std::string new_bot;
  std::string base;
  std::optional<std::string> pool;
  OptionTexts texts;
  RunSettings settings;
  bool shows_plan = false;
};

// Makes the names differ if a bot is tested against itself.
void NameBase(TournamentDraft* draft) {
  if (draft->bots.size() < 2 || draft->bots[0].value.name != draft->bots[1].value.name) return;
  draft->bots[1].value.name += "-base";
}

absl::StatusOr<TournamentSpec> Resolve(const TestOptions& options, const TournamentHooks& hooks) {
  RETURN_IF_ERROR(CheckOneBot("NEW", options.new_bot));
  RETURN_IF_ERROR(CheckOneBot("BASE", options.base));
  TournamentDraft draft;
  draft.values[FindOption("game")->key] = std::string("triumvirate");
  draft.values[FindOption("mode")->key] = static_cast<int64_t>(OptionMode::kTest) - 1;
  if (options.pool) RETURN_IF_ERROR(SetFlag(*FindOption("test.field"), "pool", &draft));
  RETURN_IF_ERROR(SetOptionFlags(options.texts, &draft));
  const std::string bots =
      options.new_bot + "," + options.base + (options.pool ? "," + *options.pool : "");
  RETURN_IF_ERROR(SetBotFlags(bots, hooks, &draft, ""));
  NameBase(&draft);
  ASSIGN_OR_RETURN(TournamentSpec spec, ResolveDraft(draft, hooks));
  RETURN_IF_ERROR(CheckOutput(spec));
  return spec;
}

int RunTest(const TestOptions& options) {
  const TournamentHooks hooks = MakeTournamentHooks();
  const absl::StatusOr<TournamentSpec> spec = Resolve(options, hooks);
  if (!spec.ok()) return UsageError(spec.status());
  if (!options.shows_plan) return RunTournament(*spec, options.settings);
  Print(experiments::RenderPlan(*spec->test, (*FindGame(spec->game))->seats));
  return kExitDone;
}

bool IsForTests(const Option& option) {
  const bool is_general = option.mode == OptionMode::kAny && option.key != "mode";
  return is_general || option.mode == OptionMode::kTest;
}

}  // namespace

void AddTestCommand(const Command& app) {
  auto options = std::make_shared<TestOptions>();
  const Command command = app.AddCommand("test", "Test whether one bot is stronger than another.");
  command
      .AddText({"NEW", "",
                "The bot that may be stronger: [NAME=]BOT[:OPTION=VALUE...],\n"
                "where BOT is as in `run --bots`"},
               &options->new_bot)
      .Required();
  command.AddText({"BASE", "", "The bot to compare it with"}, &options->base).Required();
  command.AddText({"--pool", "LIST", "Play in the field pool, with these third bots in turn"},
                  &options->pool);
  command.AddFlag({"--show-plan", "", "Print how many games the test is likely to take, and exit"},
                  &options->shows_plan);
  AddRunSettings(command, &options->settings);
  AddOptionFlags(command, IsForTests, &options->texts);
  command.Footer(
      "Plays until the games show that NEW is stronger than BASE by more than the lower --elo\n"
      "value, or by less than the higher one. Looking at the result while it runs is safe. With\n"
      "--db, the same command resumes a test that was interrupted. The exit code is 0 if NEW is\n"
      "better, 3 if that is not shown, 4 if --games were not enough to decide, and 1 or 2 after\n"
      "an error.\n"
      "docs/experiments.md explains the numbers.\n\n"
      "Examples:\n"
      "  triarch test smart smart:risk=0.2 --elo 0,20\n"
      "  triarch test mcts:nodes=300 mcts:nodes=200 --pool greedy,smart --db test.db\n"
      "  triarch test v2=./v2/bot.py v1=./v1/bot.py --game tri-d\n"
      "  triarch test greedy random --game tri-d --json\n"
      "  triarch test smart greedy --elo 0,5 --show-plan");
  command.OnRun(options, RunTest);
}

}  // namespace triarch
