// Reports a plugin that ends this process by calling exit.

#ifndef TRIARCH_WORKER_HOST_EXIT_GUARD_H_
#define TRIARCH_WORKER_HOST_EXIT_GUARD_H_

#include <string>

namespace triarch {

// From now on, if a plugin calls exit in one of the calls below, the process prints an error that
// names the bot and ends with exit code 1. Children of RunForked report such an end themselves.
void ReportExitsOfPlugins();

// A call of a plugin by this thread. The name must outlive it.
class PluginCall {
 public:
  PluginCall(const std::string& bot, const char* function);
  ~PluginCall();
  PluginCall(const PluginCall&) = delete;
  PluginCall& operator=(const PluginCall&) = delete;
};

}  // namespace triarch

#endif  // TRIARCH_WORKER_HOST_EXIT_GUARD_H_
