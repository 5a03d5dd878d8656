// Adds --data-root, which says where a coordinator or a worker may keep self-play data.

#ifndef TRIARCH_CLI_CLUSTER_DATA_ROOT_OPTION_H_
#define TRIARCH_CLI_CLUSTER_DATA_ROOT_OPTION_H_

#include "absl/status/status.h"
#include "cli/command.h"
#include "selfplay/storage/data_roots.h"

namespace triarch {

void AddDataRootOption(const Command& command, DataRoots* roots);

// Fails with InvalidArgument, naming the option, if a root is neither a folder nor an S3 location.
absl::Status CheckDataRoots(const DataRoots& roots);

}  // namespace triarch

#endif  // TRIARCH_CLI_CLUSTER_DATA_ROOT_OPTION_H_
