// Turns the first Ctrl-C into a flag.

#ifndef TRIARCH_CLI_INTERRUPT_H_
#define TRIARCH_CLI_INTERRUPT_H_

#include <chrono>

namespace triarch {

// How often waiting loops check for an interrupt.
inline constexpr std::chrono::milliseconds kSignalPoll{50};

// Signals in such quick succession are one interrupt: GNU timeout signals first the process and
// then its group.
inline constexpr std::chrono::milliseconds kSameInterrupt{300};

// During an object's lifetime, the first Ctrl-C (or SIGTERM, SIGHUP) only sets a flag, and the
// second ends the process at once. Only one object may exist.
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
