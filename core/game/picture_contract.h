// Tests what the pictures of all games have in common.

#ifndef TRIARCH_CORE_GAME_PICTURE_CONTRACT_H_
#define TRIARCH_CORE_GAME_PICTURE_CONTRACT_H_

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/text.h"
#include "core/game/picture.h"
#include "core/game/position.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace triarch {

// Plays "E2-E4" from the start, and expects an SVG picture to mark both cells and name the bots.
template <class Position>
void ExpectSvgMarksTheLastMove(const std::string& text) {
  using ::testing::HasSubstr;
  Position position = Start(kGame<Position>, "").value();
  const auto move = ParseMove(position, text).value();
  EXPECT_THAT(ToSvg(position), ::testing::Not(HasSubstr(" last\"")));
  position.Play(move);
  std::vector<std::string> players = {"alpha & co", "beta", "gamma"};
  players.resize(Position::kInfo.seats);
  const std::string svg = ToSvg(position, move, {.players = players});
  for (const std::string_view cell : Split(text, '-')) {
    const size_t begin = svg.find("data-cell=\"" + std::string(cell) + "\"");
    ASSERT_NE(begin, std::string::npos) << cell;
    EXPECT_THAT(svg.substr(begin, svg.find("/>", begin) - begin), HasSubstr(" last\"")) << cell;
  }
  EXPECT_EQ(svg.find(" last\"", svg.rfind(" last\"") + 1), std::string::npos);
  EXPECT_THAT(svg, HasSubstr("yellow: last move"));
  EXPECT_THAT(svg, HasSubstr(">alpha &amp; co</text>"));
  EXPECT_THAT(svg, HasSubstr(">beta</text>"));
}

// Plays "E2-E4" from the start, and expects the board of a terminal to mark both cells.
template <class Position>
void ExpectBoardMarksTheLastMove(const std::string& text) {
  using ::testing::HasSubstr;
  constexpr BoardStyle kPlain = {.is_colored = false, .names = ""};
  Position position = Start(kGame<Position>, "").value();
  const auto move = ParseMove(position, text).value();
  EXPECT_THAT(ToBoard(position, kPlain).value(), ::testing::Not(HasSubstr("*")));
  position.Play(move);
  const std::string plain = ToBoard(position, kPlain, move).value();
  EXPECT_EQ(std::count(plain.begin(), plain.end(), '*'), 3) << "both cells and the explanation";
  EXPECT_THAT(plain, HasSubstr("\nlast move   *\n"));
  const std::string colored = ToBoard(position, BoardStyle{}, move).value();
  EXPECT_THAT(colored, HasSubstr("48;5;221"));
  EXPECT_THAT(colored, HasSubstr("\nlast move   yellow\n"));
}

}  // namespace triarch

#endif  // TRIARCH_CORE_GAME_PICTURE_CONTRACT_H_
