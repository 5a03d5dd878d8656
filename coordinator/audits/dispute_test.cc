#include "coordinator/audits/dispute.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>

namespace triarch {
namespace {

class DisputeTest : public testing::Test {
 protected:
  // Adds an answer of a worker that is its own owner; the report says "x".
  void Stranger(const std::string& name, const std::string& played) {
    dispute_.Add({.worker = name, .owner = name}, "x", played);
  }
  void Own(const std::string& name, const std::string& played) {
    dispute_.Add({.worker = name, .owner = "operator", .is_audited = false}, "x", played);
  }
  // Returns the truth, "?" if further answers are needed, or "none" if the game is not
  // reproducible.
  std::string Judge(bool is_last = false) const {
    const auto verdict = dispute_.Judge({.lead = 3, .answers_max = 7}, is_last);
    if (!verdict) return "?";
    return verdict->truth.value_or("none");
  }

  Dispute dispute_;
};

TEST_F(DisputeTest, TheOperatorsWorkerDecidesForTheReporter) {
  Stranger("a", "y");
  EXPECT_EQ(Judge(), "?");
  Own("own", "x");
  EXPECT_EQ(Judge(), "x");
}

TEST_F(DisputeTest, TheOperatorsWorkerDecidesForTheAuditor) {
  Stranger("a", "y");
  Own("own", "y");
  EXPECT_EQ(Judge(), "y");
}

TEST_F(DisputeTest, TheOperatorsWorkerNeedsOneThatAgrees) {
  Own("own", "y");
  EXPECT_EQ(Judge(), "?");
  Own("own", "y");
  EXPECT_EQ(Judge(), "y");
}

TEST_F(DisputeTest, NobodyIsBlamedIfTheOperatorsWorkersDiffer) {
  Own("own1", "y");
  Own("own2", "x");
  EXPECT_EQ(Judge(), "none");
}

TEST_F(DisputeTest, TheOperatorsWorkerDecidesAgainstBothIfItRepeatsItself) {
  Stranger("a", "y");
  Own("own", "z");
  EXPECT_EQ(Judge(), "?");
  EXPECT_EQ(Judge(true), "none");
  Own("own", "z");
  EXPECT_EQ(Judge(), "z");
}

TEST_F(DisputeTest, AmongStrangersAMajorityDecides) {
  for (const char* name : {"a", "b", "c"}) {
    EXPECT_EQ(Judge(), "?");
    Stranger(name, "y");
  }
  EXPECT_EQ(Judge(), "?") << "3 to 1";
  Stranger("accomplice", "x");
  Stranger("d", "y");
  EXPECT_EQ(Judge(), "?") << "4 to 2";
  Stranger("e", "y");
  EXPECT_EQ(Judge(), "y");
}

TEST_F(DisputeTest, TheLastAnswersDecideByASmallerMajority) {
  Stranger("a", "y");
  EXPECT_EQ(Judge(true), "none");
  Stranger("b", "y");
  EXPECT_EQ(Judge(), "?");
  EXPECT_EQ(Judge(true), "y");
}

TEST_F(DisputeTest, AGameThatEverybodyPlaysDifferentlyIsNotReproducible) {
  for (const char* name : {"a", "b", "c", "d"}) {
    EXPECT_EQ(Judge(), "?");
    Stranger(name, name);
  }
  EXPECT_EQ(Judge(), "none");
}

TEST_F(DisputeTest, GivesUpAfterTooManyAnswers) {
  for (int i = 0; i < 7; ++i) {
    EXPECT_EQ(Judge(), "?");
    Stranger(std::to_string(i), i % 2 == 0 ? "y" : "x");
  }
  EXPECT_EQ(Judge(), "none");
}

TEST_F(DisputeTest, RemovesTheAnswersOfALiar) {
  Stranger("a", "y");
  Stranger("b", "z");
  dispute_.Remove("a");
  EXPECT_FALSE(dispute_.HasOwner("a"));
  EXPECT_EQ(dispute_.AnswersOf("b"), 1);
  dispute_.Remove("b");
  EXPECT_TRUE(dispute_.is_empty());
}

}  // namespace
}  // namespace triarch
