#include "core/triumvirate/v4_notation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "core/base/text.h"
#include "core/triumvirate/v4_text.h"

namespace triarch::triumvirate {
namespace {

using ::testing::HasSubstr;

Cell At(std::string_view name) { return Cell::Parse(name).value(); }

constexpr std::array kTables = {V4Table::kPublished, V4Table::kClient};

TEST(V4Notation, IsOneToOne) {
  for (const V4Table table : kTables) {
    std::set<std::string> names;
    for (int i = 0; i < kCells; ++i) {
      const std::string name = ToV4(Cell::At(i), table);
      EXPECT_TRUE(names.insert(name).second) << name;
      EXPECT_EQ(FromV4(name, table).value(), Cell::At(i)) << name;
    }
    EXPECT_EQ(names.size(), 96u);
    EXPECT_EQ(ParseV4Table(ToString(table)), table);
  }
  EXPECT_FALSE(ParseV4Table("Published"));
}

TEST(V4Notation, PublishedIsThePrintedTableWithFourRepairs) {
  std::ifstream file(TRIARCH_TEST_DATA "/triumvirate/v4_published.tsv");
  ASSERT_TRUE(file);
  std::set<std::string> cells;
  std::set<std::string> repaired;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    const std::vector<std::string_view> row = Split(line, '\t');
    ASSERT_GE(row.size(), 2u) << line;
    EXPECT_EQ(ToV4(At(row[0]), V4Table::kPublished), row.back()) << line;
    cells.emplace(row[0]);
    if (row.size() == 3) repaired.emplace(row[0]);
  }
  EXPECT_EQ(cells.size(), 96u);
  EXPECT_EQ(repaired, (std::set<std::string>{"C8", "E10", "E11", "E12"}));
}

TEST(V4Notation, ClientMatchesTheRules) {
  const std::vector<std::pair<std::string_view, std::string_view>> examples = {
      {"A1", "W3/B3.0"},  {"A2", "W3/B2.0"},  {"D8", "B3/R3.3"}, {"E12", "R3/W3.3"},
      {"C3", "W1/B1.2"},  {"D2", "W2/B2.3"},  {"B3", "W2/B1.1"}, {"C4", "W1/B0.2"},
      {"A4", "W3/B0.0"},  {"L8", "B3/W3.0"},  {"A8", "B3/R3.0"}, {"I8", "B3/W3.3"},
      {"H12", "R3/W3.0"}, {"L12", "R3/B3.0"}, {"J9", "R1/B0.2"}};
  for (const auto& [cell, name] : examples) {
    EXPECT_EQ(ToV4(At(cell), V4Table::kClient), name) << cell;
  }
}

TEST(V4Notation, TheTablesAgreeOnTheRosette) {
  const std::vector<std::pair<std::string_view, std::string_view>> rosette = {
      {"D4", "C/W.B"}, {"E4", "C/W.R"}, {"D5", "C/B.R"},
      {"I5", "C/B.W"}, {"E9", "C/R.W"}, {"I9", "C/R.B"}};
  for (const V4Table table : kTables) {
    for (const auto& [cell, name] : rosette) {
      const V4Cell described = DescribeV4(At(cell), table);
      EXPECT_EQ(described.name, name);
      EXPECT_TRUE(described.is_rosette);
      EXPECT_EQ(described.buried_level(), 0);
      EXPECT_EQ(described.flank, 3);
    }
  }
}

TEST(V4Notation, DescribesCells) {
  const V4Cell queen = DescribeV4(At("D8"), V4Table::kPublished);  // B3/W3.3
  EXPECT_EQ(queen.sector, Seat::kSecond);
  EXPECT_EQ(queen.opponent, Seat::kFirst);
  EXPECT_EQ(queen.ring, 3);
  EXPECT_EQ(queen.depth, 3);
  EXPECT_EQ(queen.flank, 3);
  EXPECT_EQ(queen.buried_level(), 6);
  EXPECT_EQ(queen.buried_class(), "corner");
  EXPECT_EQ(DescribeV4(At("B2"), V4Table::kPublished).buried_class(), "middle");
  EXPECT_EQ(DescribeV4(At("B3"), V4Table::kPublished).buried_class(), "inner");
  // Level 0 outside the rosette.
  EXPECT_EQ(DescribeV4(At("A4"), V4Table::kPublished).buried_class(), "rosette");
  EXPECT_FALSE(DescribeV4(At("A4"), V4Table::kPublished).is_rosette);
  EXPECT_EQ(DescribeV4(At("A2"), V4Table::kClient).buried_level(), 5);
  EXPECT_EQ(DescribeV4(At("C4"), V4Table::kClient).buried_class(), "inner");
}

TEST(V4Notation, LevelsAreWithinTheirRanges) {
  for (int i = 0; i < kCells; ++i) {
    const V4Cell published = DescribeV4(Cell::At(i), V4Table::kPublished);
    EXPECT_EQ(published.ring, published.depth);
    EXPECT_EQ(published.depth, 3 - Cell::At(i).row());
    EXPECT_EQ(published.is_rosette, Cell::At(i).is_rosette());
    EXPECT_NE(published.opponent, published.sector);
    const V4Cell client = DescribeV4(Cell::At(i), V4Table::kClient);
    EXPECT_EQ(client.ring == 0, client.is_rosette);
    EXPECT_EQ(client.depth, 3 - Cell::At(i).row());
  }
}

TEST(V4Notation, RefusesInvalidNames) {
  for (const std::string_view name : {"", "A1", "w3/b3.0", "W4/B3.0", "W3/B3.4", "W3/W3.0", "C/W.W",
                                      "C/W", "W3/B3.0 ", "W3B3.0"}) {
    const absl::StatusOr<Cell> cell = FromV4(name, V4Table::kPublished);
    ASSERT_FALSE(cell.ok()) << name;
    EXPECT_THAT(cell.status().message(), HasSubstr(Quote(name)));
    EXPECT_THAT(cell.status().message(), HasSubstr("not a cell of the published table"));
  }
  EXPECT_THAT(FromV4("W3/B2.0", V4Table::kPublished).status().message(),
              HasSubstr("in the client table it is A2"));
}

TEST(V4Notation, ConvertsTexts) {
  for (const V4Table table : kTables) {
    for (const Cell cell : kAllCells) {
      const std::string classic = "1. " + cell.ToString() + "xD4 {Red resigns} 1/2-0-1/2";
      const std::string text = ToV4Text(classic, table);
      EXPECT_EQ(text, "1. " + ToV4(cell, table) + "xC/W.B {Red resigns} 1/2-0-1/2");
      EXPECT_EQ(FromV4Text(text, table), classic);
    }
  }
  EXPECT_EQ(ToV4Text("A7-A8=Q+", V4Table::kPublished), "B2/R2.0-B3/R3.0=M+");
  EXPECT_EQ(FromV4Text("B2/R2.0-B3/R3.0=M+ A7-A8=Q O-O", V4Table::kPublished),
            "A7-A8=Q+ A7-A8=Q O-O");
  EXPECT_EQ(V4TableOfNames("triumvirate"), V4Table::kPublished);
  EXPECT_EQ(V4TableOfNames("triumvirate-client"), V4Table::kClient);
  EXPECT_FALSE(V4TableOfNames(""));
  EXPECT_FALSE(V4TableOfNames("published"));
}

TEST(V4Notation, NamesThePieces) {
  std::string letters;
  for (size_t i = 0; i < kPieceTypes; ++i) letters += V4Letter(static_cast<PieceType>(i));
  EXPECT_EQ(letters, "PNDTML");
  EXPECT_EQ(V4Name(PieceType::kKing), "Leader");
}

}  // namespace
}  // namespace triarch::triumvirate
