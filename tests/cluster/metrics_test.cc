// Tests dashboards and rules on a real run scraped by a real Prometheus.

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "tests/cluster/cluster.h"

namespace triarch {
namespace {

using std::chrono::seconds;
using Json = nlohmann::ordered_json;

// Enough games to outlast the test.
constexpr char kGames[] = "games: 1000000\n";
constexpr seconds kCheckTime{100};

// Games with many kinds of endings.
constexpr char kCup[] =
    "game: tri-d\n"
    "name: cup\n"
    "bots:\n"
    "  - random\n"
    "  - greedy\n"
    "  - {name: paranoid-300, bot: paranoid, nodes: 300}\n"
    "  - {name: mcts-40, bot: mcts, nodes: 40, resign: 5}\n";

// A sequential test that needs millions of games.
constexpr char kTrial[] =
    "game: triumvirate\n"
    "name: trial\n"
    "mode: test\n"
    "bots: [smart, greedy]\n"
    "test: {elo: [0, 0.01]}\n";

// Games with clocks. `late` uses up its time after about a hundred moves.
constexpr char kBlitz[] =
    "game: triumvirate\n"
    "name: blitz\n"
    "bots:\n"
    "  - random\n"
    "  - greedy\n"
    "  - {name: maxn-200, bot: maxn, nodes: 200}\n"
    "  - {name: paranoid-200, bot: paranoid, nodes: 200}\n"
    "  - {name: late, bot: paranoid, nodes: 1000000000000}\n"
    "time_control: {tc: 0.04, margin_ms: 0}\n";

// Describes the run for check_metrics.py, with its expected values at the end.
Json Described() {
  return {
      {"workers", {"anna", "bert"}},
      {"gone_workers", {"carl"}},
      {"seats", {{"1 cup", 2}, {"2 trial", 3}, {"3 blitz", 3}}},
      {"tests", {"2 trial"}},
      {"best_of", nlohmann::json::array()},
      {"tunings", nlohmann::json::array()},
      {"faulty_bots", {{"3 blitz", {"late"}}}},
      {"bots",
       {{"1 cup",
         {{"random", "random"},
          {"greedy", "greedy"},
          {"paranoid-300", "paranoid"},
          {"mcts-40", "mcts"}}},
        {"2 trial", {{"smart", "smart"}, {"greedy", "greedy"}}},
        {"3 blitz",
         {{"random", "random"},
          {"greedy", "greedy"},
          {"maxn-200", "maxn"},
          {"paranoid-200", "paranoid"},
          {"late", "paranoid"}}}}},
      {"values",
       {
           {"count(up == 1)", 3},
           {"sum(triarch_leading)", 1},
           {"sum(triarch_store_up)", 1},
           {"sum(triarch_slots)", 2},
           {"sum(triarch_connected)", 2},
           {"sum(triarch_worker_slots)", 2},
           {"triarch_workers{state='alive'}", 2},
           {"triarch_workers{state='gone'}", 1},
           {"triarch_workers{state='quarantined'}", 0},
           {"sum by (tournament) (triarch_tournament_games)", 1000000},
           {"sum by (tournament) (triarch_tournament_state)", 1},
           {"triarch_tournament_state{tournament='1 cup',state='cancelled'}", 1},
           {"triarch_tournament_state{tournament='3 blitz',state='active'}", 1},
           {"triarch_test_units{tournament='2 trial'} >= bool 20", 1},
           {"triarch_test_llr_high{tournament='2 trial'} > bool 2.9", 1},
           {"triarch_test_elo{tournament='2 trial'} > bool 100", 1},
           {"count by (tournament) (triarch_games_total > 0) >= bool 2", 1},
           // Only the active one; the two values are read at slightly different times.
           {"abs(triarch:open_games:sum - on ()"
            " triarch_tournament_open_games{tournament='3 blitz'}) < bool 100000",
            1},
           {"triarch_grpc_server_calls_total{method='SetState',code='NOT_FOUND'}", 1},
           {"sum by (event) (triarch_lease_events_total"
            "{event=~'granted|finished|expired|cancelled'}) > bool 0",
            1},
           {"triarch_bot_faults_total{tournament='3 blitz',bot='late',fault='time_forfeit'}"
            " > bool 4",
            1},
           {"sum by (bot) (triarch_played_bot_faults_total{bot='paranoid',fault='time_forfeit'})"
            " > bool 4",
            1},
           // The mean of all bots is 0.
           {"abs(avg by (tournament) (triarch_bot_rating_elo)) < bool 0.01", 1},
           {"triarch_bot_rating_error_elo > bool 0", 1},
           {"triarch_bot_rating_error_elo < bool 1000", 1},
           {"abs(sum by (tournament) (triarch_seat_effect_elo)) < bool 0.01", 1},
           {"triarch_seat_effect_error_elo > bool 0", 1},
           {"triarch_bot_rating_elo{tournament='1 cup',bot='paranoid-300'} > bool ignoring (bot)"
            " triarch_bot_rating_elo{tournament='1 cup',bot='random'}",
            1},
           {"triarch_bot_rating_elo{tournament='3 blitz',bot='paranoid-200'} > bool ignoring (bot)"
            " triarch_bot_rating_elo{tournament='3 blitz',bot='random'}",
            1},
           // An alert is pending for a few minutes before it fires.
           {"ALERTS{alertname='TriarchBotFaultsSurging',bot='late',alertstate='pending'}", 1},
       }},
  };
}

// Sums the page's samples of a metric with all these labels, such as bot="late".
double Sum(const std::string& page, const std::string& metric, const Arguments& labels) {
  double sum = 0;
  std::istringstream in(page);
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with(metric + "{")) continue;
    bool is_meant = true;
    for (const std::string& label : labels) is_meant &= line.find(label) != std::string::npos;
    if (is_meant) sum += std::atof(line.substr(line.rfind(' ')).c_str());
  }
  return sum;
}

