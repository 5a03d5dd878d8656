// Converts gRPC statuses, and silences gRPC's own logging.

#ifndef TRIARCH_PROTO_GRPC_STATUS_H_
#define TRIARCH_PROTO_GRPC_STATUS_H_

#include <grpcpp/support/status.h>

#include "absl/status/status.h"

// gRPC and Abseil use the same code numbers. Conversions keep the message.
namespace triarch::wire {

grpc::Status ToGrpc(const absl::Status& status);
// Returns kUnknown for a code that Abseil does not know.
absl::Status FromGrpc(const grpc::Status& status);

// Stops gRPC and Protocol Buffers from writing to standard error. Their errors reach us as
// statuses, and a misbehaving peer must not fill the log.
void SilenceLibraries();

}  // namespace triarch::wire

#endif  // TRIARCH_PROTO_GRPC_STATUS_H_
