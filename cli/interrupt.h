#ifndef TRIARCH_CLI_INTERRUPT_H_
#define TRIARCH_CLI_INTERRUPT_H_

namespace triarch {

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
