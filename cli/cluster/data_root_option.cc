#include "cli/cluster/data_root_option.h"

#include <string>

#include "cli/report.h"
#include "selfplay/storage/blob_store.h"

namespace triarch {

void AddDataRootOption(const Command& command, DataRoots* roots) {
  command.AddText({"--data-root", "LOCATION",
                   "Keep self-play data below this folder or s3://BUCKET/PREFIX\n"
                   "(may be repeated; default: nowhere, so there is no self-play)"},
                  roots);
}

absl::Status CheckDataRoots(const DataRoots& roots) {
  for (const std::string& root : roots) {
    const absl::Status status = CheckDataLocation(root);
    if (!status.ok()) return ForOption("--data-root", status);
  }
  return absl::OkStatus();
}

}  // namespace triarch
