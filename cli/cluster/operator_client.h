// Calls the services for operators and users of a coordinator.

#ifndef TRIARCH_CLI_CLUSTER_OPERATOR_CLIENT_H_
#define TRIARCH_CLI_CLUSTER_OPERATOR_CLIENT_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cli/cluster/coordinator_options.h"
#include "triarch/v1/bot.pb.h"
#include "triarch/v1/tournament.pb.h"

namespace triarch {

// Calls the leading coordinator: if one cannot be reached, or another has taken over, the client
// tries the next address. Every call has a deadline. Errors are those of
// proto/triarch/v1/tournament.proto with the coordinator's own message; if no coordinator answers,
// the error is Unavailable and says what is wrong at each address. All calls but Stop must come
// from one thread.
class OperatorClient {
 public:
  virtual ~OperatorClient() = default;

  virtual absl::StatusOr<int64_t> Submit(const v1::SubmitRequest& request) = 0;
  virtual absl::StatusOr<v1::ListResponse> List() = 0;
  virtual absl::StatusOr<v1::GetResponse> Get(int64_t tournament) = 0;
  virtual absl::Status SetState(int64_t tournament, const std::string& state) = 0;
  virtual absl::Status Delete(int64_t tournament) = 0;
  virtual absl::StatusOr<v1::PruneResponse> Prune(const v1::PruneRequest& request) = 0;
  virtual absl::StatusOr<v1::SetPrecedenceResponse> SetPrecedence(
      const v1::SetPrecedenceRequest& request) = 0;
  // Returns the number of leases that ended. An empty `quarantine` means none.
  virtual absl::StatusOr<int64_t> Evict(const std::string& worker,
                                        const std::string& quarantine) = 0;
  virtual absl::Status Unquarantine(const std::string& worker) = 0;
  virtual absl::StatusOr<v1::StandingsResponse> Standings(int64_t tournament) = 0;
  virtual absl::StatusOr<v1::GamesResponse> Games(const v1::GamesRequest& request) = 0;
  virtual absl::StatusOr<v1::FaultsResponse> Faults(const v1::FaultsRequest& request) = 0;

  virtual absl::StatusOr<v1::AddBotResponse> AddBot(const std::string& tar) = 0;
  virtual absl::StatusOr<v1::ListBotsResponse> ListBots() = 0;
  virtual absl::StatusOr<v1::GetBotResponse> GetBot(const std::string& name) = 0;
  virtual absl::StatusOr<v1::RemoveBotResponse> RemoveBot(const std::string& name) = 0;

  // Makes the current call and all later ones fail with Cancelled. May be called from any thread.
  virtual void Stop() = 0;
};

absl::StatusOr<std::unique_ptr<OperatorClient>> MakeOperatorClient(
    const CoordinatorOptions& options);
// Also accepts a user's token, which allows only calls about bots, and those that change nothing.
absl::StatusOr<std::unique_ptr<OperatorClient>> MakeUserClient(const CoordinatorOptions& options);

}  // namespace triarch

#endif  // TRIARCH_CLI_CLUSTER_OPERATOR_CLIENT_H_
