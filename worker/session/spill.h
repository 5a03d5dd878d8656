// Declares the place where finished games wait when memory is full.

#ifndef TRIARCH_WORKER_SESSION_SPILL_H_
#define TRIARCH_WORKER_SESSION_SPILL_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "core/record/game_record.h"

namespace triarch {

// One thread at a time calls Put and Take; meanwhile another may call Drop for another number.
class Spill {
 public:
  virtual ~Spill() = default;
  // Stores the games and returns the number to find them by. ResourceExhausted: the disk is full.
  virtual absl::StatusOr<int64_t> Put(const std::vector<GameRecord>& games) = 0;
  // Returns the games and forgets them. DataLoss: they cannot be read any more.
  virtual absl::StatusOr<std::vector<GameRecord>> Take(int64_t number) = 0;
  virtual void Drop(int64_t number) = 0;
};

}  // namespace triarch

#endif  // TRIARCH_WORKER_SESSION_SPILL_H_
