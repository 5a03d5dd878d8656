#include "coordinator/service/coordinator_metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>
#include <vector>

namespace triarch {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::HasSubstr;
using ::testing::Not;
using EventKind = LeaseEvent::Kind;

// Metrics with a clock controlled by the test.
class CoordinatorMetricsTest : public ::testing::Test {
 protected:
  std::chrono::steady_clock::time_point now_{};
  CoordinatorMetrics metrics_{{.keep = seconds(60), .now = [this] { return now_; }}};
};

GameRecord ThreeSeats() {
  GameRecord game;
  game.game = "triumvirate";
  game.bots = {{"ann", "bob", "cem"}};
  game.is_finished = true;
  game.outcome = {.place = {{1, 2, 3}}, .termination = Termination::kCheckmate};
  game.endings[Seat::kThird] = Termination::kTimeForfeit;
  game.plies = 90;
  game.events.resize(4);
  game.events[2].seat = game.events[3].seat = Seat::kSecond;
  game.events[3].is_fallback = true;
  game.fallbacks = 1;
  game.costs = {{SeatCost{30, 600, 60'000}, SeatCost{30, 0, 0}, SeatCost{30, 0, 90'000'000}}};
  return game;
}

GameRecord TwoSeats() {
  GameRecord game;
  game.game = "tri_d";
  game.bots = {{"ann", "bob", ""}};
  game.is_finished = true;
  game.outcome = {.place = {{1, 1, 0}}, .termination = Termination::kStalemate};
  game.plies = 40;
  return game;
}

WorkerView View(const std::string& name) {
  WorkerView view{};
  view.info.id = {.name = name, .instance = 1};
  view.info.slots = 4;
  view.is_alive = true;
  view.busy_slots = 3;
  view.games_held = 2;
  view.leases = 1;
  view.games_recorded = 100;
  view.cpu_seconds = 12.5;
  view.last_seen = milliseconds(1500);
  return view;
}

TEST_F(CoordinatorMetricsTest, CountsRecordedGames) {
  const std::vector<GameRecord> games = {ThreeSeats(), ThreeSeats()};
  metrics_.GamesRecorded("1 cup", games);
  const std::string text = metrics_.Text();
  for (const char* line : {
           "triarch_games_total{game=\"triumvirate\",termination=\"checkmate\",tournament=\"1 "
           "cup\"} 2\n",
           "triarch_plies_total{game=\"triumvirate\",tournament=\"1 cup\"} 180\n",
           "triarch_game_plies_bucket{game=\"triumvirate\",tournament=\"1 cup\",le=\"100\"} 2\n",
           "triarch_bot_games_total{bot=\"cem\",tournament=\"1 cup\"} 2\n",
           "triarch_bot_points_total{bot=\"ann\",tournament=\"1 cup\"} 2\n",
           "triarch_bot_points_total{bot=\"bob\",tournament=\"1 cup\"} 1\n",
           "triarch_bot_nodes_total{bot=\"ann\",tournament=\"1 cup\"} 1200\n",
           "triarch_bot_move_seconds_count{bot=\"cem\",tournament=\"1 cup\"} 60\n",
           "triarch_bot_move_seconds_sum{bot=\"cem\",tournament=\"1 cup\"} 180\n",
           "triarch_bot_faults_total{bot=\"cem\",fault=\"time_forfeit\",tournament=\"1 cup\"} 2\n",
           "triarch_bot_faults_total{bot=\"cem\",fault=\"crash\",tournament=\"1 cup\"} 0\n",
           "triarch_bot_faults_total{bot=\"ann\",fault=\"time_forfeit\",tournament=\"1 cup\"} 0\n",
           "triarch_bot_fallbacks_total{bot=\"bob\",tournament=\"1 cup\"} 2\n",
           "triarch_bot_fallbacks_total{bot=\"ann\",tournament=\"1 cup\"} 0\n",
           "triarch_seat_games_total{seat=\"third\",tournament=\"1 cup\"} 2\n",
           "triarch_seat_points_total{seat=\"second\",tournament=\"1 cup\"} 1\n",
       }) {
    EXPECT_THAT(text, HasSubstr(line));
  }
}

TEST_F(CoordinatorMetricsTest, TwoSeatGamesHaveNoThirdSeat) {
  const std::vector<GameRecord> games = {TwoSeats()};
  metrics_.GamesRecorded("2 duel", games);
  const std::string text = metrics_.Text();
  EXPECT_THAT(text,
              HasSubstr("triarch_seat_points_total{seat=\"first\",tournament=\"2 duel\"} 0.5\n"));
  EXPECT_THAT(text, Not(HasSubstr("seat=\"third\"")));
  EXPECT_THAT(text, Not(HasSubstr("bot=\"\"")));
}

TEST_F(CoordinatorMetricsTest, ShowsTournamentsUntilSomeTimeAfterTheirEnd) {
  TournamentCounts cup{.label = "1 cup",
                       .game = "triumvirate",
                       .state = TournamentState::kActive,
                       .games = 100,
                       .open = 50,
                       .leased = 20,
                       .done = 30};
  metrics_.SetTournaments({&cup, 1});
  metrics_.SetRating("1 cup", "ann", 120.5, 15.25);
  metrics_.SetSeatEffect("1 cup", Seat::kFirst, -7, 3);
  const std::vector<GameRecord> games = {ThreeSeats()};
  metrics_.GamesRecorded("1 cup", games);
  EXPECT_THAT(metrics_.Text(),
              HasSubstr("open_games{game=\"triumvirate\",tournament=\"1 cup\"} 50\n"));
  EXPECT_THAT(metrics_.Text(), HasSubstr("rating_elo{bot=\"ann\",tournament=\"1 cup\"} 120.5\n"));
  EXPECT_THAT(metrics_.Text(), HasSubstr("effect_elo{seat=\"first\",tournament=\"1 cup\"} -7\n"));

  cup.state = TournamentState::kDone;
  cup.open = cup.leased = 0;
  cup.done = 100;
  now_ += seconds(50);
  metrics_.SetTournaments({&cup, 1});
  EXPECT_THAT(metrics_.Text(),
              HasSubstr("done_games{game=\"triumvirate\",tournament=\"1 cup\"} 100\n"));
  EXPECT_THAT(metrics_.Text(), HasSubstr("{state=\"done\",tournament=\"1 cup\"} 1\n"));
  EXPECT_THAT(metrics_.Text(), HasSubstr("{state=\"active\",tournament=\"1 cup\"} 0\n"));

  now_ += seconds(11);
  metrics_.SetTournaments({&cup, 1});
  EXPECT_THAT(metrics_.Text(), Not(HasSubstr("1 cup")));
  metrics_.SetTournaments({&cup, 1});
  EXPECT_THAT(metrics_.Text(), Not(HasSubstr("1 cup")));
}

TEST_F(CoordinatorMetricsTest, ShowsTheFiguresOfPlannedTournaments) {
  TournamentCounts counts{.label = "1 cup", .game = "tri_d"};
  counts.plan = experiments::PlanState{.line = "2 variants left",
                                       .verdict = experiments::Verdict::kUnderWay,
                                       .figures = {{"ann", 1.5}, {"bob", -0.5}}};
  metrics_.SetTournaments({&counts, 1});
  counts.label = "2 knobs";
  counts.plan = experiments::PlanState{.line = "3 of 9 iterations", .figures = {{"risk", 2.25}}};
  metrics_.SetTournaments({&counts, 1});
  const std::string text = metrics_.Text();
  EXPECT_THAT(text, HasSubstr("triarch_best_of_llr{bot=\"ann\",tournament=\"1 cup\"} 1.5\n"));
  EXPECT_THAT(text, HasSubstr("triarch_best_of_llr{bot=\"bob\",tournament=\"1 cup\"} -0.5\n"));
  EXPECT_THAT(text, HasSubstr("triarch_tune_steps{option=\"risk\",tournament=\"2 knobs\"} 2.25\n"));
}

TEST_F(CoordinatorMetricsTest, ForgetsTournamentsNoLongerListed) {
  const TournamentCounts cup{.label = "1 cup", .game = "tri_d", .state = TournamentState::kPaused};
  metrics_.SetTournaments({&cup, 1});
  now_ += seconds(61);
  metrics_.SetTournaments({&cup, 1});
  EXPECT_THAT(metrics_.Text(), HasSubstr("1 cup"));
  now_ += seconds(61);
  metrics_.SetTournaments({});
  EXPECT_THAT(metrics_.Text(), Not(HasSubstr("1 cup")));
}

TEST_F(CoordinatorMetricsTest, ShowsWorkersUntilSomeTimeAfterTheyLeft) {
  EXPECT_THAT(metrics_.Text(), HasSubstr("triarch_workers{state=\"alive\"} 0\n"));
  std::vector<WorkerView> views = {View("w1"), View("w2"), View("w3")};
  views[1].is_alive = false;
  views[1].quarantine = "false games";
  views[1].rejections = 3;
  views[2].is_alive = false;
  metrics_.SetWorkers(views);
  const std::string text = metrics_.Text();
  for (const char* line :
       {"triarch_workers{state=\"alive\"} 1\n", "triarch_workers{state=\"quarantined\"} 1\n",
        "triarch_workers{state=\"gone\"} 1\n", "triarch_worker_slots{worker=\"w1\"} 4\n",
        "triarch_worker_busy_slots{worker=\"w1\"} 3\n",
        "triarch_worker_busy_slots{worker=\"w3\"} 0\n",
        "triarch_worker_held_games{worker=\"w1\"} 2\n",
        "triarch_worker_quarantined{worker=\"w2\"} 1\n",
        "triarch_worker_rejected_reports_total{worker=\"w2\"} 3\n",
        "triarch_worker_last_seen_seconds{worker=\"w3\"} 1.5\n",
        "triarch_worker_cpu_seconds_total{worker=\"w1\"} 12.5\n"}) {
    EXPECT_THAT(text, HasSubstr(line));
  }
  views[2].last_seen = seconds(61);
  metrics_.SetWorkers(views);
  EXPECT_THAT(metrics_.Text(), Not(HasSubstr("\"w3\"")));
  EXPECT_THAT(metrics_.Text(), HasSubstr("triarch_workers{state=\"gone\"} 0\n"));
}

TEST_F(CoordinatorMetricsTest, ARestartedWorkerCountsFromZero) {
  std::vector<WorkerView> views = {View("w1"), View("w1")};
  metrics_.SetWorkers(views);
  views[0].is_alive = false;
  views[1].cpu_seconds = 0.5;
  metrics_.SetWorkers(views);
  EXPECT_THAT(metrics_.Text(), HasSubstr("triarch_worker_cpu_seconds_total{worker=\"w1\"} 0.5\n"));
  views[1].cpu_seconds = 2;
  metrics_.SetWorkers(views);
  EXPECT_THAT(metrics_.Text(), HasSubstr("triarch_worker_cpu_seconds_total{worker=\"w1\"} 2\n"));
}

TEST_F(CoordinatorMetricsTest, CountsReportsReplaysAndCommits) {
  metrics_.Reported(ReportOutcome::kRecorded, 40, 2);
  metrics_.Reported(ReportOutcome::kStale, 10, 0);
  metrics_.Replayed(40, 4000, milliseconds(8), true);
  metrics_.Replayed(1, 50, milliseconds(1), false);
  metrics_.LiveReplayed(true);
  metrics_.LiveReplayed(false);
  metrics_.LiveReplayed(true);
  metrics_.Committed(40, milliseconds(20), true);
  metrics_.Committed(40, seconds(1), false);
  const std::string text = metrics_.Text();
  for (const char* line :
       {"triarch_reports_total{outcome=\"recorded\"} 1\n",
        "triarch_reports_total{outcome=\"rejected\"} 0\n",
        "triarch_reported_games_total{outcome=\"stale\"} 10\n", "triarch_duplicate_games_total 2\n",
        "triarch_replayed_games_total 41\n", "triarch_replayed_plies_total 4050\n",
        "triarch_replay_rejections_total 1\n", "triarch_replay_seconds_count 2\n",
        "triarch_store_commit_seconds_bucket{result=\"ok\",le=\"0.025\"} 1\n",
        "triarch_store_commit_seconds_count{result=\"error\"} 1\n",
        "triarch_live_reports_total{result=\"ok\"} 2\n",
        "triarch_live_reports_total{result=\"error\"} 1\n",
        "triarch_store_commit_games_sum 40\n"}) {
    EXPECT_THAT(text, HasSubstr(line));
  }
}

TEST_F(CoordinatorMetricsTest, CountsLeases) {
  LeaseEvent event{.kind = EventKind::kGranted,
                   .worker = {.name = "w1", .instance = 1},
                   .lease = {.tournament = 1, .games = {10, 30}, .token = 5, .ttl = {}},
                   .age = {}};
  metrics_.LeaseChanged(event);
  event.kind = EventKind::kStolen;
  metrics_.LeaseChanged(event);
  event.kind = EventKind::kExpired;
  event.age = seconds(31);
  metrics_.LeaseChanged(event);
  event.kind = EventKind::kRejected;
  metrics_.LeaseChanged(event);
  const std::string text = metrics_.Text();
  for (const char* line :
       {"triarch_lease_events_total{event=\"granted\"} 1\n",
        "triarch_lease_events_total{event=\"stolen\"} 1\n",
        "triarch_lease_events_total{event=\"finished\"} 0\n", "triarch_lease_games_sum 40\n",
        "triarch_lease_seconds_sum{event=\"expired\"} 31\n",
        "triarch_lease_seconds_count{event=\"rejected\"} 1\n"}) {
    EXPECT_THAT(text, HasSubstr(line));
  }
}

TEST_F(CoordinatorMetricsTest, ShowsQueuesAndTheLeader) {
  metrics_.SetQueues(123, true, false);
  metrics_.SetLeading(true);
  metrics_.Called("Lease", "OK", milliseconds(3));
  const std::string text = metrics_.Text();
  for (const char* line :
       {"triarch_replay_queue_plies 123\n", "triarch_recorder_full 1\n", "triarch_store_up 0\n",
        "triarch_leading 1\n", "triarch_grpc_server_calls_total{code=\"OK\",method=\"Lease\"} 1\n",
        "process_open_fds "}) {
    EXPECT_THAT(text, HasSubstr(line));
  }
}

TEST_F(CoordinatorMetricsTest, IsThreadSafe) {
  const std::vector<GameRecord> games(100, ThreeSeats());
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int j = 0; j < 20; ++j) {
        metrics_.GamesRecorded("1 cup", games);
        metrics_.Called("Report", "OK", milliseconds(1));
        metrics_.SetWorkers({});
        (void)metrics_.Text();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(metrics_.Text(),
              HasSubstr("triarch_bot_games_total{bot=\"ann\",tournament=\"1 cup\"} 8000\n"));
}

}  // namespace
}  // namespace triarch
