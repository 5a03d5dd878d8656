// Simulates time, chance and the network, and counts events.

#ifndef TRIARCH_TESTS_SIMULATION_WORLD_H_
#define TRIARCH_TESTS_SIMULATION_WORLD_H_

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <queue>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/random.h"
#include "core/record/game_record.h"
#include "core/record/planned_match.h"
#include "worker/session/worker_session.h"

namespace triarch::simulation {

using Time = std::chrono::steady_clock::time_point;
using Duration = std::chrono::steady_clock::duration;

// The settings of one history, drawn from its seed. Times are in units: with a unit of a second the
// cluster is as in production; with a unit of a few minutes, simulated hours are cheap.
struct Settings {
  std::chrono::milliseconds unit{1'000};
  int64_t workers = 12;
  int64_t tournaments = 3;
  double length = 1'800;  // time with faults, in units
  double message_delay = 0.05;
  double late_share = 0.01;        // share of messages that are a few units late
  double dropped_share = 0.01;     // share of messages
  double duplicated_share = 0.01;  // share of messages to the coordinator
  double unknown_share = 0.02;     // share of commits with unknown outcome
  double faults_per_unit = 0.05;
  int64_t liars = 0;
  int64_t hoarders = 0;
  int64_t forgers = 0;        // report games that are legal but were not played like that
  int64_t audits = 0;         // that workers other than the first must pass; 0 if they are trusted
  int64_t strangers = 0;      // workers with other bots
  double narrow_share = 0;    // share of workers whose link carries less than they play
  double selfplay_share = 0;  // share of tournaments
  double bundle_share = 0;    // share of tournaments whose bots are in bundles
  double event_share = 0;     // of tournaments that are Swiss events
  bool keeps_lease_rows = true;
};

// A tournament as its submitter describes it.
struct Plan {
  int64_t games = 0;
  PlayNeeds needs;

  bool is_selfplay() const { return needs.shard_samples > 0; }
};

// Counts of events.
struct Tally {
  double worker_hours = 0;
  double play_hours = 0;  // hours of slots
  int64_t histories = 0;
  int64_t events = 0;
  int64_t messages = 0;
  int64_t dropped = 0;
  int64_t games_played = 0;
  int64_t games_recorded = 0;
  int64_t leases = 0;
  int64_t steals = 0;
  int64_t expiries = 0;
  int64_t stalled_leases = 0;
  int64_t cancelled_leases = 0;
  int64_t stale = 0;
  int64_t rejected = 0;
  int64_t duplicate_games = 0;
  int64_t retries = 0;
  int64_t spilled = 0;
  int64_t spill_faults = 0;
  int64_t quarantined = 0;
  int64_t evictions = 0;
  int64_t worker_crashes = 0;
  int64_t coordinators = 0;
  int64_t deposed = 0;  // coordinators that another one replaced
  int64_t unknown_commits = 0;
  int64_t cuts = 0;
  int64_t freezes = 0;
  int64_t clock_jumps = 0;
  int64_t refusals = 0;
  int64_t shards_stored = 0;
  int64_t shards_recorded = 0;
  int64_t blob_faults = 0;
  int64_t bundle_parts = 0;
  int64_t bundle_faults = 0;

  void Add(const Tally& other);
  std::string ToString() const;
};

// The clock and the random numbers: everything happens as an event.
class World {
 public:
  World(uint64_t seed, const Settings& settings, bool logs);

  const Settings& settings() const { return settings_; }
  Time now() const { return now_; }
  Random& random() { return random_; }
  Tally& tally() { return tally_; }
  const Tally& tally() const { return tally_; }

  Duration Units(double units) const;
  void At(Time time, std::function<void()> event);
  void In(double units, std::function<void()> event) { At(now_ + Units(units), std::move(event)); }
  // Runs events until that time, or until something fails.
  void RunUntil(Time time);

  bool Chance(double probability) { return random_.Unit() < probability; }
  double Exponential(double mean);
  int64_t Between(int64_t least, int64_t most);  // inclusive bounds

  void AddPlan(int64_t tournament, Plan plan) { plans_[tournament] = std::move(plan); }
  const Plan& plan(int64_t tournament) const { return plans_.at(tournament); }

  // Stops all faults.
  void CalmDown() { is_calm_ = true; }
  bool is_calm() const { return is_calm_; }

  // Reports a violated invariant. Keeps the first, which ends the history.
  void Fail(const std::string& why);
  void Expect(bool holds, const char* what) {
    if (!holds) Fail(what);
  }
  const std::optional<std::string>& failure() const { return failure_; }

  bool logs() const { return logs_; }
  void Log(const std::string& text);

 private:
  struct Event {
    Time time;
    uint64_t number;  // orders simultaneous events by creation
    std::function<void()> run;
  };
  struct Later {
    bool operator()(const Event& a, const Event& b) const {
      return a.time != b.time ? a.time > b.time : a.number > b.number;
    }
  };

  const Settings settings_;
  const bool logs_;
  Random random_;
  Time now_;
  uint64_t events_ = 0;
  std::vector<Event> queue_;  // a heap
  Tally tally_;
  std::map<int64_t, Plan> plans_;
  bool is_calm_ = false;
  std::optional<std::string> failure_;
};

// The network between workers and coordinators, with late, lost, duplicate and reordered messages
// and cut links.
class Network {
 public:
  Network(World& world, int64_t workers);

  // `plies` is the size of the message.
  void ToCoordinator(int64_t worker, std::function<void()> deliver, int64_t plies = 0);
  void ToWorker(int64_t worker, std::function<void()> deliver);
  void Cut(int64_t worker, bool up, bool down, Time until);
  // Limits the worker's link to that rate from now on, with one message after the other.
  void Narrow(int64_t worker, double plies_per_unit);

 private:
  struct Link {
    Time up_again;
    Time down_again;
    double plies_per_unit = 0;  // 0 means no limit
    Time busy_to;
  };
  void Send(bool is_cut, bool may_duplicate, std::function<void()> deliver, Duration wait = {});

  World& world_;
  std::vector<Link> links_;
};

// Returns the only true tar of a bundle.
std::string TarOf(const std::string& digest);

// Returns the only true record of a game, which honest workers report.
// `match` is its match if the tournament's matches are planned, else null.
GameRecord PlayedGame(int64_t tournament, int64_t index, const std::string& digest,
                      const PlannedMatch* match);
// Returns whether the record is true, as the coordinator's replay finds out.
// A forged game has nodes, but is otherwise true.
bool IsTrue(int64_t tournament, const GameRecord& record, const PlannedMatch* match);

inline constexpr std::string_view kBuild = "v1";  // of the coordinators
// When a lease without a recorded game is stalled, in units, and how often that may happen.
inline constexpr double kPatience = 40;
inline constexpr double kPatienceMax = 400;
inline constexpr int kStallsMax = 3;
inline constexpr std::string_view kGame = "triumvirate";
inline constexpr size_t kSeats = 3;
inline constexpr size_t kBots = 7;
inline constexpr std::array<std::string_view, kBots> kBotNames = {"a", "b", "c", "d",
                                                                  "e", "f", "g"};
// Games in a round of a Swiss event: one bot has a bye.
inline constexpr int64_t kRoundGames = 12;
// Returns the number of the bot in that seat.
size_t BotOf(const GameRecord& record, size_t seat);
using Points = std::array<int64_t, kBots>;
// Adds the points that the game gives each bot, as the leaderboard does.
void AddPoints(const GameRecord& record, Points& points);

}  // namespace triarch::simulation

#endif  // TRIARCH_TESTS_SIMULATION_WORLD_H_
