#include "coordinator/service/access.h"

#include <chrono>
#include <string>

#include "coordinator/service/admission.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace triarch {
namespace {

using ::testing::HasSubstr;
using Role = Access::Role;

constexpr char kFile[] =
    "# who may do what\n"
    "worker   wwwwwwwwwwwwwwww\n"
    "\n"
    "worker vvvvvvvvvvvvvvvv\r\n"
    "operator oooooooooooooooo\n";

absl::StatusCode CodeOf(const Access& access, Role role, const char* authorization) {
  return access.Check(role, authorization).code();
}

TEST(Access, WithoutTokensEveryCallerMayDoEverything) {
  EXPECT_TRUE(Access().Check(Role::kWorker, std::nullopt).ok());
  EXPECT_TRUE(Access().Check(Role::kOperator, "Bearer nonsense").ok());
}

TEST(Access, ATokenIsForItsRole) {
  const Access access = Access::Parse(kFile).value();
  EXPECT_TRUE(access.Check(Role::kWorker, "Bearer wwwwwwwwwwwwwwww").ok());
  EXPECT_TRUE(access.Check(Role::kWorker, "Bearer vvvvvvvvvvvvvvvv").ok());
  EXPECT_TRUE(access.Check(Role::kOperator, "Bearer oooooooooooooooo").ok());
  EXPECT_EQ(CodeOf(access, Role::kOperator, "Bearer wwwwwwwwwwwwwwww"),
            absl::StatusCode::kPermissionDenied);
  EXPECT_EQ(CodeOf(access, Role::kWorker, "Bearer oooooooooooooooo"),
            absl::StatusCode::kPermissionDenied);
  EXPECT_EQ(access.TokenOf(Role::kWorker), "wwwwwwwwwwwwwwww");
}

TEST(Access, RejectsUnknownTokens) {
  const Access access = Access::Parse(kFile).value();
  EXPECT_EQ(access.Check(Role::kWorker, std::nullopt).code(), absl::StatusCode::kUnauthenticated);
  for (const char* wrong :
       {"", "Bearer ", "wwwwwwwwwwwwwwww", "bearer wwwwwwwwwwwwwwww", "Bearer wwwwwwwwwwwwwww",
        "Bearer wwwwwwwwwwwwwwwww", "Bearer wwwwwwwwwwwwwwwx", "Bearer wwwwwwwwwwwwwwww "}) {
    EXPECT_EQ(CodeOf(access, Role::kWorker, wrong), absl::StatusCode::kUnauthenticated) << wrong;
  }
}

TEST(Access, ASecretMayHaveTwoRoles) {
  const Access access = Access::Parse("worker ssssssssssssssss\noperator ssssssssssssssss").value();
  EXPECT_TRUE(access.Check(Role::kWorker, "Bearer ssssssssssssssss").ok());
  EXPECT_TRUE(access.Check(Role::kOperator, "Bearer ssssssssssssssss").ok());
}

TEST(Access, UsersMayNeitherWorkNorOperate) {
  const Access access = Access::Parse(std::string(kFile) + "user uuuuuuuuuuuuuuuu\n").value();
  constexpr char kUserToken[] = "Bearer uuuuuuuuuuuuuuuu";
  EXPECT_EQ(CodeOf(access, Role::kWorker, kUserToken), absl::StatusCode::kPermissionDenied);
  EXPECT_EQ(CodeOf(access, Role::kOperator, kUserToken), absl::StatusCode::kPermissionDenied);
  const auto both = {Role::kOperator, Role::kUser};
  EXPECT_EQ(access.CheckAny(both, kUserToken).value(), (Access::Caller{Role::kUser, "user"}));
  EXPECT_EQ(access.CheckAny(both, "Bearer oooooooooooooooo").value(), Access::Caller());
  EXPECT_EQ(access.CheckAny(both, "Bearer wwwwwwwwwwwwwwww").status().code(),
            absl::StatusCode::kPermissionDenied);
  EXPECT_EQ(access.CheckAny(both, std::nullopt).status().code(),
            absl::StatusCode::kUnauthenticated);
  EXPECT_EQ(Access().CheckAny(both, std::nullopt).value(), Access::Caller());
}

TEST(Access, UsersMayHaveNames) {
  const Access access = Access::Parse("user uuuuuuuuuuuuuuuu ann\nuser vvvvvvvvvvvvvvvv").value();
  EXPECT_EQ(access.CheckAny({Role::kUser}, "Bearer uuuuuuuuuuuuuuuu")->name, "ann");
  EXPECT_EQ(access.CheckAny({Role::kUser}, "Bearer vvvvvvvvvvvvvvvv")->name, "user");
}

TEST(Access, NamesTheBadLine) {
  for (const std::string line :
       {"worker", "worker short", "boss wwwwwwwwwwwwwwww", "worker two wwwwwwwwwwwwww",
        "Worker wwwwwwwwwwwwwwww", "worker wwwwwwwwwwwwwwww ann", "user uuuuuuuuuuuuuuuu operator",
        "user uuuuuuuuuuuuuuuu ann lee"}) {
    const auto access = Access::Parse("# first\n" + line + "\n");
    ASSERT_FALSE(access.ok()) << line;
    EXPECT_THAT(access.status().message(), HasSubstr("line 2: expected \"worker SECRET\""));
  }
  EXPECT_THAT(Access::Parse("# nothing\n").status().message(), HasSubstr("it contains no token"));
}

TEST(Admission, AdmitsABurstAndThenALimitedRate) {
  const Admission::Time start{};
  Admission admission(/*per_second=*/10, /*burst=*/3, start);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(admission.Admit(start));
  EXPECT_FALSE(admission.Admit(start));
  EXPECT_FALSE(admission.Admit(start + std::chrono::milliseconds(99)));
  EXPECT_TRUE(admission.Admit(start + std::chrono::milliseconds(101)));
  EXPECT_FALSE(admission.Admit(start + std::chrono::milliseconds(102)));
  // Unused calls accumulate up to the burst, and no further.
  const Admission::Time later = start + std::chrono::hours(1);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(admission.Admit(later));
  EXPECT_FALSE(admission.Admit(later));
}

}  // namespace
}  // namespace triarch
