// Plays the games of `triarch join`, several at a time if asked to.

#ifndef TRIARCH_CLI_ARENA_JOIN_GAMES_H_
#define TRIARCH_CLI_ARENA_JOIN_GAMES_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "arena/client/arena_client.h"
#include "arena/client/seated_bot.h"
#include "arena/client/table_player.h"
#include "core/base/mutex.h"
#include "core/game/position.h"
#include "core/record/game_spec.h"
#include "worker/match/player_cache.h"

namespace triarch {

// What to play.
struct JoinPlan {
  arena::ArenaClient::Options arena;
  arena::JoinWish wish;
  const GameInfo* game = nullptr;
  BotSpec bot;
  arena::TimeRules rules;
  int64_t games = 1;   // 0 for ever
  int64_t tables = 1;  // at a time
};

// The games of a plan. Begins no more of them after an error, or after kFailuresMax games in a row
// that the bot has not played well (TableGame::is_well_played). Stops soon when `stop` is set.
class JoinGames {
 public:
  static constexpr int kFailuresMax = 3;

  // `log` gets lines about what happens, and `played` each game at its end, one after another.
  JoinGames(JoinPlan plan, PlayerMaker make_player, const std::atomic<bool>& stop,
            std::function<void(const std::string&)> log,
            std::function<void(const arena::TableGame&)> played);

  // Plays them all.
  void Run() ABSL_LOCKS_EXCLUDED(mutex_);

  // What came of them, after Run.
  const std::vector<arena::TableGame>& games() const ABSL_NO_THREAD_SAFETY_ANALYSIS {
    return games_;
  }
  // Why not all of them were played: an error, or Cancelled.
  const absl::Status& status() const ABSL_NO_THREAD_SAFETY_ANALYSIS { return status_; }
  int64_t failure_count() const ABSL_NO_THREAD_SAFETY_ANALYSIS { return failure_count_; }

 private:
  // Plays one game after the other at one table.
  void PlaySome() ABSL_LOCKS_EXCLUDED(mutex_);
  // Returns whether there is another game to begin, and its number.
  bool BeginGame(int64_t* number) ABSL_LOCKS_EXCLUDED(mutex_);
  void EndGame(const arena::TableGame& game, const absl::Status& status)
      ABSL_LOCKS_EXCLUDED(mutex_);

  const JoinPlan plan_;
  const PlayerMaker make_player_;
  const std::atomic<bool>& stop_;
  const std::function<void(const std::string&)> log_;
  const std::function<void(const arena::TableGame&)> played_;
  std::atomic<bool> is_ended_ = false;  // stopped, or an error has ended it

  Mutex mutex_;
  int64_t begun_ ABSL_GUARDED_BY(mutex_) = 0;
  std::vector<arena::TableGame> games_ ABSL_GUARDED_BY(mutex_);
  absl::Status status_ ABSL_GUARDED_BY(mutex_);
  int64_t failure_count_ ABSL_GUARDED_BY(mutex_) = 0;
  int failures_in_a_row_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace triarch

#endif  // TRIARCH_CLI_ARENA_JOIN_GAMES_H_
