#include "cli/operator_client.h"

#include <grpcpp/grpcpp.h>

#include <chrono>
#include <utility>

#include "core/base/status_macros.h"
#include "proto/grpc_status.h"

namespace triarch {
namespace {

constexpr std::chrono::seconds kDeadline{60};  // standings of a large tournament take a while
constexpr int kRounds = 3;                     // of all the addresses

}  // namespace

absl::StatusOr<std::unique_ptr<OperatorClient>> OperatorClient::Make(
    const CoordinatorOptions& options) {
  ASSIGN_OR_RETURN(CoordinatorLink link, MakeLink(options, Access::Role::kOperator));
  return std::unique_ptr<OperatorClient>(new OperatorClient(std::move(link), options.addresses));
}

OperatorClient::OperatorClient(CoordinatorLink link, std::string addresses)
    : token_(std::move(link.token)), addresses_(std::move(addresses)) {
  for (const auto& channel : link.channels) {
    stubs_.push_back(v1::TournamentService::NewStub(channel));
  }
}

template <class Request, class Response>
absl::StatusOr<Response> OperatorClient::Call(grpc::Status (Stub::*method)(grpc::ClientContext*,
                                                                           const Request&,
                                                                           Response*),
                                              const Request& request) {
  grpc::Status status;
  for (size_t i = 0; i < kRounds * stubs_.size(); ++i) {
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + kDeadline);
    if (!token_.empty()) context.AddMetadata("authorization", "Bearer " + token_);
    Response response;
    status = (stubs_[current_].get()->*method)(&context, request, &response);
    if (status.ok()) return response;
    if (status.error_code() != grpc::StatusCode::UNAVAILABLE) return wire::FromGrpc(status);
    current_ = (current_ + 1) % stubs_.size();
  }
  return absl::UnavailableError("no coordinator answers at " + addresses_ + ": " +
                                status.error_message());
}

// A lost connection may have submitted it already, so this is asked once.
absl::StatusOr<int64_t> OperatorClient::Submit(const std::string& spec_json,
                                               const std::string& spec_text) {
  RETURN_IF_ERROR(List().status());  // finds the coordinator that answers
  v1::SubmitRequest request;
  request.set_spec_json(spec_json);
  request.set_spec_text(spec_text);
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + kDeadline);
  if (!token_.empty()) context.AddMetadata("authorization", "Bearer " + token_);
  v1::SubmitResponse response;
  const grpc::Status status = stubs_[current_]->Submit(&context, request, &response);
  if (status.error_code() == grpc::StatusCode::UNAVAILABLE ||
      status.error_code() == grpc::StatusCode::DEADLINE_EXCEEDED) {
    return absl::UnavailableError(
        "the connection was lost: look with `triarch list` whether the "
        "tournament was submitted");
  }
  if (!status.ok()) return wire::FromGrpc(status);
  return response.tournament();
}

absl::StatusOr<v1::ListResponse> OperatorClient::List() {
  return Call(&Stub::List, v1::ListRequest());
}

absl::StatusOr<v1::GetResponse> OperatorClient::Get(int64_t tournament) {
  v1::GetRequest request;
  request.set_tournament(tournament);
  return Call(&Stub::Get, request);
}

absl::Status OperatorClient::SetState(int64_t tournament, const std::string& state) {
  v1::SetStateRequest request;
  request.set_tournament(tournament);
  request.set_state(state);
  return Call(&Stub::SetState, request).status();
}

absl::StatusOr<v1::StandingsResponse> OperatorClient::Standings(int64_t tournament) {
  v1::StandingsRequest request;
  request.set_tournament(tournament);
  return Call(&Stub::Standings, request);
}

absl::StatusOr<v1::GamesResponse> OperatorClient::Games(const v1::GamesRequest& request) {
  return Call(&Stub::Games, request);
}

}  // namespace triarch
