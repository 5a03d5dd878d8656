#include "coordinator/ratings/text_table.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace triarch {
namespace {

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
            "a-very-l…-a-bot   +1\n");
  // Never narrower than eight columns, even if the line is then too long.
  EXPECT_EQ(table.Render(5, 0),
            "Bot       Elo\n"
            "a-ve…bot   +1\n");
}

TEST(TextTableTest, WrapsNamesThatCannotBeShortened) {
  TextTable table;
  table.AddColumn("Bot", TextTable::Align::kLeft);
  table.AddColumn("Elo");
  table.AddRow({"common-common-12345678", "+1"});
  table.AddRow({"common-common-87654321", "-1"});
  table.AddRow({"将棋", "+0"});
  EXPECT_EQ(table.Render(13, 0),
            "Bot       Elo\n"
            "common-    +1\n"
            "common-\n"
            "12345678\n"
            "common-    -1\n"
            "common-\n"
            "87654321\n"
            "将棋       +0\n");
}

TEST(TextTableTest, WrapsBetweenParts) {
  EXPECT_EQ(WrapParts("Ends", 6, {"one", "two", "three"}, 16),
            "Ends  one · two\n"
            "      three\n");
  EXPECT_EQ(WrapParts("Ends", 6, {}, 16), "Ends\n");
}

}  // namespace
}  // namespace triarch
