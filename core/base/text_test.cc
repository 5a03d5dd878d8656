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
  for (const std::string_view text : {"", "a b", "é", "€", "😀", "👩‍💻"}) {
    EXPECT_TRUE(IsPlainText(text)) << text;
  }
  for (const std::string_view text : {"a\n", "a\tb", "\x7f", "\xc2\x9b", "\u202e", "\xff", "\xc3",
                                      "\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80"}) {
    EXPECT_FALSE(IsPlainText(text)) << Quote(text);
  }
}

TEST(Text, PrintableEscapesWhatControlsATerminal) {
  EXPECT_EQ(Printable("ab\tä 将\n"), "ab\tä 将\n");
  EXPECT_EQ(Printable("\x1b[2J\r\x07"), "\\x1b[2J\\x0d\\x07");
  EXPECT_EQ(Printable(std::string_view("\0", 1)), "\\x00");
  EXPECT_EQ(Printable("\x7f"), "\\u007f");
  EXPECT_EQ(Printable("\xc2\x9b"), "\\u009b") << "CSI as one character";
  EXPECT_EQ(Printable("\xff\xe4z"), "\\xff\\xe4z") << "not UTF-8";
  EXPECT_EQ(Printable("a\u202eb\u2066c\u200f"), "a\\u202eb\\u2066c\\u200f");
}

TEST(Text, PrintableLineHasNoLineBreaks) {
  EXPECT_EQ(PrintableLine("a\nb\tc\x1b[2J\r\n"), "a b c\\x1b[2J\\x0d ");
}

TEST(Text, PrintableJsonMeansTheSame) {
  EXPECT_EQ(Printable("{\"a\\\\\u009b\": \"\x7f\u202e\"}"), R"({"a\\\u009b": "\u007f\u202e"})");
}

TEST(Text, PrintableTwiceIsPrintableOnce) {
  for (const std::string_view text : {"\x1b[2J", "\\x1b", "\xff", "a\u202eb"}) {
    EXPECT_EQ(Printable(Printable(text)), Printable(text));
  }
}

TEST(Text, ShellWordsAreSafe) {
  EXPECT_EQ(ShellWord("a/b-1.db"), "a/b-1.db");
  EXPECT_EQ(ShellWord("my file"), "'my file'");
  EXPECT_EQ(ShellWord("x';reboot;y"), R"('x'\'';reboot;y')");
  EXPECT_EQ(ShellWord(""), "''");
}

TEST(Text, QuoteEscapesUnprintableBytes) {
  EXPECT_EQ(Quote("a\"b\n"), "\"a\\\"b\\x0a\"");
  EXPECT_EQ(Quote("abcdef", 3), "\"abc…\"");
}

}  // namespace
}  // namespace triarch
