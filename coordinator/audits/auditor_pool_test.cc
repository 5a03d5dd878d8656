#include "coordinator/audits/auditor_pool.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace triarch {
namespace {

AuditorPool::Time At(int seconds) {
  return AuditorPool::Time(std::chrono::seconds(1000 + seconds));
}

bool MayPlayAll(const std::string& /*worker*/, int64_t /*audit*/) { return true; }

class AuditorPoolTest : public testing::Test {
 protected:
  void NoteAlive(const std::string& worker, int seconds) {
    pool_.NoteAlive({.worker = worker, .owner = "owner of " + worker}, At(seconds));
  }

  AuditorPool pool_{std::chrono::seconds(60)};
};

TEST_F(AuditorPoolTest, DrawsByWeight) {
  for (const char* worker : {"a", "b", "c"}) NoteAlive(worker, 0);
  std::map<std::string, int> draws;
  for (uint64_t seed = 0; seed < 3000; ++seed) {
    const Auditor* const drawn = pool_.Draw(
        Random(seed), [](const Auditor& auditor) { return auditor.worker == "a" ? 1.0 : 0.1; },
        [](const Auditor& auditor) { return auditor.worker != "c"; });
    ++draws[drawn->worker];
  }
  EXPECT_NEAR(draws["a"], 2727, 80);  // 10 of 11; five standard deviations
  EXPECT_EQ(draws["a"] + draws["b"], 3000);
}

TEST_F(AuditorPoolTest, FindsTheOnlyOneOfManyByWeight) {
  for (int i = 0; i < 5000; ++i) NoteAlive(std::to_string(i), 0);
  int heavy = 0;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    const Auditor* const drawn = pool_.Draw(
        Random(seed), [](const Auditor& auditor) { return auditor.worker == "17" ? 0.02 : 0.01; },
        [](const Auditor& auditor) { return auditor.worker == "17" || auditor.worker == "18"; });
    heavy += drawn->worker == "17" ? 1 : 0;
  }
  EXPECT_NEAR(heavy, 133, 34);
}

TEST_F(AuditorPoolTest, DrawsNobodyIfNobodyMayBeDrawn) {
  const auto weight = [](const Auditor&) { return 1.0; };
  EXPECT_EQ(pool_.Draw(Random(1), weight, [](const Auditor&) { return true; }), nullptr);
  NoteAlive("a", 0);
  EXPECT_EQ(pool_.Draw(Random(1), weight, [](const Auditor&) { return false; }), nullptr);
}

TEST_F(AuditorPoolTest, AuditsWaitForAWorkerThatKeepsTakingThem) {
  NoteAlive("a", 0);
  for (const int64_t audit : {1, 2, 3}) pool_.Assign("a", audit, At(0));
  EXPECT_EQ(pool_.Next("a", At(50)), 1);
  NoteAlive("a", 100);
  EXPECT_TRUE(pool_.Expire(MayPlayAll, At(100)).empty());
  EXPECT_EQ(pool_.Next("a", At(100)), 2);
  NoteAlive("a", 161);
  EXPECT_EQ(pool_.Expire(MayPlayAll, At(161)), std::vector<int64_t>{3});
  EXPECT_EQ(pool_.Next("a", At(161)), std::nullopt);
}

TEST_F(AuditorPoolTest, TakesBackWhatAWorkerMayNotPlayAnyMore) {
  NoteAlive("a", 0);
  for (const int64_t audit : {1, 2, 3}) pool_.Assign("a", audit, At(0));
  const auto may_play = [](const std::string& worker, int64_t audit) {
    return worker == "a" && audit != 2;
  };
  EXPECT_EQ(pool_.Expire(may_play, At(1)), std::vector<int64_t>{2});
  EXPECT_EQ(pool_.Next("a", At(1)), 1);
  EXPECT_EQ(pool_.Next("a", At(1)), 3);
}

TEST_F(AuditorPoolTest, ForgetsSilentWorkers) {
  NoteAlive("a", 0);
  NoteAlive("b", 0);
  pool_.Assign("a", 1, At(0));
  pool_.Assign("b", 2, At(50));
  NoteAlive("b", 61);
  EXPECT_EQ(pool_.Expire(MayPlayAll, At(61)), std::vector<int64_t>{1});
  EXPECT_EQ(pool_.Next("a", At(61)), std::nullopt);
  EXPECT_EQ(pool_.Next("b", At(61)), 2);
  pool_.Assign("b", 4, At(62));
  EXPECT_EQ(pool_.Remove("b"), std::vector<int64_t>{4});
  EXPECT_TRUE(pool_.Remove("b").empty());
}

}  // namespace
}  // namespace triarch
