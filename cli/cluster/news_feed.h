// Polls a coordinator for news about a tournament, in the background.

#ifndef TRIARCH_CLI_CLUSTER_NEWS_FEED_H_
#define TRIARCH_CLI_CLUSTER_NEWS_FEED_H_

#include <chrono>
#include <cstdint>
#include <thread>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "cli/cluster/operator_client.h"
#include "core/base/mutex.h"
#include "triarch/v1/tournament.pb.h"

namespace triarch {

// The latest news about a tournament.
struct News {
  int64_t answers = 0;  // so far
  // When the last answer came; before the first answer, when this object was created.
  std::chrono::steady_clock::time_point answered = std::chrono::steady_clock::now();
  v1::GetResponse now;  // the last answer
  v1::ListResponse list;
  v1::StandingsResponse standings;
  int64_t standings_answers = 0;
  absl::Status error;            // why a later call failed
  absl::Status standings_error;  // why a finished tournament has no standings
  bool is_last = false;          // the tournament is over, or `error` is permanent
};

// Returns whether the tournament is done or cancelled.
bool IsOver(const v1::Tournament& tournament);

// Uses two threads, because standings can take much longer than other answers.
class NewsFeed {
 public:
  // Each client is used by one thread.
  NewsFeed(OperatorClient* client, OperatorClient* standings_client, int64_t id)
      : client_(client),
        standings_client_(standings_client),
        id_(id),
        thread_([this] { PollTournament(); }),
        standings_thread_([this] { PollStandings(); }) {}
  ~NewsFeed() {
    client_->Stop();
    standings_client_->Stop();
    MutexLock lock(&mutex_);
    is_stopped_ = true;
    changed_.NotifyAll();
  }
  NewsFeed(const NewsFeed&) = delete;
  NewsFeed& operator=(const NewsFeed&) = delete;

  News Latest() const ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    return latest_;
  }

 private:
  void PollTournament() ABSL_LOCKS_EXCLUDED(mutex_);
  void PollStandings() ABSL_LOCKS_EXCLUDED(mutex_);
  // Returns false when there is nothing more to wait for.
  bool Wait(std::chrono::steady_clock::duration time) ABSL_LOCKS_EXCLUDED(mutex_);

  OperatorClient* const client_;
  OperatorClient* const standings_client_;
  const int64_t id_;

  mutable Mutex mutex_;
  CondVar changed_;
  News latest_ ABSL_GUARDED_BY(mutex_);
  bool is_stopped_ ABSL_GUARDED_BY(mutex_) = false;
  std::jthread thread_;  // last, because the threads use all other members
  std::jthread standings_thread_;
};

}  // namespace triarch

#endif  // TRIARCH_CLI_CLUSTER_NEWS_FEED_H_
