#include "cli/reload_signal.h"

#include <signal.h>

#include <atomic>

namespace triarch {
namespace {

// The signal handler may touch only this.
std::atomic<bool> is_reload_asked = false;
static_assert(std::atomic<bool>::is_always_lock_free);

void NoteReload(int) { is_reload_asked = true; }

void HandleHangUp(void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigaction(SIGHUP, &action, nullptr);
}

}  // namespace

ReloadSignal::ReloadSignal() {
  is_reload_asked = false;
  HandleHangUp(NoteReload);
}

ReloadSignal::~ReloadSignal() { HandleHangUp(SIG_DFL); }

bool ReloadSignal::TakeAsked() { return is_reload_asked.exchange(false); }

}  // namespace triarch
