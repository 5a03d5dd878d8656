// Turns SIGHUP into a request to read files again.

#ifndef TRIARCH_CLI_RELOAD_SIGNAL_H_
#define TRIARCH_CLI_RELOAD_SIGNAL_H_

namespace triarch {

// During an object's lifetime, SIGHUP does not interrupt. Create it after the Interrupt. Only one
// object may exist.
class ReloadSignal {
 public:
  ReloadSignal();
  ~ReloadSignal();
  ReloadSignal(const ReloadSignal&) = delete;
  ReloadSignal& operator=(const ReloadSignal&) = delete;

  // Returns whether a signal has arrived since the last call.
  bool TakeAsked();
};

}  // namespace triarch

#endif  // TRIARCH_CLI_RELOAD_SIGNAL_H_
