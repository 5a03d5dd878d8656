#include "cli/cluster/operator_client.h"

#include <grpcpp/grpcpp.h>

#include <algorithm>
#include <chrono>
#include <initializer_list>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "cli/cluster/coordinator_link.h"
#include "core/base/mutex.h"
#include "core/base/status_macros.h"
#include "proto/grpc_status.h"
#include "triarch/v1/bot.grpc.pb.h"
#include "triarch/v1/tournament.grpc.pb.h"

namespace triarch {
namespace {

using Clock = std::chrono::steady_clock;
using Tournaments = v1::TournamentService::Stub;
using Bots = v1::BotService::Stub;

constexpr std::chrono::seconds kDeadline{60};        // standings of a large tournament take a while
constexpr int kRounds = 3;                           // through all addresses
constexpr std::chrono::milliseconds kPatience{500};  // in later rounds, while a standby takes over

// A coordinator that no longer leads refuses with FailedPrecondition. The leader itself may do so,
// too, for example for a finished tournament; asking the others then does no harm.
bool MayAnotherLead(const absl::Status& status) {
  return absl::IsUnavailable(status) || absl::IsDeadlineExceeded(status) ||
         absl::IsFailedPrecondition(status);
}

// Returns whether the error came from a coordinator rather than from the connection. Only gRPC's
// debug text tells the two apart.
bool IsFromCoordinator(const grpc::Status& status, const grpc::ClientContext& context) {
  return (status.error_code() != grpc::StatusCode::UNAVAILABLE &&
          status.error_code() != grpc::StatusCode::DEADLINE_EXCEEDED) ||
         context.debug_error_string().find("Error received from peer") != std::string::npos;
}

// Returns the reason without gRPC's preamble: "Connection refused".
std::string WhyUnreachable(const absl::Status& status) {
  if (absl::IsDeadlineExceeded(status)) {
    return "no answer within " + std::to_string(kDeadline.count()) + " s";
  }
  const std::string message(status.message());
  for (const std::string preface : {"Failed to connect to remote host: ", "last error: "}) {
    const size_t found = message.find(preface);
    if (found != std::string::npos) return message.substr(found + preface.size());
  }
  return message;
}

class GrpcClient final : public OperatorClient {
 public:
  explicit GrpcClient(CoordinatorLink link);

  absl::StatusOr<int64_t> Submit(const v1::SubmitRequest& request) override;
  absl::StatusOr<v1::ListResponse> List() override;
  absl::StatusOr<v1::GetResponse> Get(int64_t tournament) override;
  absl::Status SetState(int64_t tournament, const std::string& state) override;
  absl::Status Delete(int64_t tournament) override;
  absl::StatusOr<v1::PruneResponse> Prune(const v1::PruneRequest& request) override;
  absl::StatusOr<v1::SetPrecedenceResponse> SetPrecedence(
      const v1::SetPrecedenceRequest& request) override;
  absl::StatusOr<int64_t> Evict(const std::string& worker, const std::string& quarantine) override;
  absl::Status Unquarantine(const std::string& worker) override;
  absl::StatusOr<v1::StandingsResponse> Standings(int64_t tournament) override;
  absl::StatusOr<v1::GamesResponse> Games(const v1::GamesRequest& request) override;
  absl::StatusOr<v1::FaultsResponse> Faults(const v1::FaultsRequest& request) override;
  absl::StatusOr<v1::AddBotResponse> AddBot(const std::string& tar) override;
  absl::StatusOr<v1::ListBotsResponse> ListBots() override;
  absl::StatusOr<v1::GetBotResponse> GetBot(const std::string& name) override;
  absl::StatusOr<v1::RemoveBotResponse> RemoveBot(const std::string& name) override;
  void Stop() override ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  // The stubs for one address.
  struct Stubs {
    std::shared_ptr<grpc::Channel> channel;
    std::unique_ptr<Tournaments> tournaments;
    std::unique_ptr<Bots> bots;
  };
  struct Refusal {
    absl::Status status;
    bool is_from_coordinator = false;  // rather than from the connection
  };
  template <class Stub, class Request, class Response>
  using Method = grpc::Status (Stub::*)(grpc::ClientContext*, const Request&, Response*);

  // Asks only the coordinator at the current address; on failure sets `last_`.
  template <class Stub, class Request, class Response>
  absl::StatusOr<Response> Ask(Method<Stub, Request, Response> method, const Request& request)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // Asks each address in turn until one answers.
  template <class Stub, class Request, class Response>
  absl::StatusOr<Response> Call(Method<Stub, Request, Response> method, const Request& request);
  void UseNextAddress() { current_ = (current_ + 1) % stubs_.size(); }
  // Combines the refusals of all addresses into one error.
  absl::Status NoLeader(const std::vector<Refusal>& refusals) const;

