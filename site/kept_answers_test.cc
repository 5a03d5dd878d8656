// Tests how long answers are kept.

#include "site/kept_answers.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

namespace triarch::site {
namespace {

using std::chrono::milliseconds;

constexpr KeptAnswers::Clock::time_point kStart{};

// Returns the text of the answer that is found; "none" without one.
std::string Found(const KeptAnswers& kept, const std::string& tag, bool goes_on, int64_t ms,
                  const std::string& request = "/a") {
  const auto answer = kept.Find(request, tag, goes_on, kStart + milliseconds(ms));
  return answer ? *answer->body : "none";
}

TEST(KeptAnswers, AnAnswerHoldsUntilTheGamesChange) {
  KeptAnswers kept;
  EXPECT_EQ(Found(kept, "1", true, 0), "none");
  kept.Keep("/a", {"1", MakeWebText("one")}, kStart, kStart + milliseconds(50));
  EXPECT_EQ(Found(kept, "1", false, 1'000'000), "one");
  EXPECT_EQ(Found(kept, "1", false, 60, "/b"), "none");
  EXPECT_EQ(Found(kept, "2", true, 50), "none") << "it was fast";
  kept.Keep("/a", {"2", MakeWebText("two")}, kStart, kStart + milliseconds(50));
  EXPECT_EQ(Found(kept, "2", true, 50), "two");
  EXPECT_EQ(Found(kept, "1", true, 50), "none");
}

TEST(KeptAnswers, AnAnswerThatTookLongHoldsForAWhileAsGamesGoOn) {
  KeptAnswers kept;
  kept.Keep("/a", {"1", MakeWebText("one")}, kStart, kStart + milliseconds(1000));
  EXPECT_EQ(Found(kept, "2", true, 4999), "one");
  EXPECT_EQ(Found(kept, "2", true, 5000), "none");
  EXPECT_EQ(Found(kept, "2", false, 1001), "none") << "the last answer must be exact";
}

TEST(KeptAnswers, ForgetsWhenThereAreTooMany) {
  KeptAnswers kept(/*bytes_max=*/8);
  kept.Keep("/a", {"1", MakeWebText("1234")}, kStart, kStart);
  kept.Keep("/a", {"2", MakeWebText("5678")}, kStart, kStart);  // replaces it
  kept.Keep("/b", {"1", MakeWebText("1234")}, kStart, kStart);
  EXPECT_EQ(Found(kept, "2", false, 0), "5678");
  kept.Keep("/c", {"1", MakeWebText("1")}, kStart, kStart);
  EXPECT_EQ(Found(kept, "2", false, 0), "none");
  EXPECT_EQ(Found(kept, "1", false, 0, "/c"), "1");
}

}  // namespace
}  // namespace triarch::site
