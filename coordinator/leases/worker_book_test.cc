#include "coordinator/leases/worker_book.h"

#include <gtest/gtest.h>

#include <string>

#include "coordinator/leases/test_time.h"

namespace triarch {
namespace {

class WorkerBookTest : public testing::Test {
 protected:
  std::string Register(const std::string& name, const WorkerOwner& owner, double time) {
    const WorkerInfo info{.id = {name, 1}, .slots = 1, .games = {}, .bots = {}, .build = ""};
    return std::string(
        absl::StatusCodeToString(book_.Register(info, At(time), owner).status().code()));
  }
  void Forget(double time) {
    book_.Forget(At(time), [](const WorkerId&) { return int64_t{0}; });
  }

  WorkerBook book_{LeaseRules()};
};

TEST_F(WorkerBookTest, LimitsTheWorkersOfAnOwner) {
  const WorkerOwner lab{.name = "lab", .workers_max = 2};
  EXPECT_EQ(Register("a", lab, 0), "OK");
  EXPECT_EQ(Register("b", lab, 0), "OK");
  EXPECT_EQ(Register("c", lab, 0), "RESOURCE_EXHAUSTED");
  EXPECT_EQ(Register("a", lab, 1), "OK") << "the same worker again";
  EXPECT_EQ(Register("c", {.name = "other", .workers_max = 2}, 1), "OK");
  book_.Remove({"b", 1});
  EXPECT_EQ(Register("d", lab, 2), "OK");
  EXPECT_EQ(Register("e", lab, 2), "RESOURCE_EXHAUSTED");
}

// Otherwise the holder of one token could get any number of names quarantined.
TEST_F(WorkerBookTest, QuarantinedNamesCountUntilTheyMayRegisterAgain) {
  const WorkerOwner lab{.name = "lab", .workers_max = 2};
  ASSERT_EQ(Register("a", lab, 0), "OK");
  ASSERT_EQ(Register("b", lab, 0), "OK");
  for (const char* name : {"a", "b"}) book_.Quarantine(name, "it lied");
  book_.Remove({"a", 1});
  Forget(10'000);
  EXPECT_EQ(Register("c", lab, 10'000), "RESOURCE_EXHAUSTED");
  book_.Quarantine("a", "another reason");
  ASSERT_TRUE(book_.Unquarantine("a").ok());
  EXPECT_EQ(Register("c", lab, 10'000), "OK");
  EXPECT_EQ(Register("a", lab, 10'000), "RESOURCE_EXHAUSTED");
  book_.Quarantine("c", "it lied");
  ASSERT_TRUE(book_.Unquarantine("c").ok());
  EXPECT_EQ(Register("a", lab, 10'000), "RESOURCE_EXHAUSTED") << "c is still registered";
  ASSERT_TRUE(book_.Unquarantine("b").ok());
  EXPECT_EQ(Register("a", lab, 10'000), "OK");
}

TEST_F(WorkerBookTest, ForgetsSilentWorkersThatNeverPlayed) {
  const WorkerOwner lab{.name = "lab", .workers_max = 1};
  ASSERT_EQ(Register("a", lab, 0), "OK");
  Forget(59);
  EXPECT_EQ(Register("b", lab, 59), "RESOURCE_EXHAUSTED");
  Forget(60);
  EXPECT_EQ(Register("b", lab, 60), "OK");
}

}  // namespace
}  // namespace triarch
