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
  const BoardStyle plain_style = {.is_colored = false, .names = ""};
  Position position = Start(kGame<Position>, "").value();
  const auto move = ParseMove(position, text).value();
  EXPECT_THAT(ToBoard(position, plain_style).value(), ::testing::Not(HasSubstr("*")));
  position.Play(move);
  const std::string plain = ToBoard(position, plain_style, move).value();
  EXPECT_EQ(std::count(plain.begin(), plain.end(), '*'), 3) << "both cells and the explanation";
  EXPECT_THAT(plain, HasSubstr("\nlast move   *\n"));
  const std::string colored = ToBoard(position, BoardStyle{}, move).value();
  EXPECT_THAT(colored, HasSubstr("48;5;221"));
  EXPECT_THAT(colored, HasSubstr("\nlast move   yellow\n"));
}

// Marks a cell of the start for each kind of move, and expects all pictures to show the marks.
template <class Position>
void ExpectPicturesMarkMoves() {
  using ::testing::HasSubstr;
  const Position position = Start(kGame<Position>, "").value();
  MoveMarks marks;
  for (size_t i = 0; i < kMoveMarks; ++i) {
    marks[CellText(position, static_cast<int>(i))] = static_cast<MoveMark>(i);
  }
  const std::string unmarked = ToBoard(position, {.is_colored = false, .names = ""}).value();
  const std::string plain =
      ToBoard(position, {.is_colored = false, .names = "", .moves = marks}).value();
  const auto count = [](const std::string& text, char sign) {
    const std::string board =
        text.substr(0, std::min(text.find("\nmoves "), text.find("\nto move ")));
    return std::count(board.begin(), board.end(), sign);
  };
  for (const char sign : {'o', '&', '!', '='}) {
    EXPECT_EQ(count(plain, sign), count(unmarked, sign) + 1) << sign << plain;
  }
  EXPECT_THAT(plain, HasSubstr("\nmoves       o target, & castling, ! capture, = promotion\n"));
  const std::string colored = ToBoard(position, {.names = "", .moves = marks}).value();
  for (const std::string tint : {"114", "111", "209", "176"}) {
    EXPECT_THAT(colored, HasSubstr("48;5;" + tint));
  }
  EXPECT_THAT(colored, HasSubstr("\nmoves       green target, blue castling, red capture, "));
  const std::string svg = ToSvg(position, {}, {.moves = marks});
  for (const std::string kind : {"target", "castling", "capture", "promotion"}) {
    const size_t begin = svg.find("class=\"" + kind + "\"");
    ASSERT_NE(begin, std::string::npos) << kind;
    EXPECT_EQ(svg.find("class=\"" + kind + "\"", begin + 1), std::string::npos) << kind;
  }
  EXPECT_THAT(svg, HasSubstr("dot: target · square: castling · ring: capture · triangle: promot"));
  EXPECT_THAT(ToSvg(position), ::testing::Not(HasSubstr("class=\"move\"")));
}

}  // namespace triarch

#endif  // TRIARCH_CORE_GAME_PICTURE_CONTRACT_H_
