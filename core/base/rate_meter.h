// Measures how many events per second happened recently.

#ifndef TRIARCH_CORE_BASE_RATE_METER_H_
#define TRIARCH_CORE_BASE_RATE_METER_H_

#include <chrono>
#include <cstdint>
#include <optional>

namespace triarch {

// A mean over windows of at least `window`, in which each older window counts for less. It divides
// a sum of counts by a sum of times instead of averaging rates, so that each window's weight is
// proportional to its duration.
class RateMeter {
 public:
  using Time = std::chrono::steady_clock::time_point;
  using Seconds = std::chrono::duration<double>;

  explicit RateMeter(Seconds window) : window_(window) {}

  // Discards the current window and begins a new one, to exclude idle time since the last event.
  void Start(Time now) {
    begin_ = now;
    count_ = 0;
  }

  // Counts events. A count of 0 lets the rate fall while nothing happens.
  void Add(int64_t count, Time now) {
    if (!begin_) Start(now);
    count_ += count;
    const Seconds passed = now - *begin_;
    if (passed < window_) return;
    events_ = kKept * events_ + static_cast<double>(count_);
    seconds_ = kKept * seconds_ + passed.count();
    Start(now);
  }

  // Empty until the first window is complete.
  std::optional<double> per_second() const {
    return seconds_ > 0 ? std::optional<double>(events_ / seconds_) : std::nullopt;
  }

 private:
  // Factor by which each new window reduces the weight of the older ones.
  static constexpr double kKept = 0.7;

  Seconds window_;
  std::optional<Time> begin_;
  int64_t count_ = 0;  // since begin_
  // Weighted sums over the complete windows.
  double events_ = 0;
  double seconds_ = 0;
};

}  // namespace triarch

#endif  // TRIARCH_CORE_BASE_RATE_METER_H_
