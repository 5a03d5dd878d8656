// Describes this binary as a worker.

#ifndef TRIARCH_CLI_CLUSTER_WORKER_INFO_H_
#define TRIARCH_CLI_CLUSTER_WORKER_INFO_H_

#include <cstdint>
#include <string>

#include "core/record/lease.h"

namespace triarch {

// Returns the data for a worker's registration. An empty `name` becomes the host name and the
// process ID.
WorkerInfo MakeWorkerInfo(std::string name, int64_t slots);

// Draws a number from the system's random source, so that no other process has the same.
uint64_t DrawInstance();

// Returns the number of the machine's cores.
int64_t DefaultSlots();

}  // namespace triarch

#endif  // TRIARCH_CLI_CLUSTER_WORKER_INFO_H_
