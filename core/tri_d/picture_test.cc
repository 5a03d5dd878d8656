#include "core/tri_d/picture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "core/game/picture_contract.h"
#include "core/tri_d/bench.h"
#include "core/tri_d/position.h"
#include "core/tri_d/text.h"

namespace triarch::tri_d {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const BoardStyle kPlain = {.is_colored = false, .names = ""};

// White must promote on a8B; the boards stand on pins of all levels.
constexpr char kPending[] =
    "QL2,KL3,QL5,KL6 4/4/4/2K1|4/4/4/4|P3/4/4/2k1|2/1R|2/2|r1/2|2/2 w - - 4 31 a8B";

std::vector<Position> SomePositions() {
  std::vector<Position> positions = {*Start(kGame<Position>, "document"),
                                     *Start(kGame<Position>, "meder"),
                                     *Parse(kGame<Position>, kPending)};
  for (const std::string_view text : BenchPositions(kGame<Position>)) {
    positions.push_back(*Parse(kGame<Position>, text));
  }
  return positions;
}

std::string ReadFile(const std::string& name) {
  std::ifstream file(TRIARCH_TEST_DATA "/tri_d/" + name);
  EXPECT_TRUE(file) << name;
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

struct Box {
  double left = 1e9;
  double right = -1e9;
  double top = 1e9;
  double bottom = -1e9;
};

// Returns the bounds of each cell's polygon, by cell name.
std::map<std::string, Box> CellsOf(const std::string& svg) {
  static const std::regex kPolygon("data-cell=\"([^\"]+)\"[^>]*points=\"([^\"]+)\"");
  std::map<std::string, Box> cells;
  for (std::sregex_iterator it(svg.begin(), svg.end(), kPolygon), end; it != end; ++it) {
    Box box;
    std::istringstream points((*it)[2].str());
    for (std::string point; points >> point;) {
      const double x = std::stod(point.substr(0, point.find(',')));
      const double y = std::stod(point.substr(point.find(',') + 1));
      box.left = std::min(box.left, x);
      box.right = std::max(box.right, x);
      box.top = std::min(box.top, y);
      box.bottom = std::max(box.bottom, y);
    }
    EXPECT_TRUE(cells.emplace((*it)[1].str(), box).second) << (*it)[1];
  }
  return cells;
}

TEST(TriDSvg, EveryCellAndPieceIsDrawnOnceAndInside) {
  for (const Position& position : SomePositions()) {
    const std::string svg = ToSvg(position);
    const std::map<std::string, Box> cells = CellsOf(svg);
    EXPECT_EQ(cells.size(), 64u);
    for (int i = 0; i < kCells; ++i) {
      const std::string name = CellName(position.layout(), Cell::At(i));
      ASSERT_TRUE(cells.contains(name)) << name;
      const bool has_piece = position.piece_at(Cell::At(i)).has_value();
      EXPECT_EQ(svg.find(" on " + name + "</title>") != std::string::npos, has_piece) << name;
    }
    for (const auto& [name, box] : cells) {
      EXPECT_GE(box.left, 0) << name;
      EXPECT_LE(box.right, 860) << name;
      EXPECT_GE(box.top, 0) << name;
      EXPECT_LE(box.bottom, 920) << name;
    }
  }
}

// No two cells have the same middle, or nearly the same, whatever the pins.
TEST(TriDSvg, NoCellHidesAnother) {
  for (int first = 0; first < kPins; first += 4) {
    Position position = *Start(kGame<Position>, "meder");
    std::string text = ToString(position);
    std::string pins;
    for (int board = 0; board < kAttackBoards; ++board) {
      pins += (board == 0 ? "" : ",") + Pin::At(first + board).ToString();
    }
    text = pins + " 4/4/4/2K1|4/4/4/4|4/4/4/2k1|2/2|2/2|2/2|2/2 w - - 0 2";
    const std::map<std::string, Box> cells = CellsOf(ToSvg(*Parse(kGame<Position>, text)));
    for (const auto& [a, box_a] : cells) {
      for (const auto& [b, box_b] : cells) {
        if (a == b) continue;
        const double dx = (box_a.left + box_a.right - box_b.left - box_b.right) / 2;
        const double dy = (box_a.top + box_a.bottom - box_b.top - box_b.bottom) / 2;
        EXPECT_GT(dx * dx + dy * dy, 30 * 30) << a << " " << b;
      }
    }
  }
}

TEST(TriDSvg, ShowsThePendingPromotion) {
  const std::string svg = ToSvg(*Parse(kGame<Position>, kPending));
  EXPECT_THAT(svg, HasSubstr("White to move, first to promote a8B"));
  EXPECT_THAT(svg, HasSubstr("class=\"pending\""));
  EXPECT_THAT(svg, Not(HasSubstr("class=\"ep\"")));
  EXPECT_THAT(svg, HasSubstr("class=\"turn\""));
  EXPECT_THAT(svg, HasSubstr("WQL on QL2"));
  EXPECT_THAT(svg, HasSubstr(">QL1<"));
  EXPECT_TRUE(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
  Position over = *Start(kGame<Position>, "");
  over.Play(*ParseMove(over, "a3W-a5N"));
  EXPECT_THAT(ToSvg(over), HasSubstr("class=\"ep\""));
  over.Resign(Seat::kFirst);
  EXPECT_THAT(ToSvg(over), Not(HasSubstr("class=\"turn\"")));
  EXPECT_THAT(ToSvg(over), HasSubstr("White (out)"));
  EXPECT_THAT(ToSvg(over), HasSubstr("The game is over: resignation, result 0-1"));
}

// Black's king on z9QL6 is mated in the first position and stalemated in the second.
constexpr char kMate[] = "QL4,KL1,QL6,KL6 4/4/4/4|4/4/4/4|4/4/4/R3|2/R1|2/K1|k1/2|2/2 b - - 1 30";
constexpr char kStalemate[] =
    "QL4,QL5,QL6,KL6 4/4/4/4|4/4/4/4|4/4/4/R1B1|2/2|2/2|k1/2|K1/2 b - - 1 30";

TEST(TriDSvg, MarksAnAttackedKingAndShowsTheEnd) {
  const Position check = *Parse(
      kGame<Position>, "QL1,KL1,QL6,KL6 4/4/4/4|4/4/4/4|4/4/4/R3|2/2|2/K1|1k/2|2/2 b - - 1 30");
  EXPECT_THAT(ToSvg(check), HasSubstr("class=\"check\""));
  EXPECT_THAT(ToSvg(check), HasSubstr("Black to move, Black in check"));
  EXPECT_THAT(ToSvg(check), HasSubstr(">red disc: king attacked<"));
  const std::string mate = ToSvg(*Parse(kGame<Position>, kMate));
  EXPECT_THAT(mate, HasSubstr("class=\"check\""));
  EXPECT_THAT(mate, HasSubstr("Black (checkmate)"));
  EXPECT_THAT(mate, HasSubstr("The game is over: checkmate, result 1-0"));
  EXPECT_THAT(mate, HasSubstr(std::string(kMate)));
  const std::string quiet = ToSvg(*Start(kGame<Position>, ""));
  EXPECT_THAT(quiet, Not(HasSubstr("class=\"check\"")));
  EXPECT_THAT(quiet, HasSubstr(">green dot: double step left<"));
}

TEST(TriDBoardPicture, ShowsTheEnd) {
  EXPECT_THAT(*ToBoard(*Parse(kGame<Position>, kMate), kPlain),
              HasSubstr("status      White active, Black checkmate\n"));
  EXPECT_THAT(*ToBoard(*Parse(kGame<Position>, kStalemate), kPlain),
              HasSubstr("status      White active, Black stalemate\n"));
}

TEST(TriDBoardPicture, MatchesTheFileWithoutColor) {
  EXPECT_EQ(*ToBoard(*Start(kGame<Position>, "meder"), kPlain) +
                *ToBoard(*Parse(kGame<Position>, kPending), kPlain),
            ReadFile("board_plain.txt"));
}

// An attack board is drawn next to the others of its level, and a free pin shows its name.
TEST(TriDBoardPicture, AttackBoardsStandAtTheirPins) {
  const std::string text = *ToBoard(*Parse(kGame<Position>, kPending), kPlain);
  EXPECT_LT(text.find("WQL on QL2"), text.find("BKL on KL6"));
  EXPECT_LT(text.find("BKL on KL6"), text.find("WKL on KL3"));
  EXPECT_LT(text.find("WKL on KL3"), text.find("BQL on QL5"));
  for (int i = 0; i < kPins; ++i) {
    const Pin pin = Pin::At(i);
    const bool is_taken = Parse(kGame<Position>, kPending)->layout().is_taken(pin);
    EXPECT_EQ(text.find("(" + pin.ToString() + ")") == std::string::npos, is_taken) << i;
  }
}

TEST(TriDBoardPicture, ColorsAndNames) {
  const Position start = *Start(kGame<Position>, "");
  const std::string colored = *ToBoard(start, {.is_colored = true, .names = ""});
  EXPECT_THAT(colored, HasSubstr("\033["));
  // A chip with the tint of its cell on both sides.
  EXPECT_THAT(colored, HasSubstr("48;5;187m \033[0;1;38;5;16;48;5;231m ♔ \033[0;48;5;187m "));
  EXPECT_THAT(*ToBoard(start, kPlain), Not(HasSubstr("\033[")));
  EXPECT_FALSE(ToBoard(start, {.is_colored = true, .names = "triumvirate"}).ok());
}

TEST(TriDSvg, MarksTheLastMoveAndNamesTheBots) { ExpectSvgMarksTheLastMove<Position>("a3W-a5N"); }

TEST(TriDBoardPicture, MarksTheLastMove) { ExpectBoardMarksTheLastMove<Position>("a3W-a5N"); }

TEST(TriDPictures, MarkMoves) { ExpectPicturesMarkMoves<Position>(); }

TEST(TriDSvg, MarksTheBoardThatMoved) {
  Position position = *Parse(
      kGame<Position>, "QL1,KL1,QL6,KL6 4/4/4/4|4/4/4/4|4/4/4/4|2/R1|2/K1|1k/2|2/2 w - - 1 30");
  const Move move = ParseMove(position, "QL1-QL3").value();
  position.Play(move);
  const std::string svg = ToSvg(position, move);
  size_t marked = 0;
  for (size_t at = svg.find(" last\""); at != std::string::npos; at = svg.find(" last\"", at + 1))
    ++marked;
  EXPECT_EQ(marked, 4u);
}

}  // namespace
}  // namespace triarch::tri_d
