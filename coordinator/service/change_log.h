// Logs who called what: every change, and calls that were refused.

#ifndef TRIARCH_COORDINATOR_SERVICE_CHANGE_LOG_H_
#define TRIARCH_COORDINATOR_SERVICE_CHANGE_LOG_H_

#include <grpcpp/grpcpp.h>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "coordinator/service/access.h"
#include "core/base/log.h"

namespace triarch {

// What a call changes, or would have changed.
struct Change {
  std::string action;            // as operators call it: "pause"
  std::vector<LogField> fields;  // {{"tournament", 3}}; what is 0 or "" is unknown
  bool is_rehearsal = false;     // it changes nothing, and is logged only if it does not succeed
};
// Describes a call's change after the work, when the response holds the id of what was added.
using DescribeChange = std::function<Change()>;

// Returns where a call came from, "192.0.2.1:40312". For a call from this machine this is the
// address that a front end names, if it does.
std::string PeerOf(const grpc::ServerContextBase& context);
// The same for gRPC's name of the peer, "ipv4:127.0.0.1:40312".
std::string PeerText(std::string_view grpc_peer, std::optional<std::string_view> forwarded_for);

// The caller is nullopt if its token is unknown. `status` is the outcome.
LogEntry ChangeEntry(Change change, const std::optional<Access::Caller>& caller, std::string peer,
                     const absl::Status& status);
// Logs that, except for a rehearsal that succeeded.
void LogChange(const LogTo& log, Change change, const Access::Caller& caller, std::string peer,
               const absl::Status& status);
// For a call that changes nothing, refused because of its token.
LogEntry RefusedEntry(std::string_view method, const std::optional<Access::Caller>& caller,
                      std::string peer, const absl::Status& status);

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_SERVICE_CHANGE_LOG_H_
