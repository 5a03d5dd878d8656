#include "core/record/recorded_move.h"

#include <gtest/gtest.h>

#include <string>

namespace triarch {
namespace {

TEST(RecordedMove, HoldsTheLongestMove) {
  EXPECT_EQ(RecordedMove().text(), "");
  RecordedMove move = "c1QL1xc2QL6=Q";
  EXPECT_EQ(move.text(), "c1QL1xc2QL6=Q");
  EXPECT_EQ(move, "c1QL1xc2QL6=Q");
  EXPECT_NE(move, "c1QL1xc2QL6=R");
  move = "O-O";
  EXPECT_EQ(move.text(), "O-O") << "nothing is left of the previous move";
  EXPECT_EQ(move, RecordedMove(std::string("O-O")));
  const std::string longest(RecordedMove::kBytesMax, 'x');
  EXPECT_EQ(RecordedMove(longest).text(), longest);
}

TEST(RecordedMoveDeathTest, RefusesLongerText) {
  EXPECT_DEATH(RecordedMove(std::string(RecordedMove::kBytesMax + 1, 'x')), "CHECK failed");
}

}  // namespace
}  // namespace triarch
