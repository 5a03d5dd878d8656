#include "worker/worker_metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace triarch {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(WorkerMetrics, CountsPlayedGamesByBotType) {
  GameSpec spec;
  spec.seats = {{BotSpec{"a1", "random", {}}, BotSpec{"a2", "random", {}}, BotSpec{}}};
  GameRecord game;
  game.game = "tri_d";
  game.bots = {{"a1", "a2", ""}};
  game.is_finished = true;
  game.outcome = {.place = {{1, 2, 0}}, .termination = Termination::kCrash};
  game.endings[Seat::kSecond] = Termination::kCrash;
  game.plies = 61;
  game.events.resize(3);
  game.events[1].is_fallback = game.events[2].is_fallback = true;
  game.fallbacks = 2;
  game.costs = {{SeatCost{31, 310, 62'000}, SeatCost{30, 300, 60'000}, SeatCost{}}};
  WorkerMetrics metrics;
  metrics.GamePlayed(spec, game);
  const std::string text = metrics.Text();
  for (const char* line :
       {"triarch_played_games_total{game=\"tri_d\",termination=\"crash\"} 1\n",
        "triarch_played_plies_total{game=\"tri_d\"} 61\n",
        "triarch_played_bot_nodes_total{bot=\"random\"} 610\n",
        "triarch_played_bot_move_seconds_count{bot=\"random\"} 61\n",
        "triarch_played_bot_move_seconds_bucket{bot=\"random\",le=\"0.001\"} 0\n",
        "triarch_played_bot_move_seconds_bucket{bot=\"random\",le=\"0.003\"} 61\n",
        "triarch_played_bot_faults_total{bot=\"random\",fault=\"crash\"} 1\n",
        "triarch_played_bot_faults_total{bot=\"random\",fault=\"illegal_move\"} 0\n",
        "triarch_played_bot_fallbacks_total{bot=\"random\"} 2\n"}) {
    EXPECT_THAT(text, HasSubstr(line));
  }
  EXPECT_THAT(text, Not(HasSubstr("bot=\"\"")));
}

TEST(WorkerMetrics, CountsReportsAndCalls) {
  WorkerMetrics metrics;
  metrics.Reported("recorded", 20);
  metrics.Reported("recorded", 5);
  metrics.Called("Heartbeat", "UNAVAILABLE", std::chrono::milliseconds(7));
  const std::string text = metrics.Text();
  EXPECT_THAT(text, HasSubstr("triarch_sent_reports_total{outcome=\"recorded\"} 2\n"));
  EXPECT_THAT(text, HasSubstr("triarch_sent_games_total{outcome=\"recorded\"} 25\n"));
  EXPECT_THAT(text, HasSubstr("triarch_sent_reports_total{outcome=\"retry\"} 0\n"));
  EXPECT_THAT(text, HasSubstr("triarch_sent_games_total{outcome=\"rejected\"} 0\n"));
  EXPECT_THAT(text, HasSubstr("triarch_grpc_client_calls_total{code=\"UNAVAILABLE\",method="));
}

TEST(WorkerMetrics, ShowsItsState) {
  WorkerMetrics metrics;
  metrics.Set({.slots = 8,
               .busy_slots = 7,
               .leases = 2,
               .games_open = 31,
               .games_held = 4,
               .is_connected = true,
               .is_full = false});
  const std::string text = metrics.Text();
  for (const char* line :
       {"triarch_slots 8\n", "triarch_busy_slots 7\n", "triarch_leases 2\n",
        "triarch_open_games 31\n", "triarch_held_games 4\n", "triarch_connected 1\n",
        "triarch_full 0\n", "process_cpu_seconds_total "}) {
    EXPECT_THAT(text, HasSubstr(line));
  }
}

}  // namespace
}  // namespace triarch
