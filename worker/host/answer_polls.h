// Decides in which turns a bot's answer is polled before its event loop waits.

#ifndef TRIARCH_WORKER_HOST_ANSWER_POLLS_H_
#define TRIARCH_WORKER_HOST_ANSWER_POLLS_H_

#include <algorithm>
#include <utility>

namespace triarch {

// On a shared core, a fast bot has usually answered by the time the write of its request returns. A
// wait costs several times as much as a poll that finds nothing, so one such poll changes nothing;
// but after each further one in a row, twice as many turns pass without a poll.
class AnswerPolls {
 public:
  // Begins a turn. Returns whether to poll.
  bool BeginTurn() {
    is_polling_ = turns_without_ == 0;
    if (!is_polling_) --turns_without_;
    return is_polling_;
  }
  // Returns whether what is read now is read by the turn's poll. (A loop with very many bots drops
  // polls; then the first read after its wait counts as one.)
  bool TakePoll() { return std::exchange(is_polling_, false); }
  // Notes whether a poll found something.
  void Note(bool is_hit) {
    misses_ = is_hit ? 0 : std::min(misses_ + 1, kMissesMax);
    turns_without_ = is_hit ? 0 : (1 << (misses_ - 1)) - 1;
  }

 private:
  static constexpr int kMissesMax = 6;  // then every 32nd turn has a poll

  bool is_polling_ = false;
  int misses_ = 0;         // in a row
  int turns_without_ = 0;  // turns until the next one with a poll
};

}  // namespace triarch

#endif  // TRIARCH_WORKER_HOST_ANSWER_POLLS_H_
