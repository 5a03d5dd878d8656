#include "worker/session/connection.h"

#include "core/base/check.h"

namespace triarch {
namespace {

bool IsNoAnswer(const absl::Status& status) {
  return absl::IsUnavailable(status) || absl::IsDeadlineExceeded(status);
}

}  // namespace

bool IsFinal(const absl::Status& status) {
  return absl::IsUnauthenticated(status) || absl::IsPermissionDenied(status);
}

bool IsOfConnection(const absl::Status& status) {
  return IsNoAnswer(status) || absl::IsResourceExhausted(status) || absl::IsCancelled(status) ||
         IsFinal(status);
}

Connection::Connection(size_t addresses, const Backoff::Limits& retry, uint64_t seed)
    : addresses_(addresses), retry_(retry), random_(seed) {
  CHECK(addresses > 0);
}

size_t Connection::Begin(Call& call) {
  call.is_under_way = true;
  call.address = address_;
  return address_;
}

bool Connection::End(Call& call, const absl::Status& status, Time now) {
  CHECK(call.is_under_way);
  call.is_under_way = false;
  if (status.ok()) {
    call.backoff.Reset();
    return true;
  }
  if (absl::IsNotFound(status)) is_registered_ = false;
  // If concurrent calls fail, only the first one switches to the next address.
  if (IsNoAnswer(status) && call.address == address_) address_ = (address_ + 1) % addresses_;
  trouble_ = status.message().empty() ? "no answer" : std::string(status.message());
  call.next = now + call.backoff.Next(retry_, random_);
  return false;
}

}  // namespace triarch
