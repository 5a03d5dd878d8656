// Adds the options that the commands which play a tournament share, apart from the tournament's
// own.

#ifndef TRIARCH_CLI_TOURNAMENT_RUN_SETTINGS_H_
#define TRIARCH_CLI_TOURNAMENT_RUN_SETTINGS_H_

#include <string>

#include "cli/command.h"

namespace triarch {

// What a run prints and writes besides the output of its tournament file.
struct RunSettings {
  bool is_json = false;   // print the result as JSON
  std::string faults;     // a folder for fault files, or empty
  std::string log;        // a file for the protocol of process bots, or empty
  bool is_debug = false;  // print the protocol on standard error
};

// `settings` must live as long as the command line.
void AddRunSettings(const Command& command, RunSettings* settings);

}  // namespace triarch

#endif  // TRIARCH_CLI_TOURNAMENT_RUN_SETTINGS_H_
