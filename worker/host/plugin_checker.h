// Plays games of a plugin against itself and reports what is wrong.

#ifndef TRIARCH_WORKER_HOST_PLUGIN_CHECKER_H_
#define TRIARCH_WORKER_HOST_PLUGIN_CHECKER_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "bots/sdk/triarch_bot.h"
#include "core/any_state.h"
#include "core/game/position.h"
#include "core/play/time_control.h"
#include "worker/host/bot_report.h"
#include "worker/host/check_plan.h"
#include "worker/host/plugin.h"

namespace triarch {

// What a plugin is doing. Another process may read it after a crash.
struct PluginPlace {
  enum Function : int { kLoad, kCreate, kNewGame, kChooseMove, kPolicy, kDestroy };
  std::atomic<uint64_t> calls = 0;  // grows with every call and return
  std::atomic<int> function = kLoad;
  std::atomic<int64_t> game = 0;  // from 1; 0 outside games
  std::atomic<int64_t> ply = 0;   // from 1; 0 before the first move
  std::atomic<int> seat = 0;
};

// Returns "in choose_move".
std::string FunctionText(const PluginPlace& place);
// Returns "game 2, ply 14, White", or "" outside games.
std::string PlaceText(const PluginPlace& place, const GameInfo& game);

// Returns the number of the plan's last game, which has the clock. The one before repeats game 1.
inline int64_t ClockedGame(const CheckPlan& plan) { return plan.games + 2; }

// The part of CheckPlugin that calls the plugin (plugin_check.h).
class PluginChecker {
 public:
  // Receives each finding as it is made.
  using OnFinding = std::function<void(const BotFinding&)>;

  PluginChecker(const Plugin& plugin, const GameInfo& game, PluginPlace* place,
                OnFinding on_finding);
  // Requires: Make succeeded. Destroys the instances.
  ~PluginChecker();

  // Creates an instance for each seat.
  absl::Status Make(const std::map<std::string, std::string>& options);
  // Plays the plan's games from number `first` (from 1); repeats the first one only if it has just
  // been played. Calls `after_game` after each game.
  void PlayGames(int64_t first, const CheckPlan& plan, absl::FunctionRef<void()> after_game);
  // Destroys the instances.
  void Finish();
  int64_t plies() const { return plies_; }

 private:
  std::vector<std::string> PlayGame(int64_t number, uint64_t seed);
  void PlayClockedGame(int64_t number, const ClockSpec& clock);
  // Compares the repetition of the first game with it.
  void Compare(const std::vector<std::string>& first, const std::vector<std::string>& again);
  SearchLimits LimitsNow(std::atomic<bool>* stop) const;
  void CheckTime(std::chrono::milliseconds used);
  std::optional<triarch_move> Choose(const AnyState& state, const AnyState::Moves& moves);
  void CheckAnswer(const triarch_turn& turn, const triarch_answer& answer);
  void CheckPolicy(const triarch_turn& turn);
  void* self() const { return instances_[static_cast<size_t>(place_.seat.load())]; }
  // Calls a function of the plugin; returns nothing if it threw.
  template <class F>
  auto Call(PluginPlace::Function function, F f) -> std::optional<decltype(f())>;
  void Fault(const std::string& what, const std::string& detail = "", int64_t worst_ms = 0);
  void Warn(const std::string& what, const std::string& detail = "");
  void Add(BotFinding finding);

  const Plugin& plugin_;
  const triarch_bot& bot_;
  const GameInfo& game_;
  PluginPlace& place_;
  const OnFinding on_finding_;
  std::vector<void*> instances_;  // by seat
  // Of the current game.
  std::optional<GameClock> clock_;
  GameClock::TimePoint until_ = GameClock::TimePoint::max();
  int64_t plies_ = 0;
};

}  // namespace triarch

#endif  // TRIARCH_WORKER_HOST_PLUGIN_CHECKER_H_
