#include "coordinator/ratings/short_names.h"

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "coordinator/ratings/display_width.h"
#include "core/base/random.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace triarch {
namespace {

using ::testing::ElementsAre;

TEST(DisplayWidthTest, WidthIsColumnsNotBytes) {
  EXPECT_EQ(DisplayWidth(""), 0u);
  EXPECT_EQ(DisplayWidth("paranoid"), 8u);
  EXPECT_EQ(DisplayWidth("±95%"), 4u);
  EXPECT_EQ(DisplayWidth("Ünïcödé"), 7u);
  EXPECT_EQ(DisplayWidth("e\u0301"), 1u);  // a combining accent
  EXPECT_EQ(DisplayWidth("将棋"), 4u);
  EXPECT_EQ(DisplayWidth("🤖"), 2u);
  EXPECT_EQ(DisplayWidth("\xff\xc3"), 2u);  // invalid UTF-8
}

TEST(ShortNamesTest, CutsWhatNamesShare) {
  EXPECT_THAT(ShortNames({"mybot-v1-lmr-nullmove", "mybot-v2-lmr-nullmove", "random"}, 14),
              ElementsAre("mybot-v1-l…ove", "mybot-v2-l…ove", "random"));
  EXPECT_THAT(ShortNames({"mybot-lmr-nullmove-v1", "mybot-lmr-nullmove-v10"}, 12),
              ElementsAre("mybot-…ve-v1", "mybot-…e-v10"));
  EXPECT_THAT(ShortNames({"mybot-with-v1-and-more", "mybot-with-v2-and-more"}, 12),
              ElementsAre("my…v1-an…ore", "my…v2-an…ore"));
}

TEST(ShortNamesTest, CutsTheMiddleOfANameLikeNoOther) {
  EXPECT_THAT(ShortNames({"short", "paranoid-depth-3-b"}, 12),
              ElementsAre("short", "parano…h-3-b"));
  EXPECT_THAT(ShortNames({"将棋将棋将棋将棋"}, 11), ElementsAre("将棋将…将棋"));
}

TEST(ShortNamesTest, KeepsNamesThatDifferTooMuch) {
  const std::vector<std::string> names = {"common-common-12345678", "common-common-87654321"};
  EXPECT_EQ(ShortNames(names, 10), names);
  EXPECT_THAT(ShortNames(names, 13), ElementsAre("com…-12345678", "com…-87654321"));
}

std::set<std::string> Distinct(const std::vector<std::string>& names) {
  return {names.begin(), names.end()};
}

// Names of few different parts are alike in many ways.
std::string RandomName(Random& random) {
  constexpr std::string_view kParts[] = {"mybot", "-v",    "1", "2",   "10",
                                         "-lmr",  "-null", "…", "将棋"};
  std::string name;
  for (size_t parts = 1 + random.Next() % 9; parts > 0; --parts) name += kParts[random.Next() % 9];
  return name;
}

TEST(ShortNamesTest, DifferentNamesStayDifferent) {
  Random random(1);
  size_t shortened = 0;
  for (int round = 0; round < 2000; ++round) {
    std::set<std::string> distinct;
    for (size_t count = 1 + random.Next() % 12; count > 0; --count)
      distinct.insert(RandomName(random));
    const std::vector<std::string> names(distinct.begin(), distinct.end());
    const size_t width = 1 + random.Next() % 30;
    const std::vector<std::string> result = ShortNames(names, width);
    ASSERT_EQ(Distinct(result).size(), names.size()) << "round " << round;
    for (size_t i = 0; i < names.size(); ++i) {
      if (result[i] == names[i]) continue;
      ++shortened;
      ASSERT_GT(DisplayWidth(names[i]), width);
      ASSERT_LE(DisplayWidth(result[i]), width);
    }
  }
  EXPECT_GT(shortened, 1000u);
}

}  // namespace
}  // namespace triarch