class Metrics : public ::testing::Test {
 protected:
  Metrics() : cluster_({"--lease-seconds", "8"}) {
    cluster_.Lead();
    for (const auto& [name, port] : ports_) {
      cluster_.Work(name, {"--slots", "1", "--metrics", Loopback(port)});
    }
    cluster_.Work("carl", {"--slots", "1"});
  }

  // Starts check_metrics.py and waits until its Prometheus scrapes.
  std::unique_ptr<StartedProgram> StartCheck() {
    WriteWholeFile(cluster_.folder() / "run.json", Described().dump());
    Arguments arguments = {"--pdeathsig",
                           "KILL",
                           "python3",
                           "-B",
                           TRIARCH_CHECK_METRICS,
                           "--coordinator",
                           Loopback(cluster_.http_port()),
                           "--run",
                           cluster_.folder() / "run.json",
                           "--window",
                           "120",
                           "--wait",
                           std::to_string(kCheckTime.count())};
    for (const auto& [name, port] : ports_) {
      arguments = arguments + Arguments{"--worker", Loopback(port)};
    }
    auto check = std::make_unique<StartedProgram>(TRIARCH_SETPRIV, arguments);
    EXPECT_TRUE(check->WaitForError("scraping"));
    return check;
  }

  std::string Page() const { return HttpGet(cluster_.http_port(), "/metrics").body; }

  // Waits until the sum is above 0.
  void WaitUntilShown(const std::string& metric, const Arguments& labels) const {
    EXPECT_TRUE(WaitUntil([&] { return Sum(Page(), metric, labels) > 0; })) << metric;
  }

  void Cancel(int64_t id) {
    EXPECT_EQ(cluster_.Operate({"cancel", std::to_string(id)}).exit_code, 0);
  }

  // Expects the page to agree with the store, possibly after a while, because the store is updated
  // first.
  void ExpectSameAsStore(const std::string& metric, const Arguments& labels,
                         const std::string& sql) {
    double shown = 0;
    double stored = 0;
    const bool is_same = WaitUntil(
        [&] {
          shown = Sum(Page(), metric, labels);
          stored = std::atof(cluster_.postgres().Ask(cluster_.database(), sql).c_str());
          return stored > 0 && std::abs(shown - stored) < 1e-6 * stored;
        },
        seconds(10));
    EXPECT_TRUE(is_same) << metric << ": " << shown << "; " << sql << ": " << stored;
  }

  Cluster cluster_;
  const std::vector<std::pair<std::string, int>> ports_ = {{"anna", FreePort()},
                                                           {"bert", FreePort()}};
};

TEST_F(Metrics, EveryExpressionIsPlausible) {
  const int64_t cup = cluster_.Submit({std::string(kCup) + kGames});
  const int64_t trial = cluster_.Submit({std::string(kTrial) + kGames});
  const int64_t blitz = cluster_.Submit({std::string(kBlitz) + kGames});
  const auto check = StartCheck();
  // Play the cup for as long as a lease of a dead worker lasts: several scrapes.
  WaitUntilShown("triarch_worker_leases", {"worker=\"carl\""});
  cluster_.KillWorker("carl");
  WaitUntilShown("triarch_lease_events_total", {"event=\"expired\""});
  WaitUntilShown("triarch_bot_rating_error_elo", {"bot=\"paranoid-300\""});
  Cancel(cup);
  WaitUntilShown("triarch_bot_rating_error_elo", {"bot=\"smart\""});
  // Told once the test has enough units for an estimate.
  WaitUntilShown("triarch_test_games_left", {"tournament=\"2 trial\""});
  Cancel(trial);
  EXPECT_EQ(cluster_.Operate({"pause", "99"}).exit_code, 1);
  const Ran checked = check->Wait();
  EXPECT_EQ(checked.exit_code, 0) << checked.out << checked.err;

  Cancel(blitz);
  for (const std::string id : {"1", "2", "3"}) {
    const std::string label = "tournament=\"" + id + " ";
    const std::string games = " FROM games WHERE tournament = " + id;
    ExpectSameAsStore("triarch_games_total", {label}, "SELECT count(*)" + games);
    ExpectSameAsStore("triarch_games_total", {label, "termination=\"checkmate\""},
                      "SELECT count(*)" + games + " AND termination = 'checkmate'");
    ExpectSameAsStore("triarch_plies_total", {label}, "SELECT sum(plies)" + games);
    ExpectSameAsStore("triarch_bot_points_total", {label, "bot=\"greedy\""},
                      "SELECT sum(points) FROM game_seats JOIN bots ON bots.id = game_seats.bot"
                      " WHERE name = 'greedy' AND bots.tournament = " +
                          id);
  }
  ExpectSameAsStore("triarch_bot_faults_total", {"bot=\"late\"", "fault=\"time_forfeit\""},
                    "SELECT count(*) FROM game_seats JOIN bots ON bots.id = game_seats.bot"
                    " WHERE name = 'late' AND ending = 'time_forfeit'");
}

}  // namespace
}  // namespace triarch
