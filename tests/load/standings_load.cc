// Measures standings, restarts and deletion of a tournament with many made-up games.

#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_format.h"
#include "coordinator/ratings/simulated_games.h"
#include "coordinator/service/store_contents.h"
#include "coordinator/service/stored_standings.h"
#include "coordinator/store/store.h"
#include "core/any_state.h"
#include "core/base/random.h"
#include "core/base/status_macros.h"
#include "core/schedule/schedule.h"

// usage: triarch-standings-load STORE [--game G] [--bots N] [--games N] [--all-games]
//            [--delete]
//
// Records the missing games, without moves, then prints the time of each way to read them. With
// --all-games it also computes the standings from all games instead of the tallies, and fails if
// their figures differ by more than 10⁻⁹. With --delete it finally deletes the tournament.
namespace triarch {
namespace {

struct Options {
  std::string store;
  std::string game = "triumvirate";
  int64_t bots = 10;
  int64_t games = 1'000'000;
  bool all_games = false;
  bool is_to_delete = false;
};

// Runs `step` and prints its times and the most memory that the process has used so far.
absl::Status Measure(const std::string& what, const std::function<absl::Status()>& step) {
  const auto began = std::chrono::steady_clock::now();
  const std::clock_t cpu_began = std::clock();
  RETURN_IF_ERROR(step());
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
  const double cpu = static_cast<double>(std::clock() - cpu_began) / CLOCKS_PER_SEC;
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  absl::PrintF("%-28s %8.2f s  %8.2f s of CPU  %6d MB\n", what, took.count(), cpu,
               usage.ru_maxrss / 1024);
  std::fflush(stdout);
  return absl::OkStatus();
}

TournamentSpec SpecOf(const Options& options) {
  TournamentSpec spec;
  spec.name = "load";
  spec.game = options.game;
  spec.games = options.games;
  for (int64_t i = 0; i < options.bots; ++i) {
    spec.bots.push_back({.name = absl::StrFormat("bot-%d", i),
                         .bot = "mcts",
                         .options = {{"nodes", std::to_string(i + 1)}}});
  }
  return spec;
}

// Makes up games by the rating model.
class Games {
 public:
  Games(const TournamentSpec& spec, size_t seats)
      : spec_(spec), seats_(seats), schedule_(Schedule::Make(spec).value()) {
    Random random(1);
    for (size_t i = 0; i < spec.bots.size(); ++i) world_.strength.push_back(random.Unit());
    world_.seat.assign(seats, 0);
  }

