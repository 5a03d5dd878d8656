#ifndef TRIARCH_CLI_MISSING_GAMES_H_
#define TRIARCH_CLI_MISSING_GAMES_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "coordinator/store/store.h"
#include "core/base/mutex.h"

namespace triarch {

// Hands out the games of a tournament that are not recorded yet, each once, in order. Any thread
// may ask.
class MissingGames {
 public:
  // Of `games` games in all; `recorded` as the store has them.
  MissingGames(std::span<const Store::Range> recorded, int64_t games);

  int64_t count() const { return count_; }  // at first
  std::optional<int64_t> Next() ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  std::vector<Store::Range> gaps_;  // none is empty; these two do not change once made
  int64_t count_ = 0;

  Mutex mutex_;
  size_t gap_ ABSL_GUARDED_BY(mutex_) = 0;
  int64_t used_ ABSL_GUARDED_BY(mutex_) = 0;  // games of that gap already handed out
};

}  // namespace triarch

#endif  // TRIARCH_CLI_MISSING_GAMES_H_
