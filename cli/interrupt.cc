#include "cli/interrupt.h"

#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>

namespace triarch {
namespace {

// Signal handlers may touch only this.
std::atomic<int64_t> interrupted_at_ms = 0;  // by the monotonic clock; 0 means not interrupted
static_assert(std::atomic<int64_t>::is_always_lock_free);

void Note(int signal_number) {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  const int64_t now_ms = int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000;
  int64_t first_ms = 0;
  if (interrupted_at_ms.compare_exchange_strong(first_ms, now_ms)) return;
  if (now_ms - first_ms >= kSameInterrupt.count()) _exit(128 + signal_number);
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
  interrupted_at_ms = 0;
  Handle(SIGINT, Note);
  Handle(SIGTERM, Note);
  if (!IsIgnored(SIGHUP)) Handle(SIGHUP, Note);
}

Interrupt::~Interrupt() {
  Handle(SIGINT, SIG_DFL);
  Handle(SIGTERM, SIG_DFL);
  if (!IsIgnored(SIGHUP)) Handle(SIGHUP, SIG_DFL);
}

bool Interrupt::is_asked() const { return interrupted_at_ms.load() != 0; }

}  // namespace triarch
