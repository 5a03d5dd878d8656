#ifndef TRIARCH_TESTS_ATTACKS_TALKING_BOT_H_
#define TRIARCH_TESTS_ATTACKS_TALKING_BOT_H_

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/temporary_folder.h"
#include "worker/sandbox/sandbox.h"

// What tests of the sandbox share: bots that attack, and a look at what is left of them.
namespace triarch {

// Whether bots can be sandboxed here. If not, expects the message to say what to do; a test then
// has nothing more to see.
bool CanSandbox();

// Whether here a control group limits the memory of all of a bot together.
bool LimitsMemoryTogether();

// A folder with tests/attacks/attacker.py in it.
class AttackerFolder {
 public:
  AttackerFolder();
  const std::string& path() const { return folder_.path(); }
  // The attack as a bot in that folder.
  BotSpec Spec(const std::vector<std::string>& attack, bool is_sandboxed = true) const;

 private:
  TemporaryFolder folder_;
};

// A bot to talk to.
class TalkingBot {
 public:
  explicit TalkingBot(const BotSpec& spec, const ProcessLimits& limits = {});

  BotProcess& process() { return *process_; }
  void Say(std::string_view line);
  // What it writes up to a line that begins like this, without it; "…" at the end if it does not
  // come (in 20 s) or the bot's output ends.
  std::string HearUntil(std::string_view start);
  // The attack's reports, one per line: of a bot that was told nothing yet.
  std::string Attack();
  // What it has written to its standard error.
  std::string Errors();
  // How it ended; it has 20 s for that.
  std::string End();
  void Destroy() { process_.reset(); }

 private:
  std::unique_ptr<BotProcess> process_;
  std::string heard_;
};

// A word to find processes by that have it in their command.
std::string UniqueToken();
// The number of processes with that word; waits for up to 5 s until there are none.
int CountLeft(const std::string& token);
// The same, without waiting.
int CountProcesses(const std::string& token);

// Runs this test binary again, as nobody for instance: `prefix` before its command, `environment`
// (NAME=value) for it, only the tests that `filter` lets through. Its exit code, and what it wrote.
struct Rerun {
  int code;
  std::string output;
};
Rerun RunThisTest(const std::string& prefix, const std::string& environment,
                  const std::string& filter);

}  // namespace triarch

#endif  // TRIARCH_TESTS_ATTACKS_TALKING_BOT_H_
