#ifndef TRIARCH_PROTO_GRPC_STATUS_H_
#define TRIARCH_PROTO_GRPC_STATUS_H_

#include <grpcpp/support/status.h>

#include "absl/status/status.h"

// The codes of both have the same numbers; the message is kept.
namespace triarch::wire {

grpc::Status ToGrpc(const absl::Status& status);
// A code that Abseil does not know is kUnknown.
absl::Status FromGrpc(const grpc::Status& status);

// gRPC and Protocol Buffers say nothing on standard error from now on: what matters of it comes
// back as statuses, and a peer that sends nonsense shall not fill the log.
void SilenceLibraries();

}  // namespace triarch::wire

#endif  // TRIARCH_PROTO_GRPC_STATUS_H_
