// Registers `triarch data`, which groups the commands for self-play data.

#include "cli/commands.h"
#include "cli/data/data_options.h"

namespace triarch {

void AddDataCommands(const Command& app) {
  const Command data =
      app.AddCommand("data", "Inspect, check and export the samples that self-play wrote.");
  data.RequireCommand();
  AddInfoCommand(data);
  AddDataVerifyCommand(data);
  AddSampleCommand(data);
  AddExportCommand(data);
  AddFeaturesCommand(data);
  data.Footer(
      "`triarch data COMMAND --help` explains a command.\n\n"
      "Examples:\n"
      "  triarch data info ./data\n"
      "  triarch data verify ./data");
}

}  // namespace triarch
