#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "core/base/text.h"
#include "tests/e2e/triarch.h"

// Tri-D chess through the command line: each command once as a user calls it.
namespace triarch {
namespace {

using Arguments = std::vector<std::string>;

Arguments Command(const std::string& name, const Arguments& rest = {}) {
  Arguments arguments = {name, "--game", "tri-d"};
  arguments.insert(arguments.end(), rest.begin(), rest.end());
  return arguments;
}

std::string File(const std::string& name) {
  return (std::filesystem::path(::testing::TempDir()) / name).string();
}

std::string Contents(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

constexpr char kKings[] = "QL1,KL1,QL6,KL6 4/4/4/2K1|4/4/4/4|4/2k1/4/4|2/2|2/2|2/2|2/2 w - - 3 30";

TEST(TriDCli, PerftAndMoves) {
  ExpectPrints(Command("perft", {"3"}), "nodes 64648\n");
  ExpectPrints(Command("perft", {"--start", "meder", "4"}), "nodes 207888\n");
  ExpectPrints(Command("moves", {"--start", "meder", "--from", "a1W"}), "a1W-b3N\na1W-b3W\n");
}

// Boards begin at pins, castling at the king's cell; a board's name stands for its pin.
TEST(TriDCli, MovesFromAPlace) {
  const std::string castling =
      "QL1,KL1,QL6,KL6 4/4/4/4|4/4/4/4|4/4/4/4|2/2|2/KR|1k/2|2/2 w K - 0 9";
  const auto from = [&](const std::string& place) {
    return Command("moves", {"--position", castling, "--from", place});
  };
  ExpectPrints(from("QL1"), "QL1-QL2\nQL1-QL3\n");
  ExpectPrints(from("WQL"), "QL1-QL2\nQL1-QL3\n");
  const std::string king = "0-0\nd0KL1-c1W\nd0KL1-d1KL1\nd0KL1-d1W\nd0KL1-e1KL1\n";
  ExpectPrints(from("d0KL1"), king);
  ExpectPrints(from("d0WKL"), king);
  ExpectPrints(from("QL2"), "");
  ExpectPrints(from("a4QL2"), "");
  ExpectRefuses(from("a9QL2"), 2, "--from: \"a9QL2\" is no cell of the board; as ");
}

// What is no position of the game but one of another is told so.
TEST(TriDCli, OtherGamesPositionsAreKnown) {
  EXPECT_NE(Triarch({"check", kKings}).out.find("; it is a position of Tri-D: --game tri-d\n"),
            std::string::npos);
  ExpectRefuses({"moves", "--position", kKings}, 2, "it is a position of Tri-D: --game tri-d");
}

TEST(TriDCli, TheEndIsTold) {
  const std::string mate = "QL4,KL1,QL6,KL6 4/4/4/4|4/4/4/4|4/4/4/R3|2/R1|2/K1|k1/2|2/2 b - - 1 30";
  ExpectRefuses(Command("play", {"--position", mate, "KL6-KL5"}), 1, "the game is over: checkmate");
  ExpectPrints(Command("moves", {"--position", mate}), "");
}

// What is written reads back.
TEST(TriDCli, CountersStopAtTheirBound) {
  const std::string last =
      "QL1,KL1,QL6,KL6 4/4/4/1K2|4/4/4/4|4/4/4/R1k1|2/2|2/2|2/2|2/2 b - - 1000000000 1000000000";
  const Ran ran = Triarch(Command("play", {"--position", last, "c5B-c6B"}));
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  const std::string after = ran.out.substr(0, ran.out.find('\n'));
  EXPECT_TRUE(after.ends_with(" w - - 1000000000 1000000000")) << ran.out;
  ExpectPrints(Command("check", {after}), "ok\n");
}

// The start of the games without a file, and in place of the file's.
TEST(TriDCli, RunBeginsWhereItIsTold) {
  const std::string tpgn = File("tri_d_start.tpgn");
  const Arguments run = Command("run", {"--bots", "random,greedy", "--games", "2", "--plies-max",
                                        "6", "--tpgn", tpgn, "--start"});
  const auto with = [&](const std::string& start) {
    Arguments arguments = run;
    arguments.push_back(start);
    return arguments;
  };
  ASSERT_EQ(Triarch(with("meder")).exit_code, 0);
  EXPECT_NE(Contents(tpgn).find("[FEN \"QL1,KL1,QL6,KL6 4/4/DDDD/NBBN|"), std::string::npos);
  ASSERT_EQ(Triarch(with("document")).exit_code, 0);
  EXPECT_EQ(Contents(tpgn).find("[FEN "), std::string::npos);
  ExpectRefuses(with("server"), 2, "--start: unknown start \"server\"");
  std::filesystem::remove(tpgn);
}

TEST(TriDCli, MovesInOtherForms) {
  const Arguments knight = {"--start", "meder", "--from", "a1W", "--form"};
  const auto in = [&](const std::string& form) {
    Arguments arguments = Command("moves", knight);
    arguments.push_back(form);
    return arguments;
  };
  ExpectPrints(in("canonical"), "a1W-b3N\na1W-b3W\n");
  ExpectPrints(in("document"), "N@a1W-b3N\nN@a1W-b3W\n");
  ExpectPrints(in("short"), "Nb3N\nNb3W\n");
  ExpectRefuses(in("tpgn"), 2,
                "--form: \"tpgn\" is no form of moves; expected canonical, document or short");
}

TEST(TriDCli, CheckTellsTheFault) {
  std::ifstream file(TRIARCH_TEST_DATA "/tri_d/errors.tsv");
  int rows = 0;
  for (std::string line; std::getline(file, line); ++rows) {
    const auto fields = Split(line, '\t');
    ASSERT_EQ(fields.size(), 4u) << line;
    const Ran ran = Triarch(Command("check", {std::string(fields[2])}));
    EXPECT_EQ(ran.exit_code, 1) << line;
    EXPECT_TRUE(ran.out.starts_with("error " + std::string(fields[0]) + " field " +
                                    std::string(fields[1]) + ": "))
        << line << "\n"
        << ran.out;
  }
  EXPECT_GT(rows, 19);
}

TEST(TriDCli, PlayReadsEveryForm) {
  const Ran canonical = Triarch(Command("play", {"--start", "meder", "a1W-b3N", "a7B-a5N"}));
  EXPECT_EQ(canonical.exit_code, 0) << canonical.err;
  EXPECT_EQ(Triarch(Command("play", {"--start", "meder", "Nb3N", "a5N"})).out, canonical.out);
  EXPECT_EQ(Triarch(Command("play", {"--start", "meder", "N@a1W-b3N", "P@a7B-a5N"})).out,
            canonical.out);
  ExpectRefuses(Command("play", {"--start", "meder", "0-0"}), 1, "White may not castle so now");
}

// Kings alone end a match, but not a list of moves.
TEST(TriDCli, ADeadPositionEndsGamesOnly) {
  EXPECT_NE(Triarch(Command("moves", {"--position", kKings})).out, "");
  const Ran ran = Triarch(Command("play", {"--position", kKings}));
  EXPECT_NE(ran.out.find("result 1/2-1/2 termination insufficient_material placement 1-1"),
            std::string::npos)
      << ran.out;
}

TEST(TriDCli, ShowDrawsTheBoards) {
  const Ran plain = Triarch(Command("show", {"--start", "meder", "--color", "never"}));
  EXPECT_EQ(plain.exit_code, 0) << plain.err;
  EXPECT_NE(plain.out.find("WQL on QL1"), std::string::npos) << plain.out;
  const std::string svg = File("tri_d_show.svg");
  EXPECT_EQ(Triarch(Command("show", {"--svg", svg})).exit_code, 0);
  EXPECT_TRUE(Contents(svg).starts_with("<svg"));
  std::filesystem::remove(svg);
}

// Two seats: colours are exchanged, and the games are replayed from their PGN.
TEST(TriDCli, RunPlaysATournament) {
  const std::string tpgn = File("tri_d_run.tpgn");
  const Ran ran = Triarch(Command("run", {"--bots", "random,greedy,paranoid:depth=2", "--games",
                                          "60", "--seed", "3", "--tpgn", tpgn}));
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const size_t paranoid = ran.out.find("1  paran");
  const size_t greedy = ran.out.find("2  greedy");
  const size_t random = ran.out.find("3  random");
  EXPECT_LT(paranoid, greedy) << ran.out;
  EXPECT_LT(greedy, random) << ran.out;
  EXPECT_NE(random, std::string::npos) << ran.out;
  ExpectPrints({"verify", tpgn}, "60 games verified\n");
  std::filesystem::remove(tpgn);
}

// A promotion that a board move of the opponent forces stands before the move, in the same slot.
TEST(TriDCli, VerifyReadsAPendingPromotion) {
  const std::string game =
      "[White \"a\"]\n[Black \"b\"]\n[Result \"*\"]\n[Variant \"Tri-D\"]\n[SetUp \"1\"]\n"
      "[FEN \"QL1,KL1,QL6,KL6 4/4/4/2K1|4/4/4/4|P3/4/4/2k1|2/2|2/2|2/2|2/2 b - - 3 30\"]\n\n"
      "30... QL6-QL4 31. a8B=R c1W-c2W c5B-c6B *\n";
  ExpectPrints({"verify", "-"}, "1 game verified\n", game);
}

}  // namespace
}  // namespace triarch
