// Declares the store for finished games that do not fit in memory.

#ifndef TRIARCH_WORKER_SESSION_SPILL_H_
#define TRIARCH_WORKER_SESSION_SPILL_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "core/record/game_record.h"

namespace triarch {

// Put and Take are called by one thread at a time; another thread may concurrently call Drop for
// another number.
class Spill {
 public:
  virtual ~Spill() = default;
  // Stores the games and returns their number. Fails with ResourceExhausted if the disk is full.
  virtual absl::StatusOr<int64_t> Put(const std::vector<GameRecord>& games) = 0;
  // Returns the games and removes them. Fails with DataLoss if they can no longer be read.
  virtual absl::StatusOr<std::vector<GameRecord>> Take(int64_t number) = 0;
  virtual void Drop(int64_t number) = 0;
};

}  // namespace triarch

#endif  // TRIARCH_WORKER_SESSION_SPILL_H_
