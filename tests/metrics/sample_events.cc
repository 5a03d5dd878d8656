#include "tests/metrics/sample_events.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <string>
#include <vector>

namespace triarch {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using Seconds = CoordinatorMetrics::Seconds;
using EventKind = LeaseEvent::Kind;

constexpr char kTournament[] = "1 sample";
constexpr int64_t kGames = 100'000;
constexpr int64_t kGamesPerStep = 3;
constexpr int64_t kSlots = 8;

constexpr std::array<const char*, 4> kBots = {"random", "greedy", "paranoid", "maxn"};
constexpr std::array<Termination, 3> kTerminations = {
    Termination::kCheckmate, Termination::kStalemate, Termination::kThreefoldRepetition};

GameSpec SpecAt(int64_t index) {
  GameSpec spec;
  spec.index = index;
  spec.game = "triumvirate";
  for (int64_t i = 0; i < 3; ++i) {
    const auto bot = kBots[static_cast<size_t>((index + i) % 4)];
    spec.seats[SeatAt(static_cast<size_t>(i))] = {.name = bot, .bot = bot, .options = {}};
  }
  return spec;
}

GameRecord RecordOf(const GameSpec& spec) {
  GameRecord game;
  game.index = spec.index;
  game.game = spec.game;
  game.is_finished = true;
  const auto turn = static_cast<size_t>(spec.index);
  game.outcome.termination = kTerminations[turn % kTerminations.size()];
  game.plies = 150 + spec.index % 100;
  for (size_t i = 0; i < kSeatsMax; ++i) {
    const Seat seat = SeatAt(i);
    game.bots[seat] = spec.seats[seat].name;
    game.outcome.place[seat] = static_cast<uint8_t>(1 + (i + turn) % 3);
    game.costs[seat] = {.moves = 50, .nodes = 50'000, .time_us = 100'000};
  }
  if (turn % 50 == 0) game.endings[Seat::kThird] = Termination::kTimeForfeit;
  return game;
}

LeaseEvent EventAt(int64_t step, EventKind kind) {
  return {.kind = kind,
          .worker = {.name = "w1", .instance = 1},
          .lease = {.tournament = 1,
                    .games = {step * 30, step * 30 + 30},
                    .token = static_cast<uint64_t>(step),
                    .ttl = milliseconds(30'000)},
          .age = milliseconds(8'000 + step % 40 * 100)};
}

void TellGames(int64_t step, CoordinatorMetrics& coordinator, WorkerMetrics& worker) {
  std::vector<GameRecord> games;
  int64_t plies = 0;
  for (int64_t i = 0; i < kGamesPerStep; ++i) {
    const GameSpec spec = SpecAt(step * kGamesPerStep + i);
    games.push_back(RecordOf(spec));
    plies += games.back().plies;
    worker.GamePlayed(spec, games.back());
  }
  coordinator.Replayed(kGamesPerStep, plies, microseconds(plies * 2), step % 500 != 20);
  coordinator.Committed(kGamesPerStep, milliseconds(4 + step % 5), true);
  if (step % 100 == 30) coordinator.Committed(kGamesPerStep, milliseconds(900), false);
  coordinator.GamesRecorded(kTournament, games);
  coordinator.Reported(ReportOutcome::kRecorded, kGamesPerStep, step % 20 == 0 ? 1 : 0);
  worker.Reported("recorded", kGamesPerStep);
  if (step % 50 == 10) {
    coordinator.Reported(ReportOutcome::kStale, 2, 0);
    worker.Reported("stale", 2);
  }
}

void TellCalls(int64_t step, CoordinatorMetrics& coordinator, WorkerMetrics& worker) {
  for (const char* method : {"Lease", "Heartbeat", "Report"}) {
    coordinator.Called(method, "OK", microseconds(700 + step % 7 * 300));
    worker.Called(method, "OK", microseconds(1'200 + step % 7 * 400));
  }
  if (step % 30 == 5) {
    coordinator.Called("Report", "UNAVAILABLE", milliseconds(30));
    worker.Called("Report", "UNAVAILABLE", milliseconds(32));
  }
}

void TellLeases(int64_t step, CoordinatorMetrics& coordinator) {
  coordinator.LeaseChanged(EventAt(step, EventKind::kGranted));
  coordinator.LeaseChanged(EventAt(step, EventKind::kFinished));
  for (const EventKind kind : {EventKind::kStolen, EventKind::kExpired, EventKind::kReleased,
                               EventKind::kCancelled, EventKind::kRejected}) {
    if (step % 100 == static_cast<int64_t>(kind)) coordinator.LeaseChanged(EventAt(step, kind));
  }
}

WorkerView WorkerAt(int64_t step, const std::string& name) {
  WorkerView view{};
  view.info.id = {.name = name, .instance = 1};
  view.info.slots = kSlots;
  view.is_alive = true;
  view.busy_slots = kSlots - step % 3;
  view.games_held = step % 4;
  view.leases = 2;
  view.games_recorded = step * kGamesPerStep / 2;
  view.cpu_seconds = static_cast<double>(step) * 0.1 * static_cast<double>(kSlots);
  view.last_seen = milliseconds(step % 50 * 100);
  return view;
}

experiments::TestState TestAt(int64_t step) {
  const double units = static_cast<double>(step + 1);
  const double margin = 300 / std::sqrt(units);
  return {.units = step + 1,
          .games = 6 * (step + 1),
          .llr = 2.9 * std::sin(units / 200),
          .bounds = {.lower = -2.94, .upper = 2.94},
          .elo = experiments::IntervalEstimate{.low = 4 - margin, .value = 4, .high = 4 + margin},
          .games_left = 20'000};
}

void SetGauges(int64_t step, CoordinatorMetrics& coordinator, WorkerMetrics& worker) {
  const int64_t done = std::min(kGames, (step + 1) * kGamesPerStep);
  const int64_t leased = std::min<int64_t>(kGames - done, 60);
  TournamentCounts counts{.label = kTournament,
                          .game = "triumvirate",
                          .state = TournamentState::kActive,
                          .games = kGames,
                          .open = kGames - done - leased,
                          .leased = leased,
                          .done = done,
                          .test = TestAt(step)};
  // The sample is everything that a tournament can be.
  const double so_far = static_cast<double>(step) / 10;
  counts.plan = experiments::PlanState{
      .line = "best-of",
      .verdict = experiments::Verdict::kUnderWay,
      .figures = {{"random", -so_far}, {"greedy", so_far}, {"maxn", so_far / 2}, {"paranoid", 1}}};
  coordinator.SetTournaments({&counts, 1});
  counts.plan = experiments::PlanState{.line = "tuning", .figures = {{"risk", so_far}}};
  coordinator.SetTournaments({&counts, 1});
  const std::vector<WorkerView> workers = {WorkerAt(step, "w1"), WorkerAt(step, "w2")};
  coordinator.SetWorkers(workers);
  coordinator.SetQueues(step % 9 * 500, false, true);
  coordinator.SetLeading(true);
  coordinator.SetCertificateExpiry("tls-cert", absl::FromUnixSeconds(4'000'000'000));
  coordinator.SetCertificateExpiry("tls-ca", std::nullopt);
  worker.Set({.slots = kSlots,
              .busy_slots = kSlots - step % 3,
              .leases = 2,
              .games_open = 20,
              .games_held = step % 4,
              .is_connected = true,
              .is_full = false});
}

void SetRatings(int64_t step, CoordinatorMetrics& coordinator) {
  const double error_elo = 200 / std::sqrt(static_cast<double>(step + 1));
  for (size_t i = 0; i < kBots.size(); ++i) {
    const double rating_elo = 100.0 * static_cast<double>(i) - 150;
    coordinator.SetRating(kTournament, kBots[i], rating_elo + error_elo / 3, error_elo);
  }
  coordinator.SetSeatEffect(kTournament, Seat::kFirst, 12, error_elo / 2);
  coordinator.SetSeatEffect(kTournament, Seat::kSecond, 1, error_elo / 2);
  coordinator.SetSeatEffect(kTournament, Seat::kThird, -13, error_elo / 2);
}

}  // namespace

void RecordSampleEvents(int64_t step, CoordinatorMetrics& coordinator, WorkerMetrics& worker) {
  TellGames(step, coordinator, worker);
  TellCalls(step, coordinator, worker);
  TellLeases(step, coordinator);
  SetGauges(step, coordinator, worker);
  if (step % 10 == 0) SetRatings(step, coordinator);
}

}  // namespace triarch
