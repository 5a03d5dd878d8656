#ifndef TRIARCH_CLI_CLUSTER_OPERATOR_CLIENT_H_
#define TRIARCH_CLI_CLUSTER_OPERATOR_CLIENT_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cli/cluster/coordinator_options.h"
#include "core/base/mutex.h"
#include "triarch/v1/bot.grpc.pb.h"
#include "triarch/v1/tournament.grpc.pb.h"

namespace triarch {

// Calls the TournamentService and the BotService of whichever coordinator leads: where one cannot
// be reached, or was succeeded by another, the next address is tried. Every call has a deadline;
// errors are those of proto/triarch/v1/tournament.proto in the coordinator's own words, and where
// none answers Unavailable with what is wrong at each address. One thread calls, but for Stop.
class OperatorClient {
 public:
  static absl::StatusOr<std::unique_ptr<OperatorClient>> Make(const CoordinatorOptions& options);
  // One that may show a user's token, and call what is about bots.
  static absl::StatusOr<std::unique_ptr<OperatorClient>> MakeForBots(
      const CoordinatorOptions& options);

  absl::StatusOr<int64_t> Submit(const std::string& spec_json, const std::string& spec_text);
  absl::StatusOr<v1::ListResponse> List();
  absl::StatusOr<v1::GetResponse> Get(int64_t tournament);
  absl::Status SetState(int64_t tournament, const std::string& state);
  absl::StatusOr<v1::StandingsResponse> Standings(int64_t tournament);
  absl::StatusOr<v1::GamesResponse> Games(const v1::GamesRequest& request);

  absl::StatusOr<v1::AddBotResponse> AddBot(const std::string& tar);
  absl::StatusOr<v1::ListBotsResponse> ListBots();
  absl::StatusOr<v1::GetBotResponse> GetBot(const std::string& name);
  absl::StatusOr<v1::RemoveBotResponse> RemoveBot(const std::string& name);

  // On any thread: the call under way and all later ones are Cancelled.
  void Stop() ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  // Of one address.
  struct Stubs {
    std::unique_ptr<v1::TournamentService::Stub> tournaments;
    std::unique_ptr<v1::BotService::Stub> bots;
  };
  template <class Stub, class Request, class Response>
  using Method = grpc::Status (Stub::*)(grpc::ClientContext*, const Request&, Response*);

  explicit OperatorClient(CoordinatorLink link);

  struct Refusal {
    absl::Status status;
    bool is_own = false;  // of a coordinator, not of the way there
  };

  // Only the coordinator whose turn it is; `last_` is of it if it fails.
  template <class Stub, class Request, class Response>
  absl::StatusOr<Response> Ask(Method<Stub, Request, Response> method, const Request& request)
      ABSL_LOCKS_EXCLUDED(mutex_);
  template <class Stub, class Request, class Response>
  absl::StatusOr<Response> Call(Method<Stub, Request, Response> method, const Request& request);
  void TurnToNext() { current_ = (current_ + 1) % stubs_.size(); }
  // Of each address its refusal.
  absl::Status NobodyLeads(const std::vector<Refusal>& refusals) const;

  const std::string token_;
  const std::vector<std::string> addresses_;
  std::vector<Stubs> stubs_;  // one for each address
  size_t current_ = 0;
  Refusal last_;

  Mutex mutex_;
  bool is_stopped_ ABSL_GUARDED_BY(mutex_) = false;
  grpc::ClientContext* under_way_ ABSL_GUARDED_BY(mutex_) = nullptr;
};

}  // namespace triarch

#endif  // TRIARCH_CLI_CLUSTER_OPERATOR_CLIENT_H_
