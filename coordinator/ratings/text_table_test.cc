#include "coordinator/ratings/text_table.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace triarch {
namespace {

TEST(TextTableTest, WidthIsColumnsNotBytes) {
  EXPECT_EQ(DisplayWidth(""), 0u);
  EXPECT_EQ(DisplayWidth("paranoid"), 8u);
  EXPECT_EQ(DisplayWidth("±95%"), 4u);
  EXPECT_EQ(DisplayWidth("Ünïcödé"), 7u);
  EXPECT_EQ(DisplayWidth("e\u0301"), 1u);  // a combining accent
  EXPECT_EQ(DisplayWidth("将棋"), 4u);
  EXPECT_EQ(DisplayWidth("🤖"), 2u);
  EXPECT_EQ(DisplayWidth("\xff\xc3"), 2u);  // invalid UTF-8
}

TEST(TextTableTest, CutsTheMiddle) {
  EXPECT_EQ(CutToWidth("short", 5), "short");
  EXPECT_EQ(CutToWidth("paranoid-depth-3-b", 12), "parano…h-3-b");
  EXPECT_EQ(CutToWidth("paranoid", 1), "…");
  EXPECT_EQ(CutToWidth("将棋将棋", 5), "将…棋");
  for (size_t width = 1; width < 12; ++width) {
    EXPECT_LE(DisplayWidth(CutToWidth("将a棋b将c棋", width)), width);
  }
}

TEST(TextTableTest, AlignsColumns) {
  TextTable table;
  table.AddColumn("Bot", TextTable::Align::kLeft);
  table.AddColumn("Elo");
  table.AddColumn("", TextTable::Align::kLeft);
  table.AddRow({"将棋", "+1", ""});
  table.AddRow({"α", "+1000", "x"});
  EXPECT_EQ(table.Render(100, 0),
            "Bot     Elo\n"
            "将棋     +1\n"
            "α     +1000  x\n");
}

TEST(TextTableTest, NarrowsTheFlexibleColumn) {
  TextTable table;
  table.AddColumn("Bot", TextTable::Align::kLeft);
  table.AddColumn("Elo");
  table.AddRow({"a-very-long-name-of-a-bot", "+1"});
  EXPECT_EQ(table.Render(20, 0),
            "Bot              Elo\n"
            "a-very-…f-a-bot   +1\n");
  // Never narrower than eight columns, even if the line is then too long.
  EXPECT_EQ(table.Render(5, 0),
            "Bot       Elo\n"
            "a-ve…bot   +1\n");
}

TEST(TextTableTest, WrapsBetweenParts) {
  EXPECT_EQ(WrapParts("Ends", 6, {"one", "two", "three"}, 16),
            "Ends  one · two\n"
            "      three\n");
  EXPECT_EQ(WrapParts("Ends", 6, {}, 16), "Ends\n");
}

}  // namespace
}  // namespace triarch
