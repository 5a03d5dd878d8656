#include "worker/host/exit_guard.h"

#include <stdlib.h>
#include <unistd.h>

#include <cstdio>

#include "core/base/text.h"

namespace triarch {
namespace {

// The current call of this thread. exit runs its handlers in the thread that calls it.
thread_local const std::string* calling_bot = nullptr;
thread_local const char* calling_function = nullptr;

void ReportExit(int code, void*) {
  if (calling_bot == nullptr) return;
  std::fflush(stdout);
  std::fprintf(stderr,
               "error: bot %s ended this process: it called exit(%d) in %s; games that were "
               "recorded are kept\n",
               Printable(*calling_bot).c_str(), code, calling_function);
  // Global objects must not be destroyed while other threads play.
  _exit(1);
}

}  // namespace

void ReportExitsOfPlugins() {
  [[maybe_unused]] static const bool is_on = on_exit(ReportExit, nullptr) == 0;
}

PluginCall::PluginCall(const std::string& bot, const char* function) {
  calling_bot = &bot;
  calling_function = function;
}

PluginCall::~PluginCall() { calling_bot = nullptr; }

}  // namespace triarch
