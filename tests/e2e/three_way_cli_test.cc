// Tests each command on Three-Way Chess, with tables from the game author's program.

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/base/text.h"
#include "tests/e2e/triarch.h"

namespace triarch {
namespace {

constexpr char kStart[] =
    "rnbqkbnr/pppppppp/8/8/X/X X/rnbqkbnr/pppppppp/8/8/X X/X/rnbqkbnr/pppppppp/8/8 "
    "W qkqkqk --- 0 1";

std::vector<std::vector<std::string>> Table(const std::string& name) {
  std::vector<std::vector<std::string>> rows;
  std::ifstream file(std::string(TRIARCH_TEST_DATA "/three_way/") + name);
  for (std::string line; std::getline(file, line);) {
    std::vector<std::string>& row = rows.emplace_back();
    for (const std::string_view field : Split(line, '\t')) row.emplace_back(field);
  }
  EXPECT_FALSE(rows.empty()) << name;
  return rows;
}

Arguments ThreeWayCommand(const std::string& name, const Arguments& rest = {}) {
  return GameCommand("three-way", name, rest);
}

TEST(ThreeWayCli, CountsTheReferencePerft) {
  for (const auto& row : Table("perft.tsv")) {
    ASSERT_EQ(row.size(), 5u) << row[0];
    for (size_t depth = 1; depth <= 3; ++depth) {
      ExpectPrints(ThreeWayCommand("perft", {"--position", row[1], std::to_string(depth)}),
                   "nodes " + row[depth + 1] + "\n");
    }
  }
}

TEST(ThreeWayCli, CheckReportsTheFault) {
  ExpectPrints(ThreeWayCommand("check", {kStart}), "ok\n");
  for (const auto& row : Table("errors.tsv")) {
    ASSERT_EQ(row.size(), 4u) << row[0];
    const Ran ran = Triarch(ThreeWayCommand("check", {row[2]}));
    EXPECT_EQ(ran.exit_code, 1) << row[2];
    EXPECT_TRUE(ran.out.starts_with("error " + row[0] + " field " + row[1] + ": ")) << ran.out;
    EXPECT_EQ(std::count(ran.out.begin(), ran.out.end(), '\n'), 1) << ran.out;
  }
}

TEST(ThreeWayCli, PlayReplaysTheReferenceGames) {
  for (const auto& row : Table("games.jsonl")) {
    const nlohmann::json game = nlohmann::json::parse(row[0]);
    Arguments moves;
    for (const auto& move : game["moves"]) moves.push_back(move);
    const Ran ran = Triarch(ThreeWayCommand("play", moves));
    ASSERT_EQ(ran.exit_code, 0) << ran.err;
    const std::string last = game["positions"].back()[1];
    EXPECT_TRUE(ran.out.starts_with(last + "\nresult ")) << ran.out;
  }
}

TEST(ThreeWayCli, PlaysMovesAndResignations) {
  ExpectPrints(ThreeWayCommand("moves", {"--from", "h5"}), "h5-h6\nh5-h7\n");
  ExpectPrints(ThreeWayCommand("play", {"h5-h7", "resign:b", "resign:g"}),
               "rnbqkbnr/pppp1ppp/8/4p3/X/X X/X/X X/X/X W qk---- 5-- 0 2\n"
               "result 1-0-0 termination resignation placement 1-2-3\n");
  ExpectRefuses(ThreeWayCommand("play", {"h5-h8"}), 1,
                "move 1 \"h5-h8\": the pawn on h5 does not reach");
  ExpectRefuses(ThreeWayCommand("moves", {"--from", "a1"}), 2, "a1");
  ExpectRefuses(ThreeWayCommand("moves", {"--start", "server"}), 2, "standard");
  ExpectRefuses({"moves", "--game", "three-ways"}, 2, "three-way");
}

TEST(ThreeWayCli, ShowDrawsTheBoard) {
  const Ran plain = Triarch(ThreeWayCommand("show", {"--color", "never"}));
  EXPECT_EQ(plain.exit_code, 0) << plain.err;
  EXPECT_GT(std::count(plain.out.begin(), plain.out.end(), '\n'), 20);
  const TemporaryFolder folder;
  EXPECT_EQ(Triarch(ThreeWayCommand("show", {"--svg", folder / "board.svg"})).exit_code, 0);
  const std::string svg = ReadWholeFile(folder / "board.svg");
  EXPECT_TRUE(svg.starts_with("<svg")) << svg.substr(0, 80);
  ExpectRefuses(ThreeWayCommand("show", {"--names", "triumvirate"}), 2, "triumvirate");
}

TEST(ThreeWayCli, RunPlaysATournament) {
  const std::string games = ExpectRanking("three-way");
  for (const std::string tag : {"[White \"", "[Gray \"", "[Black \"", "[Variant \"Three-Way\"]"}) {
    EXPECT_NE(games.find("\n" + tag), std::string::npos) << tag;
  }
  // Verify names a move that could not have been played.
  std::string forged = games;
  const size_t movetext = forged.find("\n1. ") + 4;
  forged.replace(movetext, forged.find(' ', movetext) - movetext, "h4-h9");
  const Ran refused = Triarch({"verify", "-"}, forged);
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_NE(refused.out.find("h9"), std::string::npos) << refused.out << refused.err;
}

// Other programs write captures with a dash, castling as O-O, and lower case.
TEST(ThreeWayCli, VerifyReadsGamesOfOtherPrograms) {
  const std::string game =
      "[White \"a\"]\n[Gray \"b\"]\n[Black \"c\"]\n[Result \"*\"]\n[Variant \"Three-Way\"]\n"
      "[SetUp \"1\"]\n"
      "[FEN \"r3k2r/8/pppp4/8/X/X X/r3k2r/8/pppp4/8/X X/X/r3k2r/8/pppp4/8 W qkqkqk --- 0 1\"]\n\n"
      "1. O-O o-o-o d11-b11 *\n";
  ExpectPrints({"verify", "-"}, "1 game verified\n", game);
}

TEST(ThreeWayCli, BenchMeasuresPerft) {
  const Ran ran = Triarch({"bench", "three-way/perft/middle1", "--json"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_NE(ran.out.find("three-way/perft/middle1"), std::string::npos) << ran.out;
}

}  // namespace
}  // namespace triarch
