#include "cli/missing_games.h"

#include <algorithm>

namespace triarch {

MissingGames::MissingGames(std::span<const Store::Range> recorded, int64_t games) {
  int64_t next = 0;
  const auto add_gap = [&](int64_t last) {
    if (next >= last) return;
    gaps_.push_back({next, last});
    count_ += last - next;
  };
  for (const Store::Range& range : recorded) {
    add_gap(std::min(range.first, games));
    next = range.last;
  }
  add_gap(games);
}

std::optional<int64_t> MissingGames::Next() {
  MutexLock lock(&mutex_);
  if (gap_ == gaps_.size()) return std::nullopt;
  const Store::Range& gap = gaps_[gap_];
  const int64_t index = gap.first + used_++;
  if (index + 1 == gap.last) {
    ++gap_;
    used_ = 0;
  }
  return index;
}

}  // namespace triarch
