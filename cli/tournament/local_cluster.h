#ifndef TRIARCH_CLI_TOURNAMENT_LOCAL_CLUSTER_H_
#define TRIARCH_CLI_TOURNAMENT_LOCAL_CLUSTER_H_

#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "coordinator/service/coordinator.h"
#include "coordinator/service/server.h"
#include "coordinator/store/store.h"
#include "worker/coordinator_client.h"
#include "worker/work_loop.h"
#include "worker/worker_metrics.h"

namespace triarch {

// A coordinator and a worker in this process, who speak through gRPC's in-process channel: what
// `triarch run` plays with. They are those of a cluster; only here the coordinator records what the
// worker reports without playing it again.
class LocalCluster {
 public:
  // Begins to play what is active in the store.
  static absl::StatusOr<std::unique_ptr<LocalCluster>> Start(std::unique_ptr<Store> store,
                                                             int64_t slots,
                                                             PlayerMaker make_player);
  // Abandons the games in flight; finished ones are recorded.
  ~LocalCluster();
  LocalCluster(const LocalCluster&) = delete;
  LocalCluster& operator=(const LocalCluster&) = delete;

  Coordinator& coordinator() { return *coordinator_; }
  // Why no more is played or recorded; ok while all goes well.
  absl::Status status() const;
  // Finished games that are not recorded yet.
  int64_t games_held() const { return worker_->games_held(); }
  // Abandons the games in flight and waits until finished ones are recorded.
  void StopPlaying();

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
