#include "core/triumvirate/picture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "core/game/picture_contract.h"
#include "core/triumvirate/hexagon.h"
#include "core/triumvirate/position.h"
#include "core/triumvirate/text.h"
#include "core/triumvirate/v4_notation.h"

namespace triarch::triumvirate {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const BoardStyle kPlain = {.is_colored = false, .names = ""};

Position Parsed(std::string_view text) {
  const absl::StatusOr<Position> position = Parse(kGame<Position>, text);
  EXPECT_TRUE(position.ok()) << position.status() << "\n" << text;
  return position.value_or(Position());
}

// White is out. Black has inherited a queen and a pawn, Red a rook.
Position WithHeirs() {
  return Parsed("wP>bE9,wQ>bH4,wR>rL12,bKC7,rKJ10,bNL8 b w-.b-.r- - xaa 7 69");
}

std::string ReadFile(const std::string& name) {
  std::ifstream file(TRIARCH_TEST_DATA "/triumvirate/" + name);
  EXPECT_TRUE(file) << name;
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// Returns the corners of each cell as written in the SVG.
std::map<std::string, std::vector<std::string>> Polygons(const std::string& svg) {
  static const std::regex kPolygon("<polygon data-cell=\"([A-L][0-9]+)\"[^>]* points=\"([^\"]*)\"");
  std::map<std::string, std::vector<std::string>> polygons;
  for (std::sregex_iterator it(svg.begin(), svg.end(), kPolygon), end; it != end; ++it) {
    const std::string points = (*it)[2];
    for (const std::string_view point : Split(points, ' ')) {
      polygons[(*it)[1]].emplace_back(point);
    }
  }
  return polygons;
}

// Returns the pairs of cells that share an edge, i.e. two identically written corners.
std::set<std::pair<std::string, std::string>> Edges(const std::string& svg) {
  std::set<std::pair<std::string, std::string>> edges;
  const auto polygons = Polygons(svg);
  for (const auto& [a, corners] : polygons) {
    const std::set<std::string> of_a(corners.begin(), corners.end());
    for (const auto& [b, others] : polygons) {
      const auto shared = std::count_if(others.begin(), others.end(),
                                        [&](const auto& corner) { return of_a.contains(corner); });
      if (a < b && shared == 2) edges.emplace(a, b);
    }
  }
  return edges;
}

// Returns the orthogonal neighbours by the rules: along rows, along columns and over the fronts.
std::set<std::pair<std::string, std::string>> OrthogonalNeighbors() {
  std::set<std::pair<std::string, std::string>> edges;
  const auto add = [&](Cell a, Cell b) { edges.insert(std::minmax(a.ToString(), b.ToString())); };
  for (const Cell cell : kAllCells) {
    const Seat sector = cell.sector();
    if (cell.column() < 7) add(cell, Cell::At(sector, cell.column() + 1, cell.row()));
    add(cell, cell.row() < 3 ? Cell::At(sector, cell.column(), cell.row() + 1)
                             : Cell::At(cell.bridge_neighbor(), 7 - cell.column(), 3));
  }
  return edges;
}

TEST(Svg, HasTheCellsAndTheirNeighbors) {
  const std::string svg = ToSvg(Start(kGame<Position>, "").value());
  EXPECT_EQ(Polygons(svg).size(), 96u);
  const auto edges = Edges(svg);
  EXPECT_EQ(edges.size(), 168u);
  EXPECT_EQ(edges, OrthogonalNeighbors());
}

TEST(Svg, TheRosetteMeetsAtTheCentre) {
  std::set<std::string> around;
  for (const auto& [cell, corners] : Polygons(ToSvg(Start(kGame<Position>, "").value()))) {
    if (std::count(corners.begin(), corners.end(), "500.00,440.00") == 1) around.insert(cell);
  }
  EXPECT_EQ(around, (std::set<std::string>{"D4", "D5", "E4", "E9", "I5", "I9"}));
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
  const auto count = [&](char c) {
    return static_cast<size_t>(std::count(xml.begin(), xml.end(), c));
  };
  return open.empty() && count('<') == tags && count('>') == tags;
}

TEST(Svg, IsWellFormed) {
  for (const Position& position : {Start(kGame<Position>, "server").value(), WithHeirs()}) {
    const std::string svg = ToSvg(position);
    EXPECT_TRUE(IsWellFormed(svg));
    EXPECT_TRUE(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
  }
  EXPECT_FALSE(IsWellFormed("<g><path></g></path>"));
}

TEST(Svg, NamesTheCellsOnRequest) {
  const Position start = Start(kGame<Position>, "").value();
  const auto count = [](const std::string& svg) {
    static const std::regex kName("<text class=\"cell\"[^>]*>[A-L][0-9]+<");
    return std::distance(std::sregex_iterator(svg.begin(), svg.end(), kName), {});
  };
  EXPECT_EQ(count(ToSvg(start)), 0);
  const std::string svg = ToSvg(start, std::nullopt, {.has_cell_names = true});
  EXPECT_EQ(count(svg), 96);
  EXPECT_TRUE(IsWellFormed(svg));
}

TEST(Svg, ShowsTriumvirateV4Names) {
  const Position start = Start(kGame<Position>, "").value();
  for (const V4Table table : {V4Table::kPublished, V4Table::kClient}) {
    const std::string svg = ToSvg(
        start, {}, {.names = table == V4Table::kPublished ? "triumvirate" : "triumvirate-client"});
    for (const Cell cell : kAllCells) {
      EXPECT_THAT(svg, HasSubstr(">" + ToV4(cell, table) + "</text>"));
    }
    EXPECT_THAT(svg, HasSubstr("white Private on " + ToV4(*Cell::Parse("A2"), table) + "</title>"));
    EXPECT_THAT(svg, Not(HasSubstr("on A2</title>")));
    EXPECT_TRUE(IsWellFormed(svg));
  }
}

TEST(Svg, ShowsPiecesHeirsAndMarks) {
  const std::string svg = ToSvg(WithHeirs());
  EXPECT_THAT(svg, HasSubstr("<title>white queen of Black on H4</title><circle class=\"edge\""));
  EXPECT_THAT(svg, HasSubstr("<circle class=\"ring b\""));
  EXPECT_THAT(svg, HasSubstr(">disc behind a piece: the colour of its new owner<"));
  EXPECT_THAT(svg, HasSubstr("<title>black king on C7</title><g"));
  EXPECT_THAT(svg, HasSubstr("White (out)"));
  EXPECT_THAT(svg, HasSubstr("Black to move · move 69, clock 7"));
  EXPECT_THAT(svg, HasSubstr("wP&gt;bE9"));
  EXPECT_THAT(svg, Not(HasSubstr("class=\"ep\"")));
  const Position en_passant = Parsed("wKE1,wPB4,bPA4,bKI8,rKI12 b w-.b-.r- B3 aaa 0 7");
  EXPECT_THAT(ToSvg(en_passant), HasSubstr("class=\"ep\""));
  const Position over = Parsed("wKE1,bKI8,rKI12 w w-.b-.r- - aaa 0 7");
  EXPECT_THAT(ToSvg(over), HasSubstr("The game is over: insufficient_material, result 1/2-1/2-1"));
  EXPECT_THAT(ToSvg(over), Not(HasSubstr("class=\"turn\"")));
  EXPECT_THAT(ToBoard(over, kPlain).value(), HasSubstr("to move     none: the game is over"));
}

TEST(Hexagon, TurnsWithTheSectors) {
  EXPECT_NEAR(CellCenter(*Cell::Parse("A1")).x, -CellCenter(*Cell::Parse("H1")).x, 1e-12);
  for (const Cell cell : kAllCells) {
    const Point point = CellCenter(cell);
    const Point turned = CellCenter(cell.Rotated());
    EXPECT_NEAR(turned.x, -point.x / 2 - kHexagonHeight * point.y, 1e-12);
    EXPECT_NEAR(turned.y, kHexagonHeight * point.x - point.y / 2, 1e-12);
  }
}

TEST(Board, DrawsTheStartWithoutColor) {
  EXPECT_EQ(ToBoard(Start(kGame<Position>, "").value(), kPlain).value(),
            ReadFile("board_plain.txt"));
}

// No mark hides another.
TEST(Board, ShowsEveryCell) {
  const std::string empty =
      ToBoard(Parsed("wKE1,wRA1,bKI8,rKI12 w w-.b-.r- - aaa 0 1"), kPlain).value();
  const std::string board = empty.substr(0, empty.find("to move     "));
  const auto marks =
      std::count(board.begin(), board.end(), '.') + std::count(board.begin(), board.end(), ':');
  EXPECT_EQ(marks, 96 - 4);
}

TEST(Board, FitsIntoAHundredColumns) {
  const std::string text =
      ToBoard(WithHeirs(), {.is_colored = false, .names = "triumvirate"}).value();
  const std::vector<std::string_view> lines = Split(text, '\n');
  EXPECT_LE(lines.size(), 65u);
  for (const std::string_view line : lines) {
    EXPECT_LE(line.size(), 100u) << line;
    EXPECT_FALSE(line.ends_with(' ')) << line;
  }
}

TEST(Board, ShowsOwnersTheEnPassantCellAndTheRest) {
  const std::string heirs = ToBoard(WithHeirs(), kPlain).value();
  EXPECT_THAT(heirs, HasSubstr("wQ>b"));
  EXPECT_THAT(heirs, HasSubstr("wR>r"));
  EXPECT_THAT(heirs, HasSubstr("White (out)"));
  EXPECT_THAT(heirs, HasSubstr("status      White out, Black active, Red active\n"));
  EXPECT_THAT(heirs, HasSubstr("clock       7\nmove        69\n"));
  EXPECT_TRUE(heirs.ends_with("\n" + ToString(WithHeirs()) + "\n"));
  const std::string en_passant =
      ToBoard(Parsed("wKE1,wPB4,bPA4,bKI8,bRL8,rKI12 b w-.bK.r- B3 aaa 0 7"), kPlain).value();
  EXPECT_THAT(en_passant, HasSubstr("en passant  B3\n"));
  EXPECT_THAT(en_passant, HasSubstr("castling    White -, Black K, Red -\n"));
  EXPECT_THAT(en_passant, HasSubstr(" x "));
  EXPECT_THAT(en_passant, Not(HasSubstr("\033")));
}

TEST(Board, IsColored) {
  const std::string text = ToBoard(WithHeirs(), {}).value();
  EXPECT_THAT(text, HasSubstr("♕\033[0;1;38;5;231;48;5;16mb"));  // White's queen, now Black's
  EXPECT_THAT(text, HasSubstr("♔"));
  EXPECT_THAT(text, HasSubstr("▀"));
}

TEST(Board, ShowsTriumvirateV4Names) {
  const Position start = Start(kGame<Position>, "").value();
  const std::string text = ToBoard(start, {.is_colored = false, .names = "triumvirate"}).value();
  EXPECT_THAT(text, HasSubstr("wT   wN    wD   wM   wL   wD    wN   wT"));
  EXPECT_THAT(text, HasSubstr("     4  W0/B0.0 W0/B0.1 W0/B0.2 C/W.B   C/W.R   W0/R0.2"));
  const std::string client =
      ToBoard(start, {.is_colored = false, .names = "triumvirate-client"}).value();
  EXPECT_THAT(client, HasSubstr("(client table)"));
  EXPECT_THAT(client, HasSubstr(ToV4(Cell::Parse("A1").value(), V4Table::kClient)));
  const absl::StatusOr<std::string> other =
      ToBoard(start, {.is_colored = false, .names = "klingon"});
  EXPECT_EQ(other.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(other.status().message(), HasSubstr("\"klingon\"; expected triumvirate"));
}

TEST(Svg, MarksTheLastMoveAndNamesTheBots) { ExpectSvgMarksTheLastMove<Position>("E2-E4"); }

TEST(Board, MarksTheLastMove) { ExpectBoardMarksTheLastMove<Position>("E2-E4"); }

TEST(Pictures, MarkMoves) { ExpectPicturesMarkMoves<Position>(); }

}  // namespace
}  // namespace triarch::triumvirate