  GameRecord Record(int64_t index) const {
    Random random(DeriveSeed(2, static_cast<uint64_t>(index)));
    GameRecord record;
    record.index = index;
    record.match = index / (seats_ == 3 ? 6 : 2);  // no two bots are copies
    record.game = spec_.game;
    record.seed = random.Next();
    const PerSeat<int> bots = schedule_.Bots(index);
    std::vector<double> strengths;
    for (size_t i = 0; i < seats_; ++i) {
      const auto bot = static_cast<size_t>(bots[SeatAt(i)]);
      record.bots[SeatAt(i)] = spec_.bots[bot].name;
      strengths.push_back(world_.strength[bot]);
      record.costs[SeatAt(i)] = {.moves = 30 + random.Below(30),
                                 .nodes = random.Below(100'000),
                                 .time_us = random.Below(1'000'000),
                                 .cpu_us = random.Below(1'000'000)};
    }
    record.is_finished = true;
    record.outcome.place =
        ratings::SimulatePlaces(world_, strengths, std::vector<double>(seats_, 0), random);
    record.outcome.termination = Termination::kCheckmate;
    record.plies = 90 + random.Below(90);
    return record;
  }

 private:
  const TournamentSpec& spec_;
  const size_t seats_;
  const Schedule schedule_;
  ratings::SimulatedWorld world_{.strength = {}, .seat = {}, .tie = {0, 0, -3, -4}};
};

absl::Status Fill(Store& store, int64_t id, const TournamentSpec& spec, size_t seats) {
  constexpr int64_t kBatch = 5'000;
  const Games games(spec, seats);
  ASSIGN_OR_RETURN(const StoredTournament stored, store.Tournament(id));
  for (int64_t first = stored.games_recorded; first < spec.games; first += kBatch) {
    std::vector<GameRecord> records;
    for (int64_t i = first; i < std::min(first + kBatch, spec.games); ++i) {
      records.push_back(games.Record(i));
    }
    RETURN_IF_ERROR(store.Record(id, records));
  }
  return absl::OkStatus();
}

// Computes the standings as if there were no tallies.
absl::StatusOr<Standings> FromAllGames(Store& store, int64_t id, const TournamentSpec& spec,
                                       const GameInfo& game) {
  StandingsBuilder builder(spec, game);
  GameCosts costs;
  RETURN_IF_ERROR(store.VisitGames(id, {}, [&](const GameSummary& summary) {
    costs.Add(summary);
    return builder.Add(summary);
  }));
  RETURN_IF_ERROR(builder.AddCosts(costs));
  return builder.Compute();
}

absl::Status ExpectSame(const Standings& a, const Standings& b) {
  double largest = 0;
  for (size_t i = 0; i < a.bots.size(); ++i) {
    const auto differ = [&](double x, double y) {
      largest = std::max(largest, std::abs(x - y) / std::max(1.0, std::abs(x)));
    };
    const BotStanding& left = a.bots[i];
    const BotStanding& right = b.bots[b.RowOf(left.bot)];
    differ(left.rating->value, right.rating->value);
    differ(left.rating->error, right.rating->error);
    differ(left.points, right.points);
    differ(*left.cpu_per_move_ms, *right.cpu_per_move_ms);
    differ(*left.nodes_per_move, *right.nodes_per_move);
  }
  absl::PrintF("largest relative difference  %g\n", largest);
  return largest < 1e-9 ? absl::OkStatus() : absl::InternalError("the standings differ");
}

absl::Status Delete(const std::string& path, int64_t id) {
  ASSIGN_OR_RETURN(const std::unique_ptr<Store> store, OpenStore(path, OpenMode::kCreate));
  ASSIGN_OR_RETURN(const std::optional<uint64_t> epoch, store->TryLead());
  if (!epoch) return absl::UnavailableError("a coordinator leads the store");
  RETURN_IF_ERROR(store->SetState(id, TournamentState::kCancelled));
  return Measure("deleting", [&]() -> absl::Status {
    RETURN_IF_ERROR(store->BeginDelete(id));
    bool has_more = true;
    while (has_more) {
      ASSIGN_OR_RETURN(has_more, store->DeleteSome(id));
    }
    return absl::OkStatus();
  });
}

absl::Status MeasureReading(const Options& options, int64_t id, const TournamentSpec& spec,
                            const GameInfo& game) {
  ASSIGN_OR_RETURN(const std::unique_ptr<Store> store,
                   OpenStore(options.store, OpenMode::kReadOnly));
  RETURN_IF_ERROR(
      Measure("a restart", [&] { return ReadContents(*store, std::nullopt).status(); }));
  RETURN_IF_ERROR(Measure("ratings", [&] {
    return StoredStandings(*store, id, StandingsParts::kWithoutStyles).status();
  }));
  RETURN_IF_ERROR(Measure("standings", [&] { return ReadStandings(*store, id).status(); }));
  if (!options.all_games) return absl::OkStatus();
  Standings all;
  RETURN_IF_ERROR(Measure("standings from all games", [&]() -> absl::Status {
    ASSIGN_OR_RETURN(all, FromAllGames(*store, id, spec, game));
    return absl::OkStatus();
  }));
  ASSIGN_OR_RETURN(const Standings standings, StoredStandings(*store, id));
  return ExpectSame(all, standings);
}

absl::Status Run(const Options& options) {
  ASSIGN_OR_RETURN(const GameInfo* const game, FindGame(options.game));
  const TournamentSpec spec = SpecOf(options);
  int64_t id = 0;
  {
    ASSIGN_OR_RETURN(const std::unique_ptr<Store> store,
                     OpenStore(options.store, OpenMode::kCreate));
    ASSIGN_OR_RETURN(const std::optional<uint64_t> epoch, store->TryLead());
    if (!epoch) return absl::UnavailableError("a coordinator leads the store");
    ASSIGN_OR_RETURN(id, store->OpenTournament(spec));
    RETURN_IF_ERROR(Measure("recording", [&] { return Fill(*store, id, spec, game->seats); }));
  }
  RETURN_IF_ERROR(MeasureReading(options, id, spec, *game));
  return options.is_to_delete ? Delete(options.store, id) : absl::OkStatus();
}

int Main(int argc, char** argv) {
  CLI::App app(
      "Measures standings, restarts and deletion of a tournament with many made-up games.");
  Options options;
  app.add_option("STORE", options.store, "SQLite file or PostgreSQL URL")->required();
  app.add_option("--game", options.game, "The game")->capture_default_str();
  app.add_option("--bots", options.bots, "Number of bots")->capture_default_str();
  app.add_option("--games", options.games, "Number of games")->capture_default_str();
  app.add_flag("--all-games", options.all_games, "Also compute standings from all games");
  app.add_flag("--delete", options.is_to_delete, "Finally delete the tournament");
  CLI11_PARSE(app, argc, argv);
  const absl::Status status = Run(options);
  if (!status.ok()) std::fprintf(stderr, "error: %s\n", std::string(status.message()).c_str());
  return status.ok() ? 0 : 1;
}

}  // namespace
}  // namespace triarch

int main(int argc, char** argv) { return triarch::Main(argc, argv); }
