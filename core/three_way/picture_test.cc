#include "core/three_way/picture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "core/game/canvas.h"
#include "core/game/picture_contract.h"
#include "core/three_way/bench.h"
#include "core/three_way/position.h"
#include "core/three_way/text.h"

namespace triarch::three_way {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const BoardStyle kPlain = {.is_colored = false, .names = ""};

constexpr std::string_view kTwoEnPassant =
    "rnbqkbnr/pppppp1p/8/6p1/X/X X/rnbqkbnr/pp1ppppp/8/2p5/X X/X/rnbqkbnr/ppp1pppp/3p4/8 "
    "W qkqkqk 73- 0 2";
// Black is out; Gray is to move and in check.
constexpr std::string_view kGrayInCheck =
    "8/p1r5/7k/1p2p3/8/8/8/2p5/4n3/5q2/5p2/8 X/1k6/p7/8/3ppp2/nq3r2/8/8/8 X/X/X G ------ --- 5 58";
// Drawn by the clock.
constexpr std::string_view kDrawn =
    "8/8/8/4k3/X/X X/8/4k3/8/1q6/X X/X/8/8/3k4/8 W ------ --- 100 60";

Position Parsed(std::string_view text) {
  const absl::StatusOr<Position> position = Parse(kGame<Position>, text);
  EXPECT_TRUE(position.ok()) << position.status() << "\n" << text;
  return position.value_or(Position());
}

// Returns the start and positions from games.
std::vector<Position> SomePositions() {
  std::vector<Position> positions = {Start(kGame<Position>, "").value(), Parsed(kTwoEnPassant),
                                     Parsed(kGrayInCheck), Parsed(kDrawn)};
  for (const std::string_view text : BenchPositions(kGame<Position>))
    positions.push_back(Parsed(text));
  return positions;
}

std::string ReadFile(const std::string& name) {
  std::ifstream file(TRIARCH_TEST_DATA "/three_way/" + name);
  EXPECT_TRUE(file) << name;
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

size_t Count(const std::string& text, std::string_view part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

// --- SVG ---

// Returns the corners of each cell as written in the SVG.
std::map<std::string, std::vector<std::string>> Polygons(const std::string& svg) {
  static const std::regex kPolygon("<polygon data-cell=\"([a-o][0-9]+)\"[^>]* points=\"([^\"]*)\"");
  std::map<std::string, std::vector<std::string>> polygons;
  for (std::sregex_iterator it(svg.begin(), svg.end(), kPolygon), end; it != end; ++it) {
    const std::string points = (*it)[2];
    for (const std::string_view point : Split(points, ' ')) {
      polygons[(*it)[1]].emplace_back(point);
    }
  }
  return polygons;
}

Hex HexOf(const std::string& cell) { return Cell::Parse(cell)->hex(); }

bool AreNeighbors(Hex a, Hex b) {
  const Hex step = a - b;
  return std::max({std::abs(step.q), std::abs(step.r), std::abs(step.s)}) == 1;
}

TEST(ThreeWaySvg, HasTheCellsAndTheirNeighbors) {
  const std::string svg = ToSvg(Start(kGame<Position>, "").value());
  const auto polygons = Polygons(svg);
  EXPECT_EQ(polygons.size(), 96u);
  EXPECT_EQ(Count(svg, "<polygon "), 96u);
  for (const auto& [a, corners] : polygons) {
    const std::set<std::string> of_a(corners.begin(), corners.end());
    EXPECT_EQ(of_a.size(), 6u) << a;
    for (const auto& [b, others] : polygons) {
      if (a == b) continue;
      const auto shared = std::count_if(others.begin(), others.end(),
                                        [&](const auto& corner) { return of_a.contains(corner); });
      EXPECT_EQ(shared, AreNeighbors(HexOf(a), HexOf(b)) ? 2 : 0) << a << " " << b;
    }
  }
}

TEST(ThreeWaySvg, HasWhiteBelowAndTheColorsOfTheRules) {
  const std::string svg = ToSvg(Start(kGame<Position>, "").value());
  for (const std::string_view color : {"cream", "brown", "green"}) {
    EXPECT_EQ(Count(svg, "class=\"" + std::string(color) + "\""), 32u);
  }
  EXPECT_THAT(svg, HasSubstr("data-cell=\"h4\" class=\"brown\""));
  EXPECT_THAT(svg, HasSubstr("data-cell=\"d4\" class=\"cream\""));
  EXPECT_THAT(svg, HasSubstr("data-cell=\"a11\" class=\"green\""));
  auto polygons = Polygons(svg);
  // The lowest, the leftmost and the rightmost corner. The board's centre is (480, 452).
  EXPECT_EQ(polygons["d4"][1], "280.00,867.69");
  EXPECT_EQ(polygons["a11"][3], "40.00,452.00");
  EXPECT_EQ(polygons["o4"][0], "960.00,452.00");
}

// Returns whether every opened tag is closed, in order. Checks nothing else.
bool IsWellFormed(const std::string& xml) {
  static const std::regex kTag("<(/?)([a-z]+)((?: [-a-zA-Z]+=\"[^\"<]*\")*)(/?)>");
  std::vector<std::string> open;
  size_t tags = 0;
  for (std::sregex_iterator it(xml.begin(), xml.end(), kTag), end; it != end; ++it) {
    ++tags;
    if ((*it)[1] == "/") {
      if (open.empty() || open.back() != (*it)[2]) return false;
      open.pop_back();
    } else if ((*it)[4] != "/") {
      open.push_back((*it)[2]);
    }
  }
  return open.empty() && Count(xml, "<") == tags && Count(xml, ">") == tags;
}

TEST(ThreeWaySvg, IsWellFormed) {
  for (const Position& position : SomePositions()) {
    const std::string svg = ToSvg(position);
    EXPECT_TRUE(IsWellFormed(svg));
    EXPECT_TRUE(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
    EXPECT_EQ(Count(svg, "class=\"piece "), static_cast<size_t>(position.occupied().size()));
    EXPECT_THAT(svg, HasSubstr("<desc>" + ToString(position) + "</desc>"));
  }
  EXPECT_FALSE(IsWellFormed("<g><path></g></path>"));
}

TEST(ThreeWaySvg, ShowsPiecesAndMarks) {
  const std::string svg = ToSvg(Parsed(kTwoEnPassant));
  // The middle of h4, raised to leave room for the name.
  EXPECT_THAT(svg, HasSubstr("<g transform=\"translate(500.00,688.49)\"><title>white king on h4"));
  EXPECT_THAT(svg, HasSubstr("<title>gray queen on l7</title><g class=\"piece g\""));
  EXPECT_THAT(svg, HasSubstr("<title>black rook on a11</title><g class=\"piece b\""));
  EXPECT_EQ(Count(svg, "class=\"ep\""), 2u);
  EXPECT_EQ(Count(svg, "class=\"turn\""), 1u);
  EXPECT_THAT(svg, HasSubstr("<title>Three-Way Chess: White to move · move 2, clock 0</title>"));
  const std::string check = ToSvg(Parsed(kGrayInCheck));
  EXPECT_THAT(check, HasSubstr("Gray to move, Gray in check · move 58, clock 5"));
  EXPECT_THAT(check, HasSubstr("Black (out)"));
  EXPECT_THAT(check, Not(HasSubstr("class=\"ep\"")));
  const std::string over = ToSvg(Parsed(kDrawn));
  EXPECT_THAT(over, HasSubstr("The game is over: clock_limit, result 1/2-1/2-1/2"));
  EXPECT_THAT(over, Not(HasSubstr("class=\"turn\"")));
}

// --- the terminal ---

// A character of a board with the last escape sequence before it.
struct Spot {
  std::string text;
  std::string ink;
};

std::vector<std::vector<Spot>> Spots(const std::string& board) {
  static const std::regex kSpot("\033\\[([0-9;]*)m|(\n|[\\x01-\\x7f]|[^\\x01-\\x7f]{3})");
  std::vector<std::vector<Spot>> lines(1);
  std::string ink;
  for (std::sregex_iterator it(board.begin(), board.end(), kSpot), end; it != end; ++it) {
    if ((*it)[1].matched) {
      ink = (*it)[1];
    } else if ((*it)[2] == "\n") {
      lines.emplace_back();
    } else {
      lines.back().push_back({(*it)[2], ink});
    }
  }
  return lines;
}

// Returns the line and column of each cell's name on a board.
std::map<Cell, std::pair<size_t, size_t>> Names(const std::vector<std::vector<Spot>>& lines) {
  static const std::regex kName("[a-o][0-9]+");
  std::map<Cell, std::pair<size_t, size_t>> names;
  for (size_t line = 0; line < lines.size(); ++line) {
    std::string text;
    for (const Spot& spot : lines[line]) text += spot.text.size() == 1 ? spot.text : "?";
    for (std::sregex_iterator it(text.begin(), text.end(), kName), end; it != end; ++it) {
      const auto cell = Cell::Parse(it->str());
      EXPECT_TRUE(cell) << it->str();
      if (!cell) continue;
      const auto column = static_cast<size_t>(it->position());
      EXPECT_TRUE(names.emplace(*cell, std::pair(line, column)).second) << it->str();
    }
  }
  return names;
}

// Returns the board without the text below it.
std::string BoardOf(const Position& position, const BoardStyle& style) {
  const std::string text = ToBoard(position, style).value();
  return text.substr(0, text.find("to move     "));
}

TEST(ThreeWayBoardPicture, DrawsTheStartWithoutColor) {
  EXPECT_EQ(ToBoard(Start(kGame<Position>, "").value(), kPlain).value(),
            ReadFile("board_plain.txt"));
}

TEST(ThreeWayBoardPicture, EveryCellHasItsNameAndPieceWithoutColor) {
  for (const Position& position : SomePositions()) {
    const auto lines = Spots(BoardOf(position, kPlain));
    const auto names = Names(lines);
    ASSERT_EQ(names.size(), 96u);
    for (const auto& [cell, place] : names) {
      const auto& [line, column] = place;
      const std::string mark = lines[line - 1][column].text + lines[line - 1][column + 1].text;
      std::string expected = "  ";
      for (size_t i = 0; i < 3; ++i) {
        if (position.en_passant(SeatAt(i)) == cell) expected = "x ";
      }
      if (const auto piece = position.piece_at(cell)) {
        expected = {"wgb"[Index(piece->owner)], "PNBRQK"[static_cast<size_t>(piece->type)]};
      }
      EXPECT_EQ(mark, expected) << cell.ToString();
      // The outline.
      EXPECT_EQ(lines[line - 1][column - 2].text, "/");
      EXPECT_EQ(lines[line - 1][column + 3].text, "\\");
      EXPECT_EQ(lines[line][column - 2].text, "\\");
      EXPECT_EQ(lines[line][column + 3].text, "/");
    }
  }
}

TEST(ThreeWayBoardPicture, EveryCellHasItsNameAndPieceInColor) {
  constexpr std::array<std::string_view, 3> kChips = {
      "0;1;38;5;16;48;5;231", "0;1;38;5;231;48;5;241", "0;1;38;5;231;48;5;16"};
  constexpr std::array<std::string_view, 3> kTints = {";48;5;187", ";48;5;137", ";48;5;108"};
  for (const Position& position : SomePositions()) {
    const auto lines = Spots(BoardOf(position, {}));
    const auto names = Names(lines);
    ASSERT_EQ(names.size(), 96u);
    for (const auto& [cell, place] : names) {
      const auto& [line, column] = place;
      const std::string_view tint = kTints[static_cast<size_t>(cell.color())];
      EXPECT_TRUE(lines[line][column].ink.ends_with(tint)) << cell.ToString();
      const Spot& middle = lines[line - 1][column + 1];
      if (const auto piece = position.piece_at(cell)) {
        EXPECT_EQ(middle.text, kPieceGlyphs[static_cast<size_t>(piece->type)]) << cell.ToString();
        EXPECT_EQ(middle.ink, kChips[Index(piece->owner)]) << cell.ToString();
      } else {
        EXPECT_TRUE(middle.ink.ends_with(tint)) << cell.ToString();
      }
    }
  }
}

TEST(ThreeWayBoardPicture, FitsIntoEightyColumns) {
  for (const bool is_colored : {false, true}) {
    for (const Position& position : SomePositions()) {
      const auto lines = Spots(BoardOf(position, {.is_colored = is_colored, .names = ""}));
      EXPECT_LE(lines.size(), is_colored ? 38u : 27u);
      for (const auto& line : lines) {
        EXPECT_LE(line.size(), 80u);
        EXPECT_TRUE(is_colored || line.empty() || line.back().text != " ");
      }
    }
  }
}

TEST(ThreeWayBoardPicture, ShowsTheRest) {
  const std::string text = ToBoard(Parsed(kGrayInCheck), kPlain).value();
  EXPECT_THAT(text, HasSubstr("Gray (to move)"));
  EXPECT_THAT(text, HasSubstr("Black (out)"));
  EXPECT_THAT(text, HasSubstr("to move     Gray\ncastling    White -, Gray -, Black -\n"));
  EXPECT_THAT(text, HasSubstr("status      White active, Gray in check, Black out\n"));
  EXPECT_THAT(text, HasSubstr("clock       5\nmove        58\n"));
  EXPECT_TRUE(text.ends_with("\n" + std::string(kGrayInCheck) + "\n"));
  EXPECT_THAT(text, Not(HasSubstr("\033")));
  const std::string en_passant = ToBoard(Parsed(kTwoEnPassant), kPlain).value();
  EXPECT_THAT(en_passant, HasSubstr("castling    White KQ, Gray KQ, Black KQ\n"));
  EXPECT_THAT(en_passant, HasSubstr("en passant  White j4, Gray k6, Black -\n"));
  EXPECT_THAT(ToBoard(Parsed(kDrawn), kPlain).value(),
              HasSubstr("to move     none: the game is over (clock_limit, result 1/2-1/2-1/2)\n"));
}

TEST(ThreeWayBoardPicture, HasNoOtherNames) {
  const absl::StatusOr<std::string> board =
      ToBoard(Start(kGame<Position>, "").value(), {.is_colored = false, .names = "triumvirate"});
  EXPECT_EQ(board.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(board.status().message(), HasSubstr("unknown names \"triumvirate\""));
}

TEST(ThreeWaySvg, MarksTheLastMoveAndNamesTheBots) { ExpectSvgMarksTheLastMove<Position>("h5-h7"); }

TEST(ThreeWayBoardPicture, MarksTheLastMove) { ExpectBoardMarksTheLastMove<Position>("h5-h7"); }

TEST(ThreeWayPictures, MarkMoves) { ExpectPicturesMarkMoves<Position>(); }

}  // namespace
}  // namespace triarch::three_way