  const std::string token_;
  const std::vector<std::string> addresses_;
  std::vector<Stubs> stubs_;  // one per address
  size_t current_ = 0;
  Refusal last_;

  Mutex mutex_;
  bool is_stopped_ ABSL_GUARDED_BY(mutex_) = false;
  grpc::ClientContext* current_call_ ABSL_GUARDED_BY(mutex_) = nullptr;
};

GrpcClient::GrpcClient(CoordinatorLink link)
    : token_(std::move(link.token)), addresses_(std::move(link.addresses)) {
  for (const auto& channel : link.channels) {
    stubs_.push_back({.channel = channel,
                      .tournaments = v1::TournamentService::NewStub(channel),
                      .bots = v1::BotService::NewStub(channel)});
  }
}

void GrpcClient::Stop() {
  MutexLock lock(&mutex_);
  is_stopped_ = true;
  if (current_call_ != nullptr) current_call_->TryCancel();
}

template <class Stub, class Request, class Response>
absl::StatusOr<Response> GrpcClient::Ask(Method<Stub, Request, Response> method,
                                         const Request& request) {
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + kDeadline);
  if (!token_.empty()) context.AddMetadata("authorization", "Bearer " + token_);
  {
    MutexLock lock(&mutex_);
    if (is_stopped_) return absl::CancelledError("stopped");
    current_call_ = &context;
  }
  Response response;
  Stub* stub = nullptr;
  if constexpr (std::is_same_v<Stub, Bots>) {
    stub = stubs_[current_].bots.get();
  } else {
    stub = stubs_[current_].tournaments.get();
  }
  const grpc::Status status = (stub->*method)(&context, request, &response);
  MutexLock lock(&mutex_);
  current_call_ = nullptr;
  if (status.ok()) return response;
  last_ = {.status = wire::FromGrpc(status),
           .is_from_coordinator = IsFromCoordinator(status, context)};
  return last_.status;
}

template <class Stub, class Request, class Response>
absl::StatusOr<Response> GrpcClient::Call(Method<Stub, Request, Response> method,
                                          const Request& request) {
  const auto last_round = Clock::now() + kDeadline;
  std::vector<Refusal> refusals(stubs_.size());
  bool is_refused = false;
  for (int round = 0; round < kRounds && !is_refused && Clock::now() < last_round; ++round) {
    for (size_t i = 0; i < stubs_.size(); ++i) {
      if (round > 0) {
        stubs_[current_].channel->WaitForConnected(std::chrono::system_clock::now() + kPatience);
      }
      absl::StatusOr<Response> response = Ask(method, request);
      if (response.ok() || !MayAnotherLead(response.status())) return response;
      is_refused = is_refused || absl::IsFailedPrecondition(response.status());
      refusals[current_] = last_;
      UseNextAddress();
    }
  }
  return NoLeader(refusals);
}

absl::Status GrpcClient::NoLeader(const std::vector<Refusal>& refusals) const {
  const auto is_own = [](const Refusal& refusal) { return refusal.is_from_coordinator; };
  const auto own = std::find_if(refusals.begin(), refusals.end(), is_own);
  const auto own_count = std::count_if(refusals.begin(), refusals.end(), is_own);
  if (own_count == 1) return own->status;
  std::string text;
  bool is_slow = false;
  for (size_t i = 0; i < refusals.size(); ++i) {
    const Refusal& refusal = refusals[i];
    if (own_count > 0 && !refusal.is_from_coordinator) continue;
    is_slow = is_slow || absl::IsDeadlineExceeded(refusal.status);
    text += (text.empty() ? "" : "; ") + addresses_[i] + ": ";
    text += refusal.is_from_coordinator ? std::string(refusal.status.message())
                                        : WhyUnreachable(refusal.status);
  }
  if (own_count > 0) return absl::Status(own->status.code(), text);
  // A coordinator that is slow may still lead.
  const std::string what = is_slow ? "no coordinator answered: " : "no coordinator leads: ";
  return absl::UnavailableError(what + text);
}

// Calls only once, because a call whose connection was lost may have succeeded.
absl::StatusOr<int64_t> GrpcClient::Submit(const v1::SubmitRequest& request) {
  absl::Status refusal;
  for (size_t i = 0; i < stubs_.size(); ++i) {
    RETURN_IF_ERROR(List().status());  // finds the leader
    const auto response = Ask(&Tournaments::Submit, request);
    if (response.ok()) return response->tournament();
    refusal = response.status();
    if (absl::IsUnavailable(refusal) || absl::IsDeadlineExceeded(refusal)) {
      const std::string why = last_.is_from_coordinator
                                  ? std::string(refusal.message())
                                  : addresses_[current_] + ": " + WhyUnreachable(refusal);
      return absl::UnavailableError(
          "check with `triarch list` whether the tournament was submitted: " + why);
    }
    if (!MayAnotherLead(refusal)) return refusal;
    UseNextAddress();
  }
  return refusal;
}

absl::StatusOr<v1::ListResponse> GrpcClient::List() {
  return Call(&Tournaments::List, v1::ListRequest());
}

absl::StatusOr<v1::GetResponse> GrpcClient::Get(int64_t tournament) {
  v1::GetRequest request;
  request.set_tournament(tournament);
  return Call(&Tournaments::Get, request);
}

absl::Status GrpcClient::SetState(int64_t tournament, const std::string& state) {
  v1::SetStateRequest request;
  request.set_tournament(tournament);
  request.set_state(state);
  return Call(&Tournaments::SetState, request).status();
}

absl::Status GrpcClient::Delete(int64_t tournament) {
  v1::DeleteRequest request;
  request.set_tournament(tournament);
  return Call(&Tournaments::Delete, request).status();
}

absl::StatusOr<v1::PruneResponse> GrpcClient::Prune(const v1::PruneRequest& request) {
  return Call(&Tournaments::Prune, request);
}

absl::StatusOr<v1::SetPrecedenceResponse> GrpcClient::SetPrecedence(
    const v1::SetPrecedenceRequest& request) {
  return Call(&Tournaments::SetPrecedence, request);
}

absl::StatusOr<int64_t> GrpcClient::Evict(const std::string& worker,
                                          const std::string& quarantine) {
  v1::EvictRequest request;
  request.set_worker(worker);
  request.set_quarantine(quarantine);
  ASSIGN_OR_RETURN(const v1::EvictResponse response, Call(&Tournaments::Evict, request));
  return response.leases();
}

absl::Status GrpcClient::Unquarantine(const std::string& worker) {
  v1::UnquarantineRequest request;
  request.set_worker(worker);
  return Call(&Tournaments::Unquarantine, request).status();
}

absl::StatusOr<v1::StandingsResponse> GrpcClient::Standings(int64_t tournament) {
  v1::StandingsRequest request;
  request.set_tournament(tournament);
  return Call(&Tournaments::Standings, request);
}

absl::StatusOr<v1::GamesResponse> GrpcClient::Games(const v1::GamesRequest& request) {
  return Call(&Tournaments::Games, request);
}

absl::StatusOr<v1::FaultsResponse> GrpcClient::Faults(const v1::FaultsRequest& request) {
  return Call(&Tournaments::Faults, request);
}

absl::StatusOr<v1::AddBotResponse> GrpcClient::AddBot(const std::string& tar) {
  v1::AddBotRequest request;
  request.set_tar(tar);
  return Call(&Bots::AddBot, request);
}

absl::StatusOr<v1::ListBotsResponse> GrpcClient::ListBots() {
  return Call(&Bots::ListBots, v1::ListBotsRequest());
}

absl::StatusOr<v1::GetBotResponse> GrpcClient::GetBot(const std::string& name) {
  v1::GetBotRequest request;
  request.set_name(name);
  return Call(&Bots::GetBot, request);
}

absl::StatusOr<v1::RemoveBotResponse> GrpcClient::RemoveBot(const std::string& name) {
  v1::RemoveBotRequest request;
  request.set_name(name);
  return Call(&Bots::RemoveBot, request);
}

absl::StatusOr<std::unique_ptr<OperatorClient>> MakeClient(
    const CoordinatorOptions& options, std::initializer_list<Access::Role> roles) {
  ASSIGN_OR_RETURN(CoordinatorLink link, MakeLink(options, roles));
  return std::make_unique<GrpcClient>(std::move(link));
}

}  // namespace

absl::StatusOr<std::unique_ptr<OperatorClient>> MakeOperatorClient(
    const CoordinatorOptions& options) {
  return MakeClient(options, {Access::Role::kOperator});
}

absl::StatusOr<std::unique_ptr<OperatorClient>> MakeUserClient(const CoordinatorOptions& options) {
  return MakeClient(options, {Access::Role::kOperator, Access::Role::kUser});
}

}  // namespace triarch
