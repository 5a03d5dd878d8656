#include "cli/tournament/run_settings.h"

namespace triarch {

void AddRunSettings(const Command& command, RunSettings* settings) {
  command.AddFlag({"--json", "", "Print the result as JSON (docs/json.md)"}, &settings->is_json);
  command.AddFile({"--faults", "DIR",
                   "At the end, write a report on each fault of a bot to the new folder DIR"},
                  &settings->faults);
  command.AddFile(
      {"--log", "FILE", "Write all lines to and from process bots, with times, to FILE"},
      &settings->log);
  command.AddFlag({"--debug", "", "Print all lines to and from process bots on standard error"},
                  &settings->is_debug);
}

}  // namespace triarch
