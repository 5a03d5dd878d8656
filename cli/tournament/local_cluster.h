// Runs a coordinator and a worker in one process, for `triarch run`.

#ifndef TRIARCH_CLI_TOURNAMENT_LOCAL_CLUSTER_H_
#define TRIARCH_CLI_TOURNAMENT_LOCAL_CLUSTER_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "coordinator/service/coordinator.h"
#include "coordinator/service/server.h"
#include "coordinator/store/store.h"
#include "worker/coordinator_client.h"
#include "worker/work_loop.h"
#include "worker/worker_metrics.h"

namespace triarch {

// Connects the coordinator and the worker of a cluster through gRPC's in-process channel. The only
// difference is that this coordinator trusts its worker: it does not replay reported games.
class LocalCluster {
 public:
  // Starts playing a tournament of the store.
  static absl::StatusOr<std::unique_ptr<LocalCluster>> Start(std::unique_ptr<Store> store,
                                                             int64_t tournament, int64_t slots,
                                                             PlayerMaker make_player);
  // Calls StopPlaying.
  ~LocalCluster();
  LocalCluster(const LocalCluster&) = delete;
  LocalCluster& operator=(const LocalCluster&) = delete;

  Coordinator& coordinator() { return *coordinator_; }
  // Returns the error that stopped play or recording, or ok.
  absl::Status status() const;
  // Returns the number of finished games that are not recorded yet.
  int64_t games_held() const { return worker_->games_held(); }
  // Abandons games in progress and waits until finished games are recorded.
  void StopPlaying();
  // Returns lines about players that do not answer (worker/match/slots.h).
  std::vector<std::string> TakeSilences() { return worker_->TakeSilences(); }
  // After StopPlaying: returns lines about players that do not obey. The destructor would wait for
  // them.
  std::vector<std::string> CallsUnderWay() const { return worker_->CallsUnderWay(); }

 private:
  LocalCluster() = default;

  CoordinatorMetrics coordinator_metrics_;
  WorkerMetrics worker_metrics_;
  std::unique_ptr<Coordinator> coordinator_;
  std::unique_ptr<Server> server_;
  std::unique_ptr<CoordinatorClient> client_;
  std::unique_ptr<WorkLoop> worker_;
  bool is_stopped_ = false;
};

}  // namespace triarch

#endif  // TRIARCH_CLI_TOURNAMENT_LOCAL_CLUSTER_H_
