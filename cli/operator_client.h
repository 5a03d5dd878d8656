#ifndef TRIARCH_CLI_OPERATOR_CLIENT_H_
#define TRIARCH_CLI_OPERATOR_CLIENT_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cli/coordinator_options.h"
#include "triarch/v1/tournament.grpc.pb.h"

namespace triarch {

// Calls the TournamentService of the first coordinator that answers. Every call has a deadline;
// errors are those of proto/triarch/v1/tournament.proto, with the addresses where none answers.
class OperatorClient {
 public:
  static absl::StatusOr<std::unique_ptr<OperatorClient>> Make(const CoordinatorOptions& options);

  absl::StatusOr<int64_t> Submit(const std::string& spec_json, const std::string& spec_text);
  absl::StatusOr<v1::ListResponse> List();
  absl::StatusOr<v1::GetResponse> Get(int64_t tournament);
  absl::Status SetState(int64_t tournament, const std::string& state);
  absl::StatusOr<v1::StandingsResponse> Standings(int64_t tournament);
  absl::StatusOr<v1::GamesResponse> Games(const v1::GamesRequest& request);

 private:
  using Stub = v1::TournamentService::Stub;
  OperatorClient(CoordinatorLink link, std::string addresses);

  template <class Request, class Response>
  absl::StatusOr<Response> Call(grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&,
                                                             Response*),
                                const Request& request);

  const std::string token_;
  const std::string addresses_;
  std::vector<std::unique_ptr<Stub>> stubs_;
  size_t current_ = 0;
};

}  // namespace triarch

#endif  // TRIARCH_CLI_OPERATOR_CLIENT_H_
