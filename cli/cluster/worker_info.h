#ifndef TRIARCH_CLI_CLUSTER_WORKER_INFO_H_
#define TRIARCH_CLI_CLUSTER_WORKER_INFO_H_

#include <cstdint>
#include <string>

#include "core/record/lease.h"

namespace triarch {

// What this binary says of itself as a worker. `name` empty: the host's name and the process's
// number.
WorkerInfo MakeWorkerInfo(std::string name, int64_t slots);

// A number that no other process has drawn: from the system's randomness.
uint64_t DrawInstance();

// As many as the machine has cores.
int64_t DefaultSlots();

}  // namespace triarch

#endif  // TRIARCH_CLI_CLUSTER_WORKER_INFO_H_
