#include "cli/tournament/view_screen.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/text.h"
#include "core/game/picture.h"
#include "core/record/tpgn.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace triarch {
namespace {

using ::testing::HasSubstr;

constexpr TerminalSize kLarge = {.columns = 200, .rows = 60};

GameSteps StepsOf(std::string_view tpgn) {
  const std::optional<absl::StatusOr<TpgnGame>> game = TpgnReader(tpgn).Next();
  absl::StatusOr<GameSteps> steps = PlaySteps(*ReplayTpgn(**game));
  return *std::move(steps);
}

class ViewScreenOfEachGame : public ::testing::TestWithParam<std::string_view> {};

TEST_P(ViewScreenOfEachGame, ShowsTheBoardAsItIsDrawn) {
  const GameSteps game = StepsOf(GetParam());
  for (size_t step = 0; step <= game.steps.size(); ++step) {
    const std::string screen =
        ViewScreen(game, {.step = step, .is_board_only = true}, kLarge, /*is_colored=*/true);
    const std::string board = *game.at(step).ToBoard({.is_colored = true, .names = ""});
    const size_t end = board.find(step == 0 ? "\nto move " : "\nlast move ");
    for (const std::string_view line : Split(std::string_view(board).substr(0, end), '\n')) {
      EXPECT_THAT(screen, HasSubstr(std::string(Trim(line)))) << step;
    }
  }
}

TEST_P(ViewScreenOfEachGame, ShowsTheLastMoveInASmallTerminal) {
  const GameSteps game = StepsOf(GetParam());
  for (size_t step = 1; step <= game.steps.size(); ++step) {
    const std::string screen =
        ViewScreen(game, {.step = step, .is_board_only = true}, kViewSizeMin, /*is_colored=*/false);
    EXPECT_EQ(std::count(screen.begin(), screen.end(), '*'), 2) << step << '\n' << screen;
  }
}

constexpr std::array<std::string_view, 3> kGames = {
    "1. E2-E4 D7-D6 E11-E10 *",
    "[Variant \"Three-Way\"]\n\n1. j3-j4 j9-h9 e10-g8 2. g5-g6 *",
    "[Variant \"Tri-D\"]\n\n1. c3W-c4N b6B-b5B 2. b3W-b4W *",
};
constexpr std::array<const char*, 3> kNames = {"Triumvirate", "ThreeWay", "TriD"};

INSTANTIATE_TEST_SUITE_P(Games, ViewScreenOfEachGame, ::testing::ValuesIn(kGames),
                         [](const auto& game) { return kNames[game.index]; });

}  // namespace
}  // namespace triarch
