#include "coordinator/service/change_log.h"

#include <utility>

#include "absl/strings/str_replace.h"

namespace triarch {
namespace {

std::string_view RoleText(const std::optional<Access::Caller>& caller) {
  return caller ? ToString(caller->role) : "none";
}

// Whether the coordinator could not do what it would have done.
bool IsFailure(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kUnavailable:
    case absl::StatusCode::kDeadlineExceeded:
    case absl::StatusCode::kCancelled:
    case absl::StatusCode::kInternal:
    case absl::StatusCode::kUnknown:
    case absl::StatusCode::kDataLoss:
      return true;
    default:
      return false;
  }
}

bool IsKnown(const LogField& field) {
  const int64_t* const number = std::get_if<int64_t>(&field.value);
  return number != nullptr ? *number != 0 : !std::get<std::string>(field.value).empty();
}

bool IsLoopback(std::string_view peer) {
  return peer.starts_with("127.") || peer.starts_with("[::1]") || peer.starts_with("[::ffff:127.");
}

std::vector<LogField> CallerFields(const std::optional<Access::Caller>& caller, std::string peer) {
  return {{"by", caller ? caller->name : ""},
          {"role", std::string(RoleText(caller))},
          {"peer", std::move(peer)}};
}

}  // namespace

std::string PeerText(std::string_view grpc_peer, std::optional<std::string_view> forwarded_for) {
  const size_t colon = grpc_peer.find(':');
  const bool is_address = grpc_peer.starts_with("ipv4:") || grpc_peer.starts_with("ipv6:");
  std::string peer(is_address ? grpc_peer.substr(colon + 1) : grpc_peer);
  peer = absl::StrReplaceAll(peer, {{"%5B", "["}, {"%5D", "]"}, {"%25", "%"}});
  return IsLoopback(peer) && forwarded_for ? std::string(*forwarded_for) : peer;
}

std::string PeerOf(const grpc::ServerContextBase& context) {
  const auto& metadata = context.client_metadata();
  const auto found = metadata.find("x-forwarded-for");
  std::optional<std::string_view> forwarded;
  if (found != metadata.end()) forwarded.emplace(found->second.data(), found->second.size());
  return PeerText(context.peer(), forwarded);
}

LogEntry ChangeEntry(Change change, const std::optional<Access::Caller>& caller, std::string peer,
                     const absl::Status& status) {
  LogEntry entry{.event = "change", .message = "A change was made."};
  entry.fields = CallerFields(caller, std::move(peer));
  entry.fields.push_back({"action", std::move(change.action)});
  for (LogField& field : change.fields) {
    if (IsKnown(field)) entry.fields.push_back(std::move(field));
  }
  if (status.ok()) {
    entry.fields.push_back({"outcome", "done"});
    // It also takes a transaction, so these lines are not what fills a disk.
    entry.is_limited = false;
    return entry;
  }
  entry.level = LogLevel::kWarning;
  entry.message = IsFailure(status) ? "A change failed." : "A change was refused.";
  entry.fields.push_back({"outcome", IsFailure(status) ? "failed" : "refused"});
  entry.fields.push_back({"why", std::string(status.message())});
  return entry;
}

void LogChange(const LogTo& log, Change change, const Access::Caller& caller, std::string peer,
               const absl::Status& status) {
  if (change.is_rehearsal && status.ok()) return;
  log(ChangeEntry(std::move(change), caller, std::move(peer), status));
}

LogEntry RefusedEntry(std::string_view method, const std::optional<Access::Caller>& caller,
                      std::string peer, const absl::Status& status) {
  LogEntry entry{.level = LogLevel::kWarning, .event = "refused", .message = "A call was refused."};
  entry.fields = CallerFields(caller, std::move(peer));
  entry.fields.push_back({"method", std::string(method)});
  entry.fields.push_back({"why", std::string(status.message())});
  return entry;
}

}  // namespace triarch
