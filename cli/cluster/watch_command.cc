// Implements `triarch watch`: follows a tournament until it is over.

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>

#include "absl/strings/str_format.h"
#include "cli/cluster/news_feed.h"
#include "cli/cluster/operator_client.h"
#include "cli/cluster/watch_display.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "core/record/tournament_state.h"

namespace triarch {
namespace {

struct WatchOptions {
  CoordinatorOptions coordinator;
  int64_t id = 0;
  bool is_json = false;
};

// Shows news until the last one, or until the user interrupts.
News Follow(OperatorClient* client, OperatorClient* standings_client, const WatchOptions& options,
            const Interrupt& interrupt) {
  NewsFeed feed(client, standings_client, options.id);
  const std::unique_ptr<Display> display = MakeDisplay(options.is_json);
  News news;
  while (!news.is_last && !interrupt.is_asked()) {
    std::this_thread::sleep_for(kSignalPoll);
    news = feed.Latest();
    display->Show(news);
  }
  if (news.answers > 0) display->End(news);
  return news;
}

int RunWatch(const WatchOptions& options) {
  const auto client = MakeUserClient(options.coordinator);
  if (!client.ok()) return UsageError(client.status());
  const auto standings_client = MakeUserClient(options.coordinator);
  if (!standings_client.ok()) return UsageError(standings_client.status());
  const Interrupt interrupt;
  const News news = Follow(client->get(), standings_client->get(), options, interrupt);
  const v1::Tournament& tournament = news.now.tournament();
  if (!news.is_last && news.answers == 0) {
    return Fail(absl::StrFormat(
        "interrupted before a coordinator answered; tournament %d is unchanged", options.id));
  }
  if (!news.is_last) {
    return Fail(
        absl::StrFormat("interrupted: %d of %d games were recorded; tournament %d is unchanged",
                        tournament.done(), tournament.games(), options.id));
  }
  if (!IsOver(tournament)) return Fail(news.error);
  if (!news.standings_error.ok()) {
    Log("no standings: " + std::string(news.standings_error.message()));
  }
  if (tournament.state() != ToString(TournamentState::kCancelled)) {
    const std::string& verdict =
        tournament.has_test() ? tournament.test().verdict() : tournament.plan().verdict();
    return verdict.empty() ? kExitDone : ExitCodeOfVerdict(verdict);
  }
  return Fail(absl::StrFormat("tournament %d was cancelled: %d of %d games were recorded",
                              options.id, tournament.done(), tournament.games()));
}

}  // namespace

void AddWatchCommand(const Command& app) {
  auto options = std::make_shared<WatchOptions>();
  const Command command =
      app.AddCommand("watch", "Follow a tournament until it is over, then print its standings.");
  AddIdArgument(command, &options->id);
  AddCoordinatorOptions(command, &options->coordinator).Required();
  command.AddFlag({"--json", "", "Print one JSON object per line, twice a second"},
                  &options->is_json);
  command.Footer(
      "On a terminal, shows a progress bar and the current standings. Elsewhere, prints progress\n"
      "lines on standard error. With --json, an object has `standings` if they have changed.\n"
      "If the coordinator stops answering, retries until it or a standby answers. Ctrl-C stops\n"
      "watching, not the tournament. After the end, retries for up to 10 s to get the final\n"
      "standings. The exit code is 0 if all games were played, and 1 if the tournament is unknown\n"
      "or was cancelled, or if watching was interrupted. After a test or best-of\n"
      "it is 0 if the new bot or a variant is better, 3 if that is not shown, 4 if the games did "
      "not\n"
      "decide.\n\n"
      "Examples:\n"
      "  triarch watch 3 --coordinator localhost:7071\n"
      "  triarch watch 3 --coordinator a:7071,b:7071 --json");
  command.OnRun(options, RunWatch);
}

}  // namespace triarch
