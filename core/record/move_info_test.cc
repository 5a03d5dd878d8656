#include "core/record/move_info.h"

#include <string>
#include <vector>

#include "core/any_state.h"
#include "core/base/text.h"
#include "core/record/claim_bounds.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace triarch {
namespace {

using ::testing::Each;
using ::testing::SizeIs;

MoveInfo Sanitized(MoveInfo info) {
  Sanitize(&info);
  const MoveInfo once = info;
  Sanitize(&info);
  EXPECT_EQ(info, once) << "sanitizing again changes nothing";
  return info;
}
std::string Explanation(const std::string& text) {
  return Sanitized({.explanation = text}).explanation;
}

TEST(MoveInfo, KeepsGoodTexts) {
  const MoveInfo info = {.ply = 3,
                         .depth = 4,
                         .nodes = 2000,
                         .line = "E2-E4 D7-D5",
                         .explanation = "Zug über {a}: \"50 %\"\nnext [line]; ♔"};
  EXPECT_EQ(Sanitized(info), info);
  EXPECT_EQ(ToText(info),
            "depth 4, 2000 nodes, expects E2-E4 D7-D5\nZug über {a}: \"50 %\"\nnext [line]; ♔");
  EXPECT_FALSE(info.is_empty());
  EXPECT_TRUE(MoveInfo{.ply = 3}.is_empty());
}

TEST(MoveInfo, EscapesControlCharactersAndInvalidBytes) {
  EXPECT_EQ(Explanation("a\x1b[2Jb"), "a\\x1b[2Jb");
  EXPECT_EQ(Explanation(std::string("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(Explanation("a\xff"
                        "b\xc3"),
            "a\\xffb\\xc3");
  EXPECT_EQ(Explanation("a\u202e"
                        "b"),
            "a\\u202eb");
  for (const std::string bad : {"\x1b", "}", "{", "]", "\\", "%", ";", "(", "<b>", "\xff", "♔"}) {
    EXPECT_EQ(Sanitized({.line = "E2-E4 D7-D5 I11-I10" + bad + " A1-A2"}).line, "E2-E4 D7-D5");
    EXPECT_EQ(Sanitized({.line = bad}).line, "");
  }
}

TEST(MoveInfo, SpacesAreSingle) {
  EXPECT_EQ(Explanation("  a \t b \n\n  c\n"), "a b\nc");
  EXPECT_EQ(Explanation(" \n\t"), "");
  EXPECT_EQ(Sanitized({.line = "\n E2-E4   D7-D5\n"}).line, "E2-E4 D7-D5");
}

TEST(MoveInfo, CutsBetweenCharactersAndMoves) {
  for (size_t before = 0; before < 4; ++before) {
    std::string text(before, 'x');
    for (int i = 0; i < 1000; ++i) text += "♔";  // three bytes
    const std::string cut = Explanation(text);
    EXPECT_LE(cut.size(), MoveInfo::kExplanationBytesMax);
    EXPECT_GT(cut.size(), MoveInfo::kExplanationBytesMax - 3);
    EXPECT_EQ(Printable(cut), cut) << "it is still UTF-8";
  }
  std::string line;
  for (int i = 0; i < 100; ++i) line += "E2-E4 ";
  const std::string cut = Sanitized({.line = line}).line;
  EXPECT_LE(cut.size(), MoveInfo::kLineBytesMax);
  EXPECT_THAT(Split(cut, ' '), Each("E2-E4"));
  EXPECT_THAT(Split(cut, ' '), SizeIs(33));
  EXPECT_EQ(Sanitized({.line = std::string(1000, 'x')}).line, "");
  EXPECT_EQ(Explanation(std::string(499, 'x') + " y"), std::string(499, 'x'));
}

TEST(MoveInfo, BoundsFigures) {
  const MoveInfo low = Sanitized({.depth = -1, .nodes = INT64_MIN});
  EXPECT_TRUE(low.is_empty());
  const MoveInfo high = Sanitized({.depth = INT64_MAX, .nodes = INT64_MAX});
  EXPECT_EQ(high.depth, kFigureMax);
  EXPECT_EQ(high.nodes, kFigureMax);
}

TEST(MoveInfo, LinesEndBeforeTheFirstIllegalMove) {
  const AnyState state = *AnyState::Start("triumvirate", "");
  EXPECT_EQ(LegalLine(state, "E2-E4", "E2-E4 D7-D5"), "E2-E4 D7-D5");
  EXPECT_EQ(LegalLine(state, "E2-E4", "E2-E4 D7-D5 D7-D5 I11-I10"), "E2-E4 D7-D5");
  EXPECT_EQ(LegalLine(state, "E2-E4", "E2-E4 <b>"), "E2-E4");
  EXPECT_EQ(LegalLine(state, "C2-C3", "E2-E4 D7-D5"), "") << "of another move";
  EXPECT_EQ(LegalLine(state, "E2-E4", ""), "");
}

TEST(MoveInfo, FindsTheInfoOfAPly) {
  const std::vector<MoveInfo> infos = {{.ply = 2, .depth = 1}, {.ply = 5, .depth = 2}};
  EXPECT_EQ(FindInfo(infos, 5)->depth, 2);
  for (const int64_t ply : {0, 3, 6}) EXPECT_EQ(FindInfo(infos, ply), nullptr);
}

}  // namespace
}  // namespace triarch
