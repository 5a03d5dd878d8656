#include "cli/cluster/operator_client.h"

#include <grpcpp/grpcpp.h>

#include <algorithm>
#include <chrono>
#include <type_traits>
#include <utility>

#include "core/base/status_macros.h"
#include "proto/grpc_status.h"

namespace triarch {
namespace {

using Clock = std::chrono::steady_clock;
using Tournaments = v1::TournamentService::Stub;
using Bots = v1::BotService::Stub;

constexpr std::chrono::seconds kDeadline{60};  // standings of a large tournament take a while
constexpr int kRounds = 3;                     // of all the addresses

// One that was succeeded refuses what it may no longer do. So does one that leads, of a tournament
// that is done; the others then say nothing better.
bool MayAnotherLead(const absl::Status& status) {
  return absl::IsUnavailable(status) || absl::IsDeadlineExceeded(status) ||
         absl::IsFailedPrecondition(status);
}

// Whether a coordinator said so itself. Nothing but the text for debugging tells that from a
// connection that failed; what it does not know counts as that.
bool IsOwn(const grpc::Status& status, const grpc::ClientContext& context) {
  return (status.error_code() != grpc::StatusCode::UNAVAILABLE &&
          status.error_code() != grpc::StatusCode::DEADLINE_EXCEEDED) ||
         context.debug_error_string().find("Error received from peer") != std::string::npos;
}

// Without gRPC's preface: "Connection refused".
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

}  // namespace

absl::StatusOr<std::unique_ptr<OperatorClient>> OperatorClient::Make(
    const CoordinatorOptions& options) {
  ASSIGN_OR_RETURN(CoordinatorLink link, MakeLink(options, {Access::Role::kOperator}));
  return std::unique_ptr<OperatorClient>(new OperatorClient(std::move(link)));
}

absl::StatusOr<std::unique_ptr<OperatorClient>> OperatorClient::MakeForBots(
    const CoordinatorOptions& options) {
  ASSIGN_OR_RETURN(CoordinatorLink link,
                   MakeLink(options, {Access::Role::kOperator, Access::Role::kUser}));
  return std::unique_ptr<OperatorClient>(new OperatorClient(std::move(link)));
}

OperatorClient::OperatorClient(CoordinatorLink link)
    : token_(std::move(link.token)), addresses_(std::move(link.addresses)) {
  for (const auto& channel : link.channels) {
    stubs_.push_back({.tournaments = v1::TournamentService::NewStub(channel),
                      .bots = v1::BotService::NewStub(channel)});
  }
}

void OperatorClient::Stop() {
  MutexLock lock(&mutex_);
  is_stopped_ = true;
  if (under_way_ != nullptr) under_way_->TryCancel();
}

template <class Stub, class Request, class Response>
absl::StatusOr<Response> OperatorClient::Ask(Method<Stub, Request, Response> method,
                                             const Request& request) {
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + kDeadline);
  if (!token_.empty()) context.AddMetadata("authorization", "Bearer " + token_);
  {
    MutexLock lock(&mutex_);
    if (is_stopped_) return absl::CancelledError("stopped");
    under_way_ = &context;
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
  under_way_ = nullptr;
  if (status.ok()) return response;
  last_ = {.status = wire::FromGrpc(status), .is_own = IsOwn(status, context)};
  return last_.status;
}

template <class Stub, class Request, class Response>
absl::StatusOr<Response> OperatorClient::Call(Method<Stub, Request, Response> method,
                                              const Request& request) {
  const auto last_round = Clock::now() + kDeadline;
  std::vector<Refusal> refusals(stubs_.size());
  bool is_refused = false;
  for (int round = 0; round < kRounds && !is_refused && Clock::now() < last_round; ++round) {
    for (size_t i = 0; i < stubs_.size(); ++i) {
      absl::StatusOr<Response> response = Ask(method, request);
      if (response.ok() || !MayAnotherLead(response.status())) return response;
      is_refused = is_refused || absl::IsFailedPrecondition(response.status());
      refusals[current_] = last_;
      TurnToNext();
    }
  }
  return NobodyLeads(refusals);
}

absl::Status OperatorClient::NobodyLeads(const std::vector<Refusal>& refusals) const {
  const auto is_own = [](const Refusal& refusal) { return refusal.is_own; };
  const auto own = std::find_if(refusals.begin(), refusals.end(), is_own);
  const auto own_count = std::count_if(refusals.begin(), refusals.end(), is_own);
  if (own_count == 1) return own->status;
  std::string text;
  bool is_slow = false;
  for (size_t i = 0; i < refusals.size(); ++i) {
    const Refusal& refusal = refusals[i];
    if (own_count > 0 && !refusal.is_own) continue;
    is_slow = is_slow || absl::IsDeadlineExceeded(refusal.status);
    text += (text.empty() ? "" : "; ") + addresses_[i] + ": ";
    text += refusal.is_own ? std::string(refusal.status.message()) : WhyUnreachable(refusal.status);
  }
  if (own_count > 0) return absl::Status(own->status.code(), text);
  // A slow one may well lead.
  const std::string what = is_slow ? "no coordinator answered: " : "no coordinator leads: ";
  return absl::UnavailableError(what + text);
}

// A lost connection may have submitted it already, so this is asked once.
absl::StatusOr<int64_t> OperatorClient::Submit(const std::string& spec_json,
                                               const std::string& spec_text) {
  v1::SubmitRequest request;
  request.set_spec_json(spec_json);
  request.set_spec_text(spec_text);
  absl::Status refusal;
  for (size_t i = 0; i < stubs_.size(); ++i) {
    RETURN_IF_ERROR(List().status());  // finds a coordinator that answers
    const auto response = Ask(&Tournaments::Submit, request);
    if (response.ok()) return response->tournament();
    refusal = response.status();
    if (absl::IsUnavailable(refusal) || absl::IsDeadlineExceeded(refusal)) {
      const std::string why = last_.is_own ? std::string(refusal.message())
                                           : addresses_[current_] + ": " + WhyUnreachable(refusal);
      return absl::UnavailableError(
          "look with `triarch list` whether the tournament was submitted: " + why);
    }
    if (!MayAnotherLead(refusal)) return refusal;
    TurnToNext();
  }
  return refusal;
}

absl::StatusOr<v1::ListResponse> OperatorClient::List() {
  return Call(&Tournaments::List, v1::ListRequest());
}

absl::StatusOr<v1::GetResponse> OperatorClient::Get(int64_t tournament) {
  v1::GetRequest request;
  request.set_tournament(tournament);
  return Call(&Tournaments::Get, request);
}

absl::Status OperatorClient::SetState(int64_t tournament, const std::string& state) {
  v1::SetStateRequest request;
  request.set_tournament(tournament);
  request.set_state(state);
  return Call(&Tournaments::SetState, request).status();
}

absl::StatusOr<v1::StandingsResponse> OperatorClient::Standings(int64_t tournament) {
  v1::StandingsRequest request;
  request.set_tournament(tournament);
  return Call(&Tournaments::Standings, request);
}

absl::StatusOr<v1::GamesResponse> OperatorClient::Games(const v1::GamesRequest& request) {
  return Call(&Tournaments::Games, request);
}

absl::StatusOr<v1::AddBotResponse> OperatorClient::AddBot(const std::string& tar) {
  v1::AddBotRequest request;
  request.set_tar(tar);
  return Call(&Bots::AddBot, request);
}

absl::StatusOr<v1::ListBotsResponse> OperatorClient::ListBots() {
  return Call(&Bots::ListBots, v1::ListBotsRequest());
}

absl::StatusOr<v1::GetBotResponse> OperatorClient::GetBot(const std::string& name) {
  v1::GetBotRequest request;
  request.set_name(name);
  return Call(&Bots::GetBot, request);
}

absl::StatusOr<v1::RemoveBotResponse> OperatorClient::RemoveBot(const std::string& name) {
  v1::RemoveBotRequest request;
  request.set_name(name);
  return Call(&Bots::RemoveBot, request);
}

}  // namespace triarch
