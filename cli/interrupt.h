#ifndef TRIARCH_CLI_INTERRUPT_H_
#define TRIARCH_CLI_INTERRUPT_H_

#include <chrono>

namespace triarch {

// How often a loop that waits looks whether it was asked to stop.
inline constexpr std::chrono::milliseconds kSignalPoll{50};

// While it lives, the first Ctrl-C (or SIGTERM, SIGHUP) is only noted, and the second one ends the
// process at once. One at a time.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  bool is_asked() const;
};

}  // namespace triarch

#endif  // TRIARCH_CLI_INTERRUPT_H_
