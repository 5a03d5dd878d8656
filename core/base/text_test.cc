#include "core/base/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace triarch {
namespace {

using ::testing::ElementsAre;

TEST(Text, SplitKeepsEmptyParts) {
  EXPECT_THAT(Split("a,,b", ','), ElementsAre("a", "", "b"));
  EXPECT_THAT(Split("", ','), ElementsAre(""));
}

TEST(Text, TrimRemovesWhiteSpaceAtBothEnds) {
  EXPECT_EQ(Trim(" \ta b\r\n"), "a b");
  EXPECT_EQ(Trim("  "), "");
}

TEST(Text, NumbersMustBeTheWholeText) {
  EXPECT_EQ(ParseInt64("-12"), -12);
  EXPECT_EQ(ParseUint64("18446744073709551615"), UINT64_MAX);
  EXPECT_EQ(ParseDouble("0.25"), 0.25);
  for (const std::string_view text : {"", " 1", "1 ", "1x", "+1", "18446744073709551616"}) {
    EXPECT_FALSE(ParseUint64(text)) << text;
  }
  EXPECT_FALSE(ParseUint64("-1"));
  EXPECT_FALSE(ParseDouble("inf"));
  EXPECT_FALSE(ParseDouble("nan"));
}

TEST(Text, PlainTextIsUtf8WithoutControlCharacters) {
  for (const std::string_view text : {"", "a b", "é", "€", "😀"}) {
    EXPECT_TRUE(IsPlainText(text)) << text;
  }
  for (const std::string_view text :
       {"a\n", "\x7f", "\xff", "\xc3", "\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80"}) {
    EXPECT_FALSE(IsPlainText(text)) << Quote(text);
  }
}

TEST(Text, QuoteEscapesUnprintableBytes) {
  EXPECT_EQ(Quote("a\"b\n"), "\"a\\\"b\\x0a\"");
  EXPECT_EQ(Quote("abcdef", 3), "\"abc…\"");
}

}  // namespace
}  // namespace triarch
