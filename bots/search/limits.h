// Counts a search's nodes and time against its limits.

#ifndef TRIARCH_BOTS_SEARCH_LIMITS_H_
#define TRIARCH_BOTS_SEARCH_LIMITS_H_

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

#include "core/base/dirichlet.h"

namespace triarch {

inline constexpr int kDepthMax = 64;  // in plies, for any search

// The limits of one search.
struct Limits {
  int64_t nodes_max = std::numeric_limits<int64_t>::max();
  int depth_max = kDepthMax;  // not counting the quiescence search at the leaves
  std::optional<std::chrono::steady_clock::time_point> deadline = std::nullopt;
  const std::atomic<bool>* stop = nullptr;
  std::optional<DirichletNoise> noise = std::nullopt;  // mixed into the weights of the root's moves
  std::optional<size_t> only_move = std::nullopt;      // the only legal move to search at the root
};

// Counts the nodes of one search and decides when it must end. Node limits are exact, so a
// search limited only by nodes is reproducible. The clock and the stop flag are checked only
// periodically, the clock only if there is a deadline.
class Budget {
 public:
  // Requires: `nodes_per_look` is a power of two, and that many nodes take about a millisecond.
  explicit Budget(const Limits& limits, int64_t nodes_per_look = 1024)
      : limits_(limits), look_mask_(nodes_per_look - 1) {}

  // Takes one node. Returns false, now and on every later call, if the search must end instead.
  bool Spend() {
    if (is_spent_) return false;
    if (nodes_ >= limits_.nodes_max || ((nodes_ & look_mask_) == look_mask_ && IsTimeUp())) {
      is_spent_ = true;
      return false;
    }
    ++nodes_;
    return true;
  }

  bool is_spent() const { return is_spent_; }
  int64_t nodes() const { return nodes_; }

 private:
  bool IsTimeUp() const {
    if (limits_.stop != nullptr && limits_.stop->load(std::memory_order_relaxed)) return true;
    return limits_.deadline && std::chrono::steady_clock::now() >= *limits_.deadline;
  }

  const Limits limits_;
  const int64_t look_mask_;
  int64_t nodes_ = 0;
  bool is_spent_ = false;
};

}  // namespace triarch

#endif  // TRIARCH_BOTS_SEARCH_LIMITS_H_
