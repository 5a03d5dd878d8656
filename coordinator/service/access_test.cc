#include "coordinator/service/access.h"

#include <chrono>
#include <string>
#include <vector>

#include "coordinator/service/gate.h"
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
  EXPECT_EQ(access.CheckAny(both, kUserToken).value(),
            (Access::Caller{.role = Role::kUser, .name = "user"}));
  EXPECT_EQ(access.CheckAny(both, "Bearer oooooooooooooooo").value(), Access::Caller());
  EXPECT_EQ(access.CheckAny(both, "Bearer wwwwwwwwwwwwwwww").status().code(),
            absl::StatusCode::kPermissionDenied);
  EXPECT_EQ(access.CheckAny(both, std::nullopt).status().code(),
            absl::StatusCode::kUnauthenticated);
  EXPECT_EQ(Access().CheckAny(both, std::nullopt).value(), Access::Caller());
}

TEST(Access, CallersMayHaveNamesAndQuotas) {
  const Access access = Access::Parse(
                            "worker wwwwwwwwwwwwwwww lab workers=3\n"
                            "operator oooooooooooooooo alice\n"
                            "user uuuuuuuuuuuuuuuu ann bots=1 megabytes=2 calls=3\n"
                            "user vvvvvvvvvvvvvvvv calls=9\n")
                            .value();
  const auto caller = [&](Role role, char secret) {
    return access.CheckAny({role}, "Bearer " + std::string(16, secret)).value();
  };
  EXPECT_EQ(caller(Role::kWorker, 'w'),
            (Access::Caller{.role = Role::kWorker, .name = "lab", .quotas = {.workers = 3}}));
  EXPECT_EQ(caller(Role::kOperator, 'o').name, "alice");
  EXPECT_EQ(
      caller(Role::kUser, 'u'),
      (Access::Caller{
          .role = Role::kUser, .name = "ann", .quotas = {.bots = 1, .megabytes = 2, .calls = 3}}));
  EXPECT_EQ(caller(Role::kUser, 'v').quotas.calls, 9);
}

TEST(Access, RejectsLinesThatContradictEachOther) {
  const auto why = [](const std::string& second) {
    const auto access = Access::Parse("worker wwwwwwwwwwwwwwww lab audits=65\n" + second);
    return std::string(access.status().message());
  };
  EXPECT_THAT(why("worker vvvvvvvvvvvvvvvv lab"), HasSubstr("line 2: an earlier line gives"));
  EXPECT_THAT(why("worker wwwwwwwwwwwwwwww bob"),
              HasSubstr("line 2: an earlier line has the same"));
  EXPECT_EQ(why("worker vvvvvvvvvvvvvvvv lab audits=65"), "");
  EXPECT_EQ(why("operator wwwwwwwwwwwwwwww lab"), "");
}

TEST(Gate, LimitsTheCallsOfAUser) {
  Gate gate(Access::Parse("user uuuuuuuuuuuuuuuu ann calls=3\nuser vvvvvvvvvvvvvvvv bob").value());
  const Admission::Time start{};
  const auto admit = [&](char secret, double second) {
    return gate.Admit({Role::kUser}, "Bearer " + std::string(16, secret),
                      start + std::chrono::milliseconds(static_cast<int64_t>(second * 1000)));
  };
  for (int i = 0; i < 6; ++i) EXPECT_TRUE(admit('u', 0).ok());
  EXPECT_THAT(admit('u', 0).status().message(), HasSubstr("user ann may make 3 calls per second"));
  EXPECT_TRUE(admit('v', 0).ok());
  EXPECT_TRUE(admit('u', 0.4).ok());
}

TEST(Gate, LimitsTheCallsInProgress) {
  Gate gate(Access::Parse("user uuuuuuuuuuuuuuuu\noperator oooooooooooooooo").value());
  const auto admit = [&](char secret) {
    return gate.Admit({Role::kUser, Role::kOperator}, "Bearer " + std::string(16, secret),
                      Admission::Time{});
  };
  std::vector<Gate::Call> calls;
  for (int i = 0; i < Gate::kInProgressMax; ++i) calls.push_back(admit('u').value());
  EXPECT_THAT(admit('u').status().message(), HasSubstr("has 4 calls in progress"));
  EXPECT_TRUE(admit('o').ok()) << "operators have no limit";
  calls.pop_back();
  EXPECT_TRUE(admit('u').ok());
}

TEST(Gate, TakesNewTokens) {
  Gate gate(Access::Parse("worker wwwwwwwwwwwwwwww").value());
  EXPECT_TRUE(gate.Admit({Role::kWorker}, "Bearer wwwwwwwwwwwwwwww", {}).ok());
  gate.SetAccess(Access::Parse("worker vvvvvvvvvvvvvvvv").value());
  EXPECT_FALSE(gate.Admit({Role::kWorker}, "Bearer wwwwwwwwwwwwwwww", {}).ok());
  EXPECT_TRUE(gate.Admit({Role::kWorker}, "Bearer vvvvvvvvvvvvvvvv", {}).ok());
}

TEST(Access, UsersMayHaveNames) {
  const Access access = Access::Parse("user uuuuuuuuuuuuuuuu ann\nuser vvvvvvvvvvvvvvvv").value();
  EXPECT_EQ(access.CheckAny({Role::kUser}, "Bearer uuuuuuuuuuuuuuuu")->name, "ann");
  EXPECT_EQ(access.CheckAny({Role::kUser}, "Bearer vvvvvvvvvvvvvvvv")->name, "user");
}

TEST(Access, NamesTheBadLine) {
  for (const std::string line :
       {"worker", "worker short", "boss wwwwwwwwwwwwwwww", "worker two wwwwwwwwwwwwww",
        "Worker wwwwwwwwwwwwwwww", "worker wwwwwwwwwwwwwwww calls=3",
        "user uuuuuuuuuuuuuuuu operator", "user uuuuuuuuuuuuuuuu bots=0",
        "user uuuuuuuuuuuuuuuu bots=x", "user uuuuuuuuuuuuuuuu x=1",
        "user uuuuuuuuuuuuuuuu ann lee"}) {
    const auto access = Access::Parse("# first\n" + line + "\n");
    ASSERT_FALSE(access.ok()) << line;
    EXPECT_THAT(access.status().message(),
                HasSubstr("line 2: expected \"ROLE SECRET [NAME] [QUOTA=N]\""));
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
