// Turns the first Ctrl-C into a flag.

#ifndef TRIARCH_CLI_INTERRUPT_H_
#define TRIARCH_CLI_INTERRUPT_H_

#include <chrono>

namespace triarch {

// How often a waiting loop checks whether it was interrupted.
inline constexpr std::chrono::milliseconds kSignalPoll{50};

// While an object lives, the first Ctrl-C (or SIGTERM, SIGHUP) only sets a flag, and the second one
// ends the process at once. Only one object may live at a time.
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
