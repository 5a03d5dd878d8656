#include "proto/grpc_status.h"

#include "gtest/gtest.h"

namespace triarch::wire {
namespace {

TEST(GrpcStatusTest, ConvertsEveryCodeWithItsMessage) {
  for (int code = 1; code <= 16; ++code) {
    const absl::Status status(static_cast<absl::StatusCode>(code), "a message");
    EXPECT_EQ(FromGrpc(ToGrpc(status)), status) << code;
    EXPECT_EQ(static_cast<int>(ToGrpc(status).error_code()), code);
  }
  EXPECT_TRUE(ToGrpc(absl::OkStatus()).ok());
  EXPECT_EQ(FromGrpc(grpc::Status::OK), absl::OkStatus());
}

TEST(GrpcStatusTest, CodeNamesAgree) {
  EXPECT_EQ(ToGrpc(absl::NotFoundError("")).error_code(), grpc::StatusCode::NOT_FOUND);
  EXPECT_EQ(ToGrpc(absl::UnavailableError("")).error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_EQ(ToGrpc(absl::UnauthenticatedError("")).error_code(), grpc::StatusCode::UNAUTHENTICATED);
}

TEST(GrpcStatusTest, UnknownCodesBecomeUnknown) {
  const grpc::Status odd(grpc::StatusCode::DO_NOT_USE, "odd");
  EXPECT_EQ(FromGrpc(odd), absl::UnknownError("odd"));
}

}  // namespace
}  // namespace triarch::wire
