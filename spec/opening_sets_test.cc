#include "spec/opening_sets.h"

#include <set>

#include "core/any_state.h"
#include "gtest/gtest.h"
#include "spec/opening_lines.h"

namespace triarch {
namespace {

TEST(OpeningSetsTest, EachGameHasDifferentOpeningsOfOneLength) {
  for (const GameInfo* const game : AllGames()) {
    SCOPED_TRACE(game->name);
    const AnyState start = AnyState::Start(game->name, "").value();
    const auto lines = LinesFromTpgn(start, BalancedOpenings(game->name), std::nullopt);
    ASSERT_TRUE(lines.ok()) << lines.status();
    EXPECT_GE(lines->size(), 200u);
    std::set<std::string> ends;
    for (const Openings::Line& line : *lines) {
      EXPECT_EQ(line.position, "");
      EXPECT_EQ(line.moves.size(), lines->front().moves.size());
      AnyState state = start;
      for (const std::string& move : line.moves) ASSERT_TRUE(state.Play(move).ok());
      for (size_t i = 0; i < game->seats; ++i) EXPECT_TRUE(state.is_in(SeatAt(i)));
      EXPECT_TRUE(ends.insert(state.ToString()).second) << state.ToString();
    }
  }
}

TEST(OpeningSetsTest, OtherGamesHaveNone) { EXPECT_EQ(BalancedOpenings("go"), ""); }

}  // namespace
}  // namespace triarch
