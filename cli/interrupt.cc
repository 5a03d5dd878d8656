#include "cli/interrupt.h"

#include <signal.h>
#include <unistd.h>

#include <atomic>

namespace triarch {
namespace {

// Signal handlers may touch only this.
std::atomic<bool> is_interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free);

void Note(int signal_number) {
  if (is_interrupted.exchange(true)) _exit(128 + signal_number);
}

void Handle(int signal_number, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;  // code that writes files does not expect EINTR
  sigaction(signal_number, &action, nullptr);
}

// nohup ignores SIGHUP, which must stay ignored.
bool IsIgnored(int signal_number) {
  struct sigaction action {};
  return sigaction(signal_number, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

}  // namespace

Interrupt::Interrupt() {
  is_interrupted = false;
  Handle(SIGINT, Note);
  Handle(SIGTERM, Note);
  if (!IsIgnored(SIGHUP)) Handle(SIGHUP, Note);
}

Interrupt::~Interrupt() {
  Handle(SIGINT, SIG_DFL);
  Handle(SIGTERM, SIG_DFL);
  if (!IsIgnored(SIGHUP)) Handle(SIGHUP, SIG_DFL);
}

bool Interrupt::is_asked() const { return is_interrupted.load(); }

}  // namespace triarch
