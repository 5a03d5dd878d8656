#ifndef TRIARCH_PROTO_GRPC_STATUS_H_
#define TRIARCH_PROTO_GRPC_STATUS_H_

#include <grpcpp/support/status.h>

#include "absl/status/status.h"

// The codes of both have the same numbers; the message is kept.
namespace triarch::wire {

grpc::Status ToGrpc(const absl::Status& status);
// A code that Abseil does not know is kUnknown.
absl::Status FromGrpc(const grpc::Status& status);

}  // namespace triarch::wire

#endif  // TRIARCH_PROTO_GRPC_STATUS_H_
