#include "core/record/strict_tpgn.h"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "core/record/tpgn.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace triarch {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

GameRecord Replayed(const std::string& text) {
  TpgnReader reader(text);
  const absl::StatusOr<GameRecord> record = ReplayTpgn(**reader.Next());
  EXPECT_TRUE(record.ok()) << record.status() << text;
  return record.value_or(GameRecord());
}

std::string Strict(const std::string& text) {
  const absl::StatusOr<std::string> strict = ToStrictTpgn(text);
  EXPECT_TRUE(strict.ok()) << strict.status() << text;
  return strict.value_or("");
}

TEST(StrictTpgn, WritesMovesAsFromAndTo) {
  EXPECT_THAT(
      Strict("1. G1-F3 A7-A6 I11-I10 2. G2-G3 A6-A5 I10-I9 3. F1-G2 B7-B6 J11-J10 4. O-O *"),
      EndsWith(" 4. E1-G1 *\n\n"));
  EXPECT_THAT(
      Strict("[SetUp \"1\"]\n[FEN \"wKE1,wRA1,wPA7,bNB8,bKI8,rKI12 w w-.b-.r- - aaa 0 9\"]\n\n"
             "9. A7xB8=Q+ {[%eval 0.50,0.25,0.25]} {Red resigns} *\n"),
      HasSubstr("\n\n9. A7-B8=Q {[%eval 0.50,0.25,0.25]} {Red resigns} *\n"));
  EXPECT_THAT(Strict("[Variant \"Tri-D\"]\n\n1. Nb2c4N *"), EndsWith("\n\n1. b2W-c4N *\n\n"));
}

// Reading the strict form gives the same game.
TEST(StrictTpgn, IsReadBack) {
  size_t shorter = 0;
  for (const auto& file : std::filesystem::directory_iterator(TRIARCH_TEST_DATA "/tpgn")) {
    std::ostringstream text;
    text << std::ifstream(file.path(), std::ios::binary).rdbuf();
    const std::string strict = Strict(text.str());
    EXPECT_EQ(WriteTpgn(Replayed(strict)), text.str()) << file.path();
    const std::string moves = strict.substr(strict.find("\n\n"));
    EXPECT_THAT(moves, Not(HasSubstr("x"))) << file.path();
    EXPECT_THAT(moves, Not(HasSubstr("+"))) << file.path();
    shorter += strict.size() < text.str().size() ? 1 : 0;
  }
  EXPECT_GT(shorter, 0u) << "no game has a check";
}

TEST(StrictTpgn, RefusesWrongGames) {
  EXPECT_THAT(ToStrictTpgn("").status().message(), HasSubstr("expected a game"));
  EXPECT_THAT(ToStrictTpgn("1. E2-E9 *").status().message(), HasSubstr("move 1, White"));
}

}  // namespace
}  // namespace triarch
