// Answers the operators' gRPC calls about tournaments and workers.

#ifndef TRIARCH_COORDINATOR_SERVICE_TOURNAMENT_SERVICE_H_
#define TRIARCH_COORDINATOR_SERVICE_TOURNAMENT_SERVICE_H_

#include <string_view>

#include "coordinator/service/coordinator.h"
#include "coordinator/service/reactors.h"
#include "triarch/v1/tournament.grpc.pb.h"

namespace triarch {

// Serves operators. Converts requests, asks the coordinator, and converts its answers back.
class TournamentService : public v1::TournamentService::CallbackService {
 public:
  // All arguments must outlive the service.
  TournamentService(Coordinator* coordinator, Gate* gate, CoordinatorMetrics* metrics)
      : coordinator_(coordinator), gate_(gate), metrics_(metrics) {}

  grpc::ServerUnaryReactor* Submit(grpc::CallbackServerContext* context,
                                   const v1::SubmitRequest* request,
                                   v1::SubmitResponse* response) override;
  grpc::ServerUnaryReactor* List(grpc::CallbackServerContext* context,
                                 const v1::ListRequest* request,
                                 v1::ListResponse* response) override;
  grpc::ServerUnaryReactor* Get(grpc::CallbackServerContext* context, const v1::GetRequest* request,
                                v1::GetResponse* response) override;
  grpc::ServerUnaryReactor* SetState(grpc::CallbackServerContext* context,
                                     const v1::SetStateRequest* request,
                                     v1::SetStateResponse* response) override;
  grpc::ServerUnaryReactor* Delete(grpc::CallbackServerContext* context,
                                   const v1::DeleteRequest* request,
                                   v1::DeleteResponse* response) override;
  grpc::ServerUnaryReactor* Prune(grpc::CallbackServerContext* context,
                                  const v1::PruneRequest* request,
                                  v1::PruneResponse* response) override;
  grpc::ServerUnaryReactor* SetPrecedence(grpc::CallbackServerContext* context,
                                          const v1::SetPrecedenceRequest* request,
                                          v1::SetPrecedenceResponse* response) override;
  grpc::ServerUnaryReactor* Evict(grpc::CallbackServerContext* context,
                                  const v1::EvictRequest* request,
                                  v1::EvictResponse* response) override;
  grpc::ServerUnaryReactor* Unquarantine(grpc::CallbackServerContext* context,
                                         const v1::UnquarantineRequest* request,
                                         v1::UnquarantineResponse* response) override;
  grpc::ServerUnaryReactor* Standings(grpc::CallbackServerContext* context,
                                      const v1::StandingsRequest* request,
                                      v1::StandingsResponse* response) override;
  grpc::ServerUnaryReactor* Games(grpc::CallbackServerContext* context,
                                  const v1::GamesRequest* request,
                                  v1::GamesResponse* response) override;
  grpc::ServerUnaryReactor* Faults(grpc::CallbackServerContext* context,
                                   const v1::FaultsRequest* request,
                                   v1::FaultsResponse* response) override;

 private:
  absl::Status DoSubmit(const v1::SubmitRequest& request, v1::SubmitResponse* response);
  absl::Status DoList(v1::ListResponse* response);
  absl::Status DoGet(const v1::GetRequest& request, v1::GetResponse* response);
  absl::Status DoSetState(const v1::SetStateRequest& request);
  absl::Status DoPrune(const v1::PruneRequest& request, v1::PruneResponse* response);
  absl::Status DoSetPrecedence(const v1::SetPrecedenceRequest& request,
                               v1::SetPrecedenceResponse* response);
  absl::Status DoEvict(const v1::EvictRequest& request, v1::EvictResponse* response);
  absl::Status DoStandings(const v1::StandingsRequest& request, v1::StandingsResponse* response);
  absl::Status DoGames(const v1::GamesRequest& request, v1::GamesResponse* response);
  absl::Status DoFaults(const v1::FaultsRequest& request, const Access::Caller& caller,
                        v1::FaultsResponse* response);
  // Fails unless the caller may see the faults of the bot, which may be "" for all bots.
  absl::Status CheckOwner(const TournamentSpec& spec, const std::string& bot,
                          const Access::Caller& caller);
  // Answers with `work(caller)` if the caller has permission: an operator or, unless something is
  // changed, a user. `where` says which thread does the work: one for views, or one that may wait
  // for the store. A method that changes something needs `change`, for the log.
  enum class Where : uint8_t { kView, kChange, kRead };
  template <class F>
  grpc::ServerUnaryReactor* Answer(grpc::CallbackServerContext* context, std::string_view method,
                                   Where where, F work, const DescribeChange& change = nullptr);

  Coordinator* const coordinator_;
  Gate* const gate_;
  CoordinatorMetrics* const metrics_;
};

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_SERVICE_TOURNAMENT_SERVICE_H_
