// Tests each command on Tri-D chess.

#include <fstream>
#include <string>
#include <vector>

#include "core/base/text.h"
#include "tests/e2e/triarch.h"

namespace triarch {
namespace {

Arguments TriDCommand(const std::string& name, const Arguments& rest = {}) {
  return GameCommand("tri-d", name, rest);
}

constexpr char kKings[] = "QL1,KL1,QL6,KL6 4/4/4/2K1|4/4/4/4|4/2k1/4/4|2/2|2/2|2/2|2/2 w - - 3 30";

TEST(TriDCli, CountsPerftAndListsMoves) {
  ExpectPrints(TriDCommand("perft", {"3"}), "nodes 64648\n");
  ExpectPrints(TriDCommand("perft", {"--start", "meder", "4"}), "nodes 207888\n");
  ExpectPrints(TriDCommand("moves", {"--start", "meder", "--from", "a1W"}), "a1W-b3N\na1W-b3W\n");
}

// A board's move begins on its pin or under its name, castling on the king's cell.
TEST(TriDCli, ListsMovesFromACell) {
  const std::string castling =
      "QL1,KL1,QL6,KL6 4/4/4/4|4/4/4/4|4/4/4/4|2/2|2/KR|1k/2|2/2 w K - 0 9";
  const auto from = [&](const std::string& cell) {
    return TriDCommand("moves", {"--position", castling, "--from", cell});
  };
  ExpectPrints(from("QL1"), "QL1-QL2\nQL1-QL3\n");
  ExpectPrints(from("WQL"), "QL1-QL2\nQL1-QL3\n");
  const std::string king = "0-0\nd0KL1-c1W\nd0KL1-d1KL1\nd0KL1-d1W\nd0KL1-e1KL1\n";
  ExpectPrints(from("d0KL1"), king);
  ExpectPrints(from("d0WKL"), king);
  ExpectPrints(from("QL2"), "");
  ExpectPrints(from("a4QL2"), "");
  ExpectRefuses(from("a9QL2"), 2, "--from: expected a cell of the board such as ");
}

TEST(TriDCli, RecognizesPositionsOfOtherGames) {
  EXPECT_NE(Triarch({"check", kKings}).out.find("; it is a position of Tri-D: --game tri-d\n"),
            std::string::npos);
  ExpectRefuses({"moves", "--position", kKings}, 2, "it is a position of Tri-D: --game tri-d");
}

TEST(TriDCli, PlaysNoMoveAfterTheEnd) {
  const std::string mate = "QL4,KL1,QL6,KL6 4/4/4/4|4/4/4/4|4/4/4/R3|2/R1|2/K1|k1/2|2/2 b - - 1 30";
  ExpectRefuses(TriDCommand("play", {"--position", mate, "KL6-KL5"}), 1,
                "the game is over: checkmate");
  ExpectPrints(TriDCommand("moves", {"--position", mate}), "");
}

TEST(TriDCli, CountersStopAtTheirLimit) {
  const std::string last =
      "QL1,KL1,QL6,KL6 4/4/4/1K2|4/4/4/4|4/4/4/R1k1|2/2|2/2|2/2|2/2 b - - 1000000000 1000000000";
  const Ran ran = Triarch(TriDCommand("play", {"--position", last, "c5B-c6B"}));
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  const std::string after = ran.out.substr(0, ran.out.find('\n'));
  EXPECT_TRUE(after.ends_with(" w - - 1000000000 1000000000")) << ran.out;
  ExpectPrints(TriDCommand("check", {after}), "ok\n");
}

TEST(TriDCli, RunStartsFromTheGivenPosition) {
  const TemporaryFolder folder;
  const std::string tpgn = folder / "games.tpgn";
  const Arguments run = TriDCommand("run", {"--bots", "random,greedy", "--games", "2",
                                            "--plies-max", "6", "--tpgn", tpgn, "--start"});
  const auto with = [&](const std::string& start) {
    Arguments arguments = run;
    arguments.push_back(start);
    return arguments;
  };
  ASSERT_EQ(Triarch(with("meder")).exit_code, 0);
  EXPECT_NE(ReadWholeFile(tpgn).find("[FEN \"QL1,KL1,QL6,KL6 4/4/DDDD/NBBN|"), std::string::npos);
  ASSERT_EQ(Triarch(with("document")).exit_code, 0);
  EXPECT_EQ(ReadWholeFile(tpgn).find("[FEN "), std::string::npos);
  ExpectRefuses(with("server"), 2, "--start is \"server\"; expected one of document, meder");
}

TEST(TriDCli, ListsMovesInOtherForms) {
  const Arguments knight = {"--start", "meder", "--from", "a1W", "--form"};
  const auto in = [&](const std::string& form) {
    Arguments arguments = TriDCommand("moves", knight);
    arguments.push_back(form);
    return arguments;
  };
  ExpectPrints(in("canonical"), "a1W-b3N\na1W-b3W\n");
  ExpectPrints(in("document"), "N@a1W-b3N\nN@a1W-b3W\n");
  ExpectPrints(in("short"), "Nb3N\nNb3W\n");
  ExpectRefuses(in("tpgn"), 2, "--form: expected canonical, document or short, not \"tpgn\"");
}

TEST(TriDCli, CheckReportsTheFault) {
  std::ifstream file(TRIARCH_TEST_DATA "/tri_d/errors.tsv");
  int rows = 0;
  for (std::string line; std::getline(file, line); ++rows) {
    const auto fields = Split(line, '\t');
    ASSERT_EQ(fields.size(), 4u) << line;
    const Ran ran = Triarch(TriDCommand("check", {std::string(fields[2])}));
    EXPECT_EQ(ran.exit_code, 1) << line;
    EXPECT_TRUE(ran.out.starts_with("error " + std::string(fields[0]) + " field " +
                                    std::string(fields[1]) + ": "))
        << line << "\n"
        << ran.out;
  }
  EXPECT_GT(rows, 19);
}

TEST(TriDCli, PlayReadsEveryForm) {
  const Ran canonical = Triarch(TriDCommand("play", {"--start", "meder", "a1W-b3N", "a7B-a5N"}));
  EXPECT_EQ(canonical.exit_code, 0) << canonical.err;
  EXPECT_EQ(Triarch(TriDCommand("play", {"--start", "meder", "Nb3N", "a5N"})).out, canonical.out);
  EXPECT_EQ(Triarch(TriDCommand("play", {"--start", "meder", "N@a1W-b3N", "P@a7B-a5N"})).out,
            canonical.out);
  ExpectRefuses(TriDCommand("play", {"--start", "meder", "0-0"}), 1,
                "White cannot castle that way now");
}

// Two bare kings end a game, but moves are still listed.
TEST(TriDCli, PlayEndsADeadPosition) {
  EXPECT_NE(Triarch(TriDCommand("moves", {"--position", kKings})).out, "");
  const Ran ran = Triarch(TriDCommand("play", {"--position", kKings}));
  EXPECT_NE(ran.out.find("result 1/2-1/2 termination insufficient_material placement 1-1"),
            std::string::npos)
      << ran.out;
}

TEST(TriDCli, ShowDrawsTheBoards) {
  const Ran plain = Triarch(TriDCommand("show", {"--start", "meder", "--color", "never"}));
  EXPECT_EQ(plain.exit_code, 0) << plain.err;
  EXPECT_NE(plain.out.find("WQL on QL1"), std::string::npos) << plain.out;
  const TemporaryFolder folder;
  EXPECT_EQ(Triarch(TriDCommand("show", {"--svg", folder / "board.svg"})).exit_code, 0);
  EXPECT_TRUE(ReadWholeFile(folder / "board.svg").starts_with("<svg"));
}

TEST(TriDCli, RunPlaysATournament) { ExpectRanking("tri-d"); }

// If a board move of the opponent forces a promotion, the promotion comes before the move.
TEST(TriDCli, VerifyReadsAPendingPromotion) {
  const std::string game =
      "[White \"a\"]\n[Black \"b\"]\n[Result \"*\"]\n[Variant \"Tri-D\"]\n[SetUp \"1\"]\n"
      "[FEN \"QL1,KL1,QL6,KL6 4/4/4/2K1|4/4/4/4|P3/4/4/2k1|2/2|2/2|2/2|2/2 b - - 3 30\"]\n\n"
      "30... QL6-QL4 31. a8B=R c1W-c2W c5B-c6B *\n";
  ExpectPrints({"verify", "-"}, "1 game verified\n", game);
}

}  // namespace
}  // namespace triarch
