// Lets bundled bots choose moves in threads.

#ifndef TRIARCH_ARENA_SERVICE_HOUSE_CREW_H_
#define TRIARCH_ARENA_SERVICE_HOUSE_CREW_H_

#include <array>
#include <atomic>
#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "arena/session/session.h"
#include "core/any_state.h"
#include "core/base/mutex.h"
#include "core/play/player.h"

namespace triarch::arena {

// Checks that a bundled bot with these options can play all games.
absl::Status CheckHouseBot(const std::string& word);
// Checks that it can play a game, and that it uses neither files nor servers: strangers may ask for
// such a bot.
absl::Status CheckHouseBotFor(const std::string& game, const std::string& word);

// Every move is a new game to the bot, with a seed of its own, so that it does not matter which
// arena asks, and how often.
class HouseCrew final : public HouseBots {
 public:
  struct Options {
    int threads = 1;
    std::chrono::milliseconds move_time{500};  // at most, for a move; less while others wait
  };
  // `post` runs a function in the session's thread.
  HouseCrew(Options options, std::function<void(std::function<void()>)> post);
  // Stops at once: searches that are under way are dropped.
  ~HouseCrew() override;

  void Choose(const Table& table, Seat seat,
              std::function<void(std::optional<size_t>)> done) override;

 private:
  // Rated games come first, then those in which a player is left.
  enum Urgency : size_t { kRated, kUnrated, kNobodyLeft };
  static Urgency UrgencyOf(const Table& table);

  struct Turn {
    Urgency urgency = kRated;
    AnyState state;
    Seat seat = Seat::kFirst;
    std::string bot;
    uint64_t seed = 0;
    int64_t plies = 0;
    std::function<void(std::optional<size_t>)> done;
  };
  using Players = std::map<std::pair<std::string, std::string>, std::unique_ptr<SyncPlayer>>;

  void Work();
  // Takes the next turn and sets the time for it. Returns nothing if no turn waits.
  std::optional<Turn> Take(std::chrono::milliseconds* time) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  std::optional<size_t> Play(const Turn& turn, std::chrono::milliseconds time, Players& players);

  const Options options_;
  const std::function<void(std::function<void()>)> post_;
  std::atomic<bool> is_stopping_ = false;
  Mutex mutex_;
  CondVar changed_;
  std::array<std::deque<Turn>, 3> turns_ ABSL_GUARDED_BY(mutex_);  // by urgency
  std::vector<std::jthread> threads_;  // declared last, because they use all other members
};

}  // namespace triarch::arena

#endif  // TRIARCH_ARENA_SERVICE_HOUSE_CREW_H_
