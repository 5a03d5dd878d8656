#include "cli/tournament/local_cluster.h"

#include <chrono>
#include <optional>
#include <utility>
#include <vector>

#include "cli/build_id.h"
#include "cli/cluster/worker_info.h"
#include "core/base/status_macros.h"
#include "worker/grpc_client.h"

namespace triarch {
namespace {

using std::chrono::milliseconds;

// Leases do not expire, because worker and coordinator die together; they are large, because no
// other worker can share the games.
LeaseRules LocalRules() {
  LeaseRules rules;
  rules.ttl = std::chrono::hours(24 * 365);
  rules.heartbeat = milliseconds(1'000);
  rules.idle_retry = milliseconds(50);
  rules.games_first = rules.games_max;
  return rules;
}

constexpr milliseconds kReportAfter{100};
constexpr milliseconds kPatience{10'000};

}  // namespace

absl::StatusOr<std::unique_ptr<LocalCluster>> LocalCluster::Start(std::unique_ptr<Store> store,
                                                                  int64_t tournament, int64_t slots,
                                                                  PlayerMaker make_player) {
  ASSIGN_OR_RETURN(const std::optional<uint64_t> epoch, store->TryLead());
  if (!epoch) return absl::UnavailableError("another coordinator leads this store");
  std::unique_ptr<LocalCluster> local(new LocalCluster());
  Coordinator::Options options;
  options.session.leases = LocalRules();
  options.session.is_local = true;
  options.session.build = kBuildId;
  options.tournament = tournament;
  ASSIGN_OR_RETURN(local->coordinator_, Coordinator::Start(options, *epoch, std::move(store),
                                                           nullptr, &local->coordinator_metrics_));
  ASSIGN_OR_RETURN(local->server_,
                   Server::Start({}, local->coordinator_.get(), &local->coordinator_metrics_));
  local->client_ = MakeGrpcClient(local->server_->InProcessChannel(), "", &local->worker_metrics_);
  WorkLoop::Options worker;
  worker.worker = MakeWorkerInfo("local", slots);
  worker.queue.report_after = kReportAfter;
  worker.gives_back = false;
  worker.queue.seed = worker.worker.id.instance;
  local->worker_ = std::make_unique<WorkLoop>(worker, nullptr,
                                              std::vector<CoordinatorClient*>{local->client_.get()},
                                              std::move(make_player), &local->worker_metrics_);
  return local;
}

LocalCluster::~LocalCluster() {
  if (worker_) StopPlaying();
  worker_.reset();
  client_.reset();
  if (coordinator_) coordinator_->Stop();
  server_.reset();
  coordinator_.reset();
}

absl::Status LocalCluster::status() const {
  RETURN_IF_ERROR(worker_->status());
  return coordinator_->status();
}

void LocalCluster::StopPlaying() {
  if (std::exchange(is_stopped_, true)) return;
  // Do not wait for a failed store.
  worker_->Leave(coordinator_->status().ok() ? kPatience : milliseconds(0));
}

}  // namespace triarch
