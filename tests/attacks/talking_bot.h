// Helps to test the sandbox: bots that attack, and checks of what they leave behind.

#ifndef TRIARCH_TESTS_ATTACKS_TALKING_BOT_H_
#define TRIARCH_TESTS_ATTACKS_TALKING_BOT_H_

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/temporary_folder.h"
#include "worker/sandbox/sandbox.h"

namespace triarch {

// Returns whether bots can be sandboxed here. If not, reports the running test as skipped, and
// expects the error to say what to do.
bool CanSandboxOrSkip();

// Returns whether a control group limits the memory of all of a bot's processes together.
bool LimitsMemoryTogether();

// A folder that contains tests/attacks/attacker.py.
class AttackerFolder {
 public:
  AttackerFolder();
  const std::string& path() const { return folder_.path(); }
  // Returns a bot that runs the attack.
  BotSpec Spec(const std::vector<std::string>& attack, bool is_sandboxed = true) const;

 private:
  TemporaryFolder folder_;
};

// A running bot to exchange lines with.
class TalkingBot {
 public:
  explicit TalkingBot(const BotSpec& spec, const ProcessLimits& limits = {});

  BotProcess& process() { return *process_; }
  void Say(std::string_view line);
  // Returns its output up to a line that begins with `start`, without that line. Ends with "…" if
  // no such line comes within 20 s or the output ends.
  std::string HearUntil(std::string_view start);
  // Returns the attack's reports, one per line. Requires: nothing was sent to the bot yet.
  std::string Attack();
  // Returns its output on standard error.
  std::string Errors();
  // Returns how it ended. Waits up to 20 s.
  std::string End();
  void Destroy() { process_.reset(); }

 private:
  std::unique_ptr<BotProcess> process_;
  std::string heard_;
};

// Returns a unique word, to find processes that have it in their command line.
std::string UniqueToken();
// Returns the number of processes with that word, after waiting up to 5 s for 0.
int CountLeft(const std::string& token);
// Does the same without waiting.
int CountProcesses(const std::string& token);

// Runs this test binary again, e.g. as nobody: `prefix` precedes the command, `environment`
// (NAME=value) is set for it, and `filter` selects the tests. Returns the exit code and the output.
struct Rerun {
  int code;
  std::string output;
};
Rerun RunThisTest(const std::string& prefix, const std::string& environment,
                  const std::string& filter);

}  // namespace triarch

#endif  // TRIARCH_TESTS_ATTACKS_TALKING_BOT_H_
