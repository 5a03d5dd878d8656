#include "worker/match/call_watch.h"

namespace triarch {

void CallWatch::Enter(int seat, const SearchLimits* limits) {
  seat_.store(seat, std::memory_order_relaxed);
  ply_.store(limits == nullptr ? 0 : limits->plies + 1, std::memory_order_relaxed);
  const bool has_deadline = limits != nullptr && limits->deadline;
  deadline_.store(has_deadline ? limits->deadline->time_since_epoch().count() : 0,
                  std::memory_order_relaxed);
  calls_.store(calls_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
}

CallWatch::Silence CallWatch::Describe(Clock::time_point now) const {
  Silence silence = {.seat = seat_.load(),
                     .duration = std::chrono::duration_cast<std::chrono::seconds>(now - since_),
                     .has_deadline = deadline_.load() != 0};
  if (const int64_t ply = ply_.load(); ply > 0) silence.ply = ply;
  return silence;
}

std::optional<CallWatch::Silence> CallWatch::FindSilence(Clock::time_point now) {
  const uint64_t calls = calls_.load(std::memory_order_acquire);
  if (calls != seen_) {
    seen_ = calls;
    since_ = now;
    is_told_ = false;
  }
  if (calls % 2 == 0 || is_told_) return std::nullopt;
  const int64_t deadline = deadline_.load();
  const Clock::time_point until =
      deadline == 0 ? since_ + kWithoutDeadline
                    : Clock::time_point(Clock::duration(deadline)) + kAfterDeadline;
  // If the call has ended meanwhile, the deadline is another one's.
  if (now < until || calls_.load(std::memory_order_acquire) != calls) return std::nullopt;
  is_told_ = true;
  return Describe(now);
}

}  // namespace triarch
