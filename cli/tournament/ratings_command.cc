// Implements `triarch ratings`: rates the bots of several databases together.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "bots/bots.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "cli/rules/position_options.h"
#include "coordinator/pool/pooled_ratings.h"
#include "core/any_state.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"

namespace triarch {
namespace {

struct RatingsOptions {
  std::vector<std::string> databases;
  std::optional<int64_t> tournament;
  std::string game;
  std::string anchor;
  bool mixes_limits = false;
  bool ignores_builds = false;
  bool is_json = false;
};

absl::Status CheckDistinct(const std::vector<std::string>& databases) {
  for (size_t i = 0; i < databases.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (databases[i] != databases[j] && !IsSameFile(databases[i], databases[j])) continue;
      return absl::InvalidArgumentError(
          absl::StrFormat("DB: %s and %s are the same database; expected each once",
                          StoreName(databases[j]), StoreName(databases[i])));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckUsage(const RatingsOptions& options) {
  if (options.databases.empty()) {
    return absl::InvalidArgumentError(
        "DB: expected at least one database: a file or postgresql://USER@HOST/DATABASE");
  }
  RETURN_IF_ERROR(CheckDistinct(options.databases));
  if (options.tournament && options.databases.size() > 1) {
    return absl::InvalidArgumentError("--tournament: expected only one DB, which has that ID");
  }
  if (options.game.empty()) return absl::OkStatus();
  const absl::Status game = FindGame(options.game).status();
  return game.ok() ? game : ForOption("--game", game);
}

// Returns whether a bundled bot heeds limits on nodes and depth. Bots of other builds may be
// unknown here.
bool Searches(const BotSpec& bot) {
  const absl::StatusOr<const BundledBot*> bundled = FindBot(bot.bot);
  if (!bundled.ok()) return true;
  for (const BotOption& option : (*bundled)->options) {
    if (option.name == "nodes" || option.name == "depth") return true;
  }
  return false;
}

absl::Status PrintRatings(const RatingsOptions& options) {
  std::vector<PoolSource> sources;
  for (const std::string& database : options.databases) {
    ASSIGN_OR_RETURN(std::unique_ptr<Store> store, OpenStore(database, OpenMode::kReadOnly));
    sources.push_back({StoreName(database), std::move(store)});
  }
  PooledOptions pooled{
      .pool = {.game = options.game,
               .mixes_limits = options.mixes_limits,
               .identity = {.ignores_builds = options.ignores_builds, .searches = Searches}},
      .tournament = options.tournament,
      .anchor = options.anchor};
  ASSIGN_OR_RETURN(const PooledRatings ratings, RatePool(sources, pooled));
  Print(options.is_json ? PooledJson(ratings) : RenderPooled(ratings));
  return absl::OkStatus();
}

int RunRatings(const RatingsOptions& options) {
  const absl::Status usage = CheckUsage(options);
  if (!usage.ok()) return UsageError(usage);
  return Finish(PrintRatings(options));
}

}  // namespace

void AddRatingsCommand(const Command& app) {
  auto options = std::make_shared<RatingsOptions>();
  const Command command =
      app.AddCommand("ratings", "Rate the bots of several tournaments and databases together.");
  command.AddText({"DB", "", "Databases: files, or postgresql://USER@HOST/DATABASE"},
                  &options->databases);
  command.AddNumber({"--tournament", "ID", "Rate only this tournament of the DB"}, {1, INT64_MAX},
                    &options->tournament);
  command.AddText({"--game", "GAME", "Rate only tournaments of GAME"}, &options->game)
      .Completes(GameNames());
  command.AddText({"--anchor", "NAME", "The bot whose rating is 0; default: the mean is 0"},
                  &options->anchor);
  command.AddFlag(
      {"--mix-limits", "", "Allow different time_control, start, adjudication or draw_rules"},
      &options->mixes_limits);
  command.AddFlag({"--any-build", "", "Treat bundled bots of different builds as the same"},
                  &options->ignores_builds);
  command.AddFlag({"--json", "", "Print one JSON object (docs/json.md)"}, &options->is_json);
  command.Footer(
      "Bots with the same digest, options and limits are one bot, even under different names.\n"
      "Different bots of the same name become NAME@VERSION, and their history is shown.\n\n"
      "Examples:\n"
      "  triarch ratings pool.db\n"
      "  triarch ratings monday.db friday.db --anchor random\n"
      "  triarch ratings old.db postgresql://triarch@localhost/triarch --game tri-d --json");
  command.OnRun(options, RunRatings);
}

}  // namespace triarch
