// Tests the commands that apply the rules: their output, errors and exit codes.

#include <sys/stat.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/e2e/triarch.h"

namespace triarch {
namespace {

using Json = nlohmann::json;

const std::string kDocument(kDocumentStart);
const std::string kServer(kServerStart);

// Returns `text` with one part replaced.
std::string With(std::string text, std::string_view old_part, std::string_view new_part) {
  const size_t at = text.find(old_part);
  EXPECT_NE(at, std::string::npos) << old_part;
  return text.replace(at, old_part.size(), new_part);
}

std::string AfterE4() {
  return With(With(kDocument, "wPE2", "wPE4"), " w wKQ.bKQ.rKQ - ", " b wKQ.bKQ.rKQ E3 ");
}

TEST(CliHelp, EveryCommandHasAnExample) {
  const Ran all = Triarch({"--help"});
  EXPECT_EQ(all.exit_code, 0);
  EXPECT_EQ(all.err, "");
  for (const std::string command :
       {"moves", "play",   "perft",   "check", "verify",    "notation",   "show",
        "run",   "test",   "best-of", "tune",  "standings", "ratings",    "games",
        "view",  "replay", "data",    "bench", "openings",  "completion", "man"}) {
    EXPECT_NE(all.out.find("\n  " + command + " "), std::string::npos) << command;
    const Ran one = Triarch({command, "--help"});
    EXPECT_EQ(one.exit_code, 0) << command;
    EXPECT_NE(one.out.find("\n  triarch " + command), std::string::npos)
        << "no example: " << command;
  }
}

TEST(CliHelp, ListsNotationsAndStarts) {
  for (const std::string command : {"moves", "play", "perft", "show"}) {
    const std::string help = Triarch({command, "--help"}).out;
    EXPECT_NE(help.find("triumvirate: 3PF"), std::string::npos) << help;
    EXPECT_NE(help.find("triumvirate: document, server"), std::string::npos) << help;
  }
  EXPECT_NE(Triarch({"check", "--help"}).out.find("triumvirate: 3PF"), std::string::npos);
}

TEST(CliHelp, PrintsTheVersion) {
  const Ran ran = Triarch({"--version"});
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_TRUE(ran.out.starts_with("triarch ")) << ran.out;
  for (const std::string part :
       {"\ncommit     ", "\nbuild      ", "\nidentity   ", "gRPC 1.", "SQLite 3.", "libpq ",
        "\ntorch      ", "\nweb page   ", "\nsandbox    "}) {
    EXPECT_NE(ran.out.find(part), std::string::npos) << part << ran.out;
  }
}

TEST(CliUsage, ExitsWithTwoAndOneLine) {
  const std::vector<std::pair<Arguments, std::string>> cases = {
      {{}, "expected a command"},
      {{"fly"}, "\"fly\""},
      {{"--fly"}, "\"--fly\""},
      {{"fly\nhigh"}, "fly"},
      {{"fly", "moves", "extra"}, "unknown command or option: \"fly\""},
      {{"bots", "fly", "check", "x"}, "bots: unexpected argument \"fly\""},
      {{"moves", "--fly"}, "unexpected argument \"--fly\""},
      {{"moves", "extra"}, "unexpected argument \"extra\""},
      {{"bots", "show"}, "(see triarch bots show --help)"},
      {{"bots", "show", "--fly"}, "(see triarch bots show --help)"},
      {{"best-of", "greedy"}, "VARIANT is required"},
      {{"best-of", "greedy,smart", "random"}, "BASE is \"greedy,smart\"; expected one bot"},
      {{"best-of", "greedy", "random", "greedy"}, "two bots are named greedy"},
      {{"best-of", "greedy", "random", "--elo", "5,0"}, "two ascending numbers"},
      {{"best-of", "greedy", "random", "--random-plies", "0"}, "best-of needs different openings"},
      {{"moves", "--position"}, "--position: expected a value"},
      {{"moves", "--position", ""}, "--position: EMPTY"},
      {{"moves", "--position", "nonsense"}, "--position: FIELD_COUNT"},
      {{"moves", "--position", "{"}, "--position: "},
      {{"moves", "--position", "{\"pieces\": 7}"}, "--position: "},
      {{"moves", "--position", kDocument, "--position", kDocument}, "--position"},
      {{"moves", "--position", kDocument, "--start", "server"}, "exclude"},
      {{"moves", "--start", "client"}, "--start: "},
      {{"moves", "--start", ""}, "--start: "},
      {{"moves", "--game", "chess"}, "--game: unknown game \"chess\""},
      {{"moves", "--game", ""}, "--game: "},
      {{"moves", "--from", "A5", "--from", "A6"}, "--from: given twice"},
      {{"moves", "--from", "E5"}, "--from: expected a cell of the board such as "},
      {{"moves", "--from", "e2"}, "B1, not \"e2\""},
      {{"moves", "--from", ""}, "--from: "},
      {{"moves", "--form", "short"}, "--form: expected canonical or tpgn, not \"short\""},
      {{"moves", "--form", "tpgn", "--json"}, "--json"},
      {{"perft"}, "DEPTH"},
      {{"perft", "two"}, "DEPTH: expected a whole number from 0 to 99, not \"two\""},
      {{"perft", "-1"}, "DEPTH"},
      {{"perft", "100"}, "DEPTH"},
      {{"perft", "1", "2"}, "2"},
      {{"perft", "1", "--start", "client"}, "--start"},
      {{"play", "--game", "chess", "E2-E4"}, "--game"},
      {{"play", "--position", "x", "E2-E4"}, "--position"},
      {{"check"}, "POSITION"},
      {{"check", "--game", "chess", kDocument}, "--game"},
      {{"verify"}, "FILE"},
      {{"notation"}, "CELL"},
      {{"notation", "E5"}, "\"E5\""},
      {{"notation", "--table", "secret", "E2"},
       "--table: expected published or client, not \"secret\""},
      {{"show", "--color", "maybe"}, "--color: expected auto, always or never"},
      {{"show", "--names", "klingon"}, "--names"},
      {{"show", "--svg", ""}, "--svg: expected the name of a file"},
      {{"run", "--bots", "random,greedy,smart", "--data", ""},
       "--data is \"\"; expected a folder or s3:"},
      {{"games"}, "--db"},
      {{"games", "1", "--coordinator", "x:1", "--token-file", "/no/file"}, "--token-file: cannot"},
      {{"work", "--coordinator", "x:1", "--name", ""}, "--name: expected a name"},
      {{"work", "--coordinator", "x:1", "--spill", "/dev/null/x"}, "--spill: /dev/null is not a"},
      {{"standings"}, "--db"},
      {{"games", "first", "--db", "x.db"}, "ID: expected the number of a tournament"},
      {{"games", "--bott", "crash"}, "unexpected argument \"--bott\"; did you mean --bot?"},
      {{"view", "--plyy", "x"}, "unexpected argument \"--plyy\"; did you mean --ply?"},
      {{"replay", "--withh", "./bot.py"}, "did you mean --with?"},
      {{"analyze", "--offf", "mine"}, "did you mean --of?"},
      {{"games", "crash.db"}, "\"crash.db\"; did you mean --db crash.db?"},
      {{"standings", "my/crash"}, "did you mean --db my/crash?"},
      {{"view", "crash.db"}, "did you mean --db crash.db?"},
      {{"replay", "1.tpgn"}, "did you mean --tpgn-in 1.tpgn?"},
      {{"help", "fly"}, "unknown command or option: \"fly\""},
      {{"standings", "0", "--db", "x.db"}, "ID"},
  };
  for (const auto& [arguments, what] : cases) ExpectRefuses(arguments, 2, what);
}

TEST(CliFailure, ExitsWithOneAndOneLine) {
  const std::vector<std::pair<Arguments, std::string>> cases = {
      {{"verify", "/no/such/file.tpgn"}, "/no/such/file.tpgn"},
      {{"verify", "/"}, "cannot read"},
      {{"show", "--svg", "/no/such/folder/board.svg"}, "/no/such/folder/board.svg"},
      {{"games", "--db", "/no/such/file.db"}, "/no/such/file.db"},
      {{"standings", "--db", "/no/such/file.db"}, "/no/such/file.db"},
  };
  for (const auto& [arguments, what] : cases) ExpectRefuses(arguments, 1, what);
}

TEST(CliMoves, ListsSortedMoves) {
  ExpectPrints(
      {"moves"},
      "A2-A3\nA2-A4\nB1-A3\nB1-C3\nB2-B3\nB2-B4\nC2-C3\nC2-C4\nD2-D3\nD2-D4\nE2-E3\nE2-E4\n"
      "F2-F3\nF2-F4\nG1-F3\nG1-H3\nG2-G3\nG2-G4\nH2-H3\nH2-H4\n");
  ExpectPrints({"moves", "--game", "triumvirate", "--from", "E2"}, "E2-E3\nE2-E4\n");
  ExpectPrints({"moves", "--from", "D4"}, "");
  ExpectPrints({"moves", "--from", "E2", "--form", "canonical"}, "E2-E3\nE2-E4\n");
  ExpectPrints({"moves", "--from=B8", "--position", AfterE4()}, "B8-A6\nB8-C6\n");
}

TEST(CliMoves, ListsPromotionsAndCastling) {
  ExpectPrints({"moves", "--from", "A7", "--position", "wKE1,wPA7,bKI8,rKI12 w w-.b-.r- - aaa 0 1"},
               "A7-A8=B\nA7-A8=N\nA7-A8=Q\nA7-A8=R\n");
  const Ran castling = Triarch(
      {"moves", "--from", "E1", "--position", "wRA1,wKE1,wRH1,bKI8,rKI12 w wKQ.b-.r- - aaa 0 1"});
  EXPECT_NE(castling.out.find("E1-C1\n"), std::string::npos) << castling.out;
  EXPECT_NE(castling.out.find("E1-G1\n"), std::string::npos) << castling.out;
}

TEST(CliMoves, ListsMovesDespiteAClaimableDraw) {
  const Ran ran = Triarch({"moves", "--position", "wRA2,wKE1,bKI8,rKI12 w w-.b-.r- - aaa 300 90"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_NE(ran.out, "");
}

TEST(CliMoves, PrintsJsonInTheSameOrder) {
  const Ran ran = Triarch({"moves", "--json"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  Json moves = Json::parse(ran.out);
  ASSERT_EQ(moves.size(), 20u);
  EXPECT_EQ(moves[0], Json::parse(R"({"from":"A2","to":"A3","type":"normal","player":"white",
                                      "captured":null,"promotion":null})"));
  EXPECT_EQ(moves[19]["to"], "H4");
  EXPECT_EQ(Json::parse(Triarch({"moves", "--from", "D4", "--json"}).out), Json::array());
}

TEST(CliPlay, PrintsThePosition) {
  ExpectPrints({"play"}, kDocument + "\n");
  ExpectPrints({"play", "--start", "server"}, kServer + "\n");
  ExpectPrints({"play", "--start", "document"}, kDocument + "\n");
  ExpectPrints({"play", "E2-E4"}, AfterE4() + "\n");
  ExpectPrints({"play", "--position", AfterE4()}, AfterE4() + "\n");
}

TEST(CliPlay, PrintsPositionJsonThatReadsBack) {
  const Ran ran = Triarch({"play", "--json", "E2-E4"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  Json position = Json::parse(ran.out);
  EXPECT_EQ(position["active_player"], "black");
  EXPECT_EQ(position["en_passant"], "E3");
  EXPECT_FALSE(position.contains("result"));
  ExpectPrints({"play", "--position", ran.out}, AfterE4() + "\n");
  ExpectPrints({"check", ran.out}, "ok\n");
  ExpectPrints({"check", "-"}, "ok\n", ran.out);
}

TEST(CliPlay, SaysHowTheGameEnded) {
  const Ran two = Triarch({"play", "E2-E4", "resign:r"});
  EXPECT_EQ(two.exit_code, 0);
  EXPECT_NE(two.out.find(" b wKQ.bKQ.r- E3 aax 0 1\n"), std::string::npos) << two.out;
  EXPECT_EQ(two.out.find("result"), std::string::npos) << two.out;
  const Ran one = Triarch({"play", "E2-E4", "resign:r", "resign:b"});
  EXPECT_NE(one.out.find("\nresult 1-0-0 termination resignation placement 1-2-3\n"),
            std::string::npos)
      << one.out;
  Json json = Json::parse(Triarch({"play", "--json", "resign:w", "resign:b"}).out);
  EXPECT_EQ(json["result"], "0-0-1");
  EXPECT_EQ(json["termination"], "resignation");
  EXPECT_EQ(json["placement"], "3-2-1");
}

TEST(CliPlay, ClaimsDrawsAutomatically) {
  Arguments arguments = {"play"};
  for (int i = 0; i < 2; ++i) {
    arguments.insert(arguments.end(), {"B1-C3", "B8-C6", "G12-F10", "C3-B1", "C6-B8", "F10-G12"});
  }
  const Ran ran = Triarch(arguments);
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_NE(ran.out.find("\nresult 1/2-1/2-1/2 termination threefold_repetition placement 1-1-1\n"),
            std::string::npos)
      << ran.out;
  arguments.push_back("B1-C3");
  ExpectRefuses(arguments, 1, "move 13 \"B1-C3\": the game is over");
}

TEST(CliPlay, LeavesDrawsToThePlayers) {
  Arguments arguments = {"play", "--draws", "claimed"};
  for (int i = 0; i < 2; ++i) {
    arguments.insert(arguments.end(), {"B1-C3", "B8-C6", "G12-F10", "C3-B1", "C6-B8", "F10-G12"});
  }
  EXPECT_EQ(Triarch(arguments).out.find("result"), std::string::npos);
  arguments.push_back("claim:b");
  ExpectRefuses(arguments, 1, "move 13 \"claim:b\": it is White's turn");
  arguments.back() = "claim:w";
  const Ran ran = Triarch(arguments);
  EXPECT_NE(ran.out.find("\nresult 1/2-1/2-1/2 termination threefold_repetition placement 1-1-1\n"),
            std::string::npos)
      << ran.out << ran.err;
  ExpectRefuses({"play", "--draws", "claimed", "claim:w"}, 1, "there is no draw to claim");
  ExpectRefuses({"play", "--draws", "never"}, 2, "--draws");
}

TEST(CliPlay, TakesTheJsonOfMoves) {
  const std::string list = Triarch({"moves", "--from", "E2", "--json"}).out;
  const Json moves = Json::parse(list);
  ASSERT_EQ(moves.size(), 2u);
  const std::string expected = Triarch({"play", "E2-E4", "D7-D6", "resign:r"}).out;
  ExpectPrints({"play", moves[1].dump(), R"({"from": "D7", "to": "D6"})", "resign:r"}, expected);
  ExpectPrints({"play", "E2-E4", R"({ "from":"D7","to":"D6"})", "{Red resigns}"}, expected);
  ExpectRefuses({"play", R"({"from":"E2","to":"E5"})"}, 1, "move 1 \"{");
  ExpectRefuses({"play", "E2-E4", R"({"from":"E2"})"}, 1, "no legal move matches");
  ExpectRefuses({"play", R"({"from":"E2"})"}, 1, "2 legal moves match; give more keys");
  ExpectRefuses({"play", R"({"form":"E2"})"}, 1, "form");
  ExpectRefuses({"play", R"({"from":"E2")"}, 1, "JSON");
}

// Every legal move of each game, also the special ones of Tri-D.
TEST(CliPlay, ReadsEveryMoveThatMovesPrints) {
  const std::vector<std::pair<std::string, std::string>> positions = {
      {"triumvirate", "wKE1,wRH1,wRA1,wPA7,bKI8,rKI12,bNB8 w wKQ.b-.r- - aaa 0 9"},
      {"three-way", ""},
      {"tri-d", ""}};
  for (const auto& [game, position] : positions) {
    Arguments moves = GameCommand(game, "moves", {"--json"});
    Arguments texts = GameCommand(game, "moves", {});
    Arguments play = GameCommand(game, "play", {});
    if (!position.empty()) {
      for (Arguments* arguments : {&moves, &texts, &play}) {
        arguments->insert(arguments->end(), {"--position", position});
      }
    }
    const Json list = Json::parse(Triarch(moves).out);
    std::istringstream lines(Triarch(texts).out);
    for (const Json& move : list) {
      std::string text;
      std::getline(lines, text);
      Arguments by_json = play;
      by_json.push_back(move.dump());
      Arguments by_text = play;
      by_text.push_back(text);
      ExpectPrints(by_json, Triarch(by_text).out);
    }
  }
}

TEST(CliPlay, WritesTheGame) {
  TemporaryFolder folder;
  const std::string file = folder / "game.tpgn";
  const std::vector<std::pair<std::string, Arguments>> games = {
      {"triumvirate", {"E2-E4", "resign:b", "{Red forfeits: time}"}},
      {"three-way", {"h5-h7"}},
      {"tri-d", {"--start", "meder", "Nb3N", "a5N", "Nxa5N"}}};
  for (const auto& [game, rest] : games) {
    Arguments arguments = GameCommand(game, "play", {"--tpgn", file});
    arguments.insert(arguments.end(), rest.begin(), rest.end());
    const Ran played = Triarch(arguments);
    EXPECT_EQ(played.exit_code, 0) << played.err;
    const Ran verified = Triarch({"verify", file});
    EXPECT_EQ(verified.exit_code, 0) << game << ": " << verified.out << verified.err;
  }
  ExpectRefuses({"play", "--tpgn", folder / "none/x.tpgn", "E2-E4"}, 1, "x.tpgn");
}

TEST(CliHelp, IsAlsoAWord) {
  ExpectPrints({"help"}, Triarch({"--help"}).out);
  ExpectPrints({"help", "bots", "check"}, Triarch({"bots", "check", "--help"}).out);
}

TEST(CliPlay, NamesTheIllegalMove) {
  ExpectRefuses({"play", "E2-E4", "D7-D6", "E2-E5"}, 1, "move 3 \"E2-E5\": ");
  ExpectRefuses({"play", "E2-E4", "D7-D6", "E11-E8"}, 1, "move 3 \"E11-E8\": ");
  ExpectRefuses({"play", ""}, 1, "expected a move, not \"\"");
  ExpectRefuses({"play", "A7-A6"}, 1, "move 1 \"A7-A6\": ");
  const std::string king = "b2W-b1W=K";
  ExpectRefuses({"play", "--game", "tri-d", king}, 1,
                "move 1 \"" + king + "\": a pawn becomes Q, R, B or N, not \"K\"");
  ExpectRefuses({"play", "resign:x"}, 1, "move 1 \"resign:x\": no such seat; expected one of w, b");
  ExpectRefuses({"play", "resign:b", "resign:b"}, 1, "move 2 \"resign:b\": Black is out");
  ExpectRefuses({"play", "--json", "resign:"}, 1, "move 1 \"resign:\": ");
}

TEST(CliPlay, TakesTheMovesOfTpgn) {
  const std::string expected = Triarch({"play", "E2-E4", "D7-D6", "resign:r", "A2-A3"}).out;
  ExpectPrints({"play", "1. E2-E4 {[%clk 0:00:01] e4} D7-D6! {Red resigns} -- 2. A2-A3 *"},
               expected);
  ExpectPrints({"play", "1.", "E2-E4", "D7-D6", "{Red resigns}\n2. A2-A3 ; and so on"}, expected);
  ExpectPrints({"play", "E2-E4 D7-D6 {Red forfeits: time} A2-A3"}, expected);
  ExpectRefuses({"play", "E2-E4+ {Black claims draw}"}, 1,
                "comment after move 1 \"Black claims draw\": there is no draw to claim");
  ExpectRefuses({"play", "E2-E4+ {White claims draw}"}, 1, "it is Black's turn");
  ExpectRefuses({"play", "{Red resigns} {Red resigns}"}, 1, "Red is out of the game");
  ExpectRefuses({"play", "1-0-0 E2-E4"}, 1, "nothing may follow the result \"1-0-0\"");
  ExpectRefuses({"play", "[White \"x\"] E2-E4"}, 1, "expected moves, not the tags of a game");
  ExpectRefuses({"play", "{open"}, 1, "unterminated comment");
}

TEST(CliPerft, CountsLeaves) {
  ExpectPrints({"perft", "0"}, "nodes 1\n");
  ExpectPrints({"perft", "1"}, "nodes 20\n");
  ExpectPrints({"perft", "2"}, "nodes 400\n");
  ExpectPrints({"perft", "--start", "server", "3"}, "nodes 8000\n");
  ExpectPrints({"perft", "0", "--divide"}, "nodes 1\n");
}

TEST(CliPerft, DividesByMove) {
  const Ran ran = Triarch({"perft", "2", "--divide"});
  EXPECT_TRUE(ran.out.starts_with("A2-A3 20\nA2-A4 20\nB1-A3 20\n")) << ran.out;
  EXPECT_TRUE(ran.out.ends_with("H2-H4 20\nnodes 400\n")) << ran.out;
  Json json = Json::parse(Triarch({"perft", "2", "--divide", "--json"}).out);
  EXPECT_EQ(json["depth"], 2);
  EXPECT_EQ(json["nodes"], 400);
  EXPECT_EQ(json["moves"].size(), 20u);
  EXPECT_EQ(json["moves"]["E2-E4"], 20);
  EXPECT_EQ(Json::parse(Triarch({"perft", "1", "--json"}).out),
            Json({{"depth", 1}, {"nodes", 20}}));
}

TEST(CliPerft, CountsNoMovesAfterTheEnd) {
  const std::string over = "wKE1 w w-.b-.r- - axx 0 1";
  ExpectPrints({"perft", "--position", over, "1"}, "nodes 0\n");
  ExpectPrints({"perft", "--position", over, "3", "--divide"}, "nodes 0\n");
  ExpectPrints({"moves", "--position", over}, "");
  ExpectPrints({"moves", "--position", over, "--json"}, "[]\n");
}

TEST(CliCheck, PrintsOkOrTheFault) {
  ExpectPrints({"check", kDocument}, "ok\n");
  ExpectPrints({"check", "-"}, "ok\n", kServer + "\n");
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "error EMPTY field "},
      {"a b", "error FIELD_COUNT field "},
      {With(kDocument, "wKE1", "wKE5"), "error BAD_CELL field 1: "},
      {With(kDocument, " w w", " x w"), "error BAD_ACTIVE field 2: "},
      {With(kDocument, " 0 1", " 0 0"), "error BAD_MOVE_NUMBER field 7: "},
      {"{\"pieces\":[]}", "error BAD_JSON field 0: "},
      {"{", "error BAD_JSON field 0: "},
  };
  for (const auto& [position, expected] : cases) {
    const Ran ran = Triarch({"check", position});
    EXPECT_EQ(ran.exit_code, 1) << position;
    EXPECT_TRUE(ran.out.starts_with(expected)) << position << ": " << ran.out;
    EXPECT_EQ(std::count(ran.out.begin(), ran.out.end(), '\n'), 1) << ran.out;
    EXPECT_EQ(ran.err, "") << position;
  }
}

TEST(CliCheck, PrintsJson) {
  ExpectPrints({"check", "--json", kDocument},
               "{\"ok\":true,\"error_code\":null,\"field\":null,\"message\":null}\n");
  const Ran ran = Triarch({"check", "--json", With(kDocument, " w w", " x w")});
  EXPECT_EQ(ran.exit_code, 1);
  const Json json = Json::parse(ran.out);
  EXPECT_EQ(json["ok"], false);
  EXPECT_EQ(json["error_code"], "BAD_ACTIVE");
  EXPECT_EQ(json["field"], 2);
  EXPECT_TRUE(json["message"].is_string());
  const Ran bad = Triarch({"check", "--json", "--game", "tri-d", "{"});
  EXPECT_EQ(Json::parse(bad.out)["error_code"], "BAD_JSON");
  EXPECT_EQ(Json::parse(bad.out)["field"], 0);
}

TEST(CliNotation, TranslatesBothWays) {
  ExpectPrints({"notation", "C8", "E12", "E11", "E10"}, "B3/R3.2\nR3/B3.3\nR2/B2.3\nR1/B1.3\n");
  ExpectPrints({"notation", "B3/R3.2", "R3/B3.3"}, "C8\nE12\n");
  ExpectPrints({"notation", "--table", "client", "A2", "D8", "E12"}, "W3/B2.0\nB3/R3.3\nR3/W3.3\n");
  ExpectPrints({"notation", "--table", "client", "W3/B2.0"}, "A2\n");
  for (const std::string cell : {"D4", "E4", "D5", "I5", "E9", "I9", "A1", "L12"}) {
    const Ran there = Triarch({"notation", cell});
    ASSERT_EQ(there.exit_code, 0) << there.err;
    ExpectPrints({"notation", there.out.substr(0, there.out.size() - 1)}, cell + "\n");
  }
}

TEST(CliNotation, PrintsJson) {
  const Ran ran = Triarch({"notation", "--json", "--table", "client", "A2", "D4"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  Json cells = Json::parse(ran.out);
  ASSERT_EQ(cells.size(), 2u);
  EXPECT_EQ(cells[0]["cell"], "A2");
  EXPECT_EQ(cells[0]["name"], "W3/B2.0");
  EXPECT_EQ(cells[0]["ring"], 3);
  EXPECT_EQ(cells[0]["depth"], 2);
  EXPECT_EQ(cells[0]["flank"], 0);
  EXPECT_EQ(cells[0]["rosette"], false);
  EXPECT_EQ(cells[0]["buried_level"], 5);
  EXPECT_EQ(cells[0]["buried_class"], "corner");
  EXPECT_EQ(cells[1]["rosette"], true);
  EXPECT_EQ(cells[1]["buried_level"], 0);
  EXPECT_EQ(cells[1]["buried_class"], "rosette");
}

TEST(CliShow, DrawsWithAndWithoutColors) {
  const Ran plain = Triarch({"show"});
  EXPECT_EQ(plain.exit_code, 0) << plain.err;
  EXPECT_NE(plain.out, "");
  EXPECT_EQ(plain.out.find('\x1b'), std::string::npos) << "colors in a pipe";
  EXPECT_EQ(Triarch({"show", "--color", "never"}).out, plain.out);
  EXPECT_NE(Triarch({"show", "--color", "always"}).out.find('\x1b'), std::string::npos);
  const Ran v4 = Triarch({"show", "--names", "triumvirate"});
  EXPECT_EQ(v4.exit_code, 0) << v4.err;
  EXPECT_NE(v4.out, plain.out);
  EXPECT_NE(Triarch({"show", "--names", "triumvirate-client"}).out, v4.out);
  EXPECT_NE(Triarch({"show", "--start", "server"}).out, plain.out);
}

TEST(CliShow, WritesSvg) {
  const TemporaryFolder folder;
  const std::string path = folder / "board.svg";
  ExpectPrints({"show", "--svg", path}, "");
  const std::string svg = ReadWholeFile(path);
  EXPECT_NE(svg.find("<svg"), std::string::npos);
  EXPECT_TRUE(svg.find("</svg>") != std::string::npos);
  ExpectPrints({"show", "--svg", "-"}, svg);
  const std::string more =
      Triarch({"show", "E2-E4", "--svg", "-", "--cells", "--players", "one, two,<three>"}).out;
  for (const std::string part : {" last\"", ">one<", ">two<", ">&lt;three&gt;<", ">L12<"}) {
    EXPECT_NE(more.find(part), std::string::npos) << part;
  }
  ExpectRefuses({"show", "--svg", "-", "--players", "one"}, 2,
                "--players: expected 3 names, not 1");
  ExpectRefuses({"show", "--players", "a,b,c"}, 2, "--svg");
  ExpectRefuses({"show", "E2-E5"}, 1, "move 1 \"E2-E5\": ");
  struct stat about {};
  EXPECT_NE(stat((path + ".tmp").c_str(), &about), 0) << "the temporary file remains";
}

TEST(CliNames, AreReadAndWritten) {
  ExpectPrints({"moves", "--from", "W2/R2.3", "--names", "triumvirate"},
               "W2/R2.3-W1/R1.3\nW2/R2.3-C/W.R\n");
  ExpectPrints({"moves", "--from", "A2", "--names", "triumvirate-client"},
               "W3/B2.0-W3/B1.0\nW3/B2.0-W3/B0.0\n");
  ExpectPrints({"play", "--names", "triumvirate", "1. W2/R2.3-C/W.R", "D7-D6"},
               Triarch({"play", "E2-E4", "D7-D6"}).out);
  const std::string promotion = "wKE1,wPA7,bKI8,rKI12 w w-.b-.r- - aaa 0 9";
  ExpectPrints({"play", "--names", "triumvirate", "--position", promotion, "B2/R2.0-B3/R3.0=M"},
               Triarch({"play", "--position", promotion, "A7-A8=Q"}).out);
  ExpectRefuses({"play", "--names", "triumvirate", "W2/R2.3-R3/B3.3"}, 1,
                "move 1 \"W2/R2.3-R3/B3.3\": the Private on W2/R2.3 does not reach");
  ExpectRefuses({"moves", "--names", "triumvirate", "--from", "W9"}, 2, ", not \"W9\"");
  const std::string svg =
      Triarch({"show", "W2/R2.3-C/W.R", "--names", "triumvirate", "--svg", "-"}).out;
  EXPECT_NE(svg.find("white Private on C/W.R</title>"), std::string::npos);
}

TEST(CliNames, BelongToTheirGame) {
  for (const std::string command : {"moves", "play", "show"}) {
    ExpectRefuses({command, "--names", "klingon"}, 2,
                  "--names: expected triumvirate or triumvirate-client, not \"klingon\"");
    ExpectRefuses({command, "--game", "tri-d", "--names", "triumvirate"}, 2,
                  "--names: the game tri-d has only its default names, not \"triumvirate\"");
  }
  ExpectRefuses({"show", "--svg", "-", "--game", "three-way", "--names", "triumvirate"}, 2,
                "--names: the game three-way has only");
  ExpectRefuses({"moves", "--json", "--names", "triumvirate"}, 2, "--names");
}

TEST(CliShow, MarksMoves) {
  const auto show = [](const Arguments& rest) {
    Arguments arguments = {"show", "--color", "never", "--moves"};
    arguments.insert(arguments.end(), rest.begin(), rest.end());
    const Ran ran = Triarch(arguments);
    EXPECT_EQ(ran.exit_code, 0) << Shown(arguments) << ran.err;
    return ran.out;
  };
  const std::string mixed = "wKE1,wRH1,wNB1,bPC3,wPA7,bNB8,bKI8,rKI12 w wK.b-.r- - aaa 0 9";
  const std::vector<std::pair<Arguments, std::string>> cases = {
      {{}, "o target, & castling, ! capture, = promotion"},
      {{"--from", "E1"}, "o target, & castling"},
      {{"--from", "B1"}, "o target, ! capture"},
      {{"--from", "A7"}, "= promotion"},
  };
  for (const auto& [from, line] : cases) {
    Arguments arguments = {"--position", mixed};
    arguments.insert(arguments.end(), from.begin(), from.end());
    EXPECT_NE(show(arguments).find("\nmoves       " + line + "\n"), std::string::npos) << line;
  }
  // A cell without moves has no marks.
  EXPECT_EQ(show({"--from", "A1"}).find("\nmoves "), std::string::npos);
  // A capture en passant ends on an empty cell.
  const std::string passed = "wPA4,bPB4,bKB8,wKG1,rKK12 b w-.b-.r- A3 aaa 4 9";
  EXPECT_NE(show({"--from", "B4", "--position", passed}).find("! capture\n"), std::string::npos);
  // A board of Tri-D chess goes to pins.
  const std::string board = "QL1,KL1,QL6,KL6 4/4/4/4|4/4/4/4|4/4/4/4|2/R1|2/K1|1k/2|2/2 w - - 1 30";
  const std::string pins = show({"--game", "tri-d", "--from", "WQL", "--position", board});
  for (const std::string pin : {" o(QL2) ", "  (KL2) ", " o(QL3) "}) {
    EXPECT_NE(pins.find(pin), std::string::npos) << pin << pins;
  }
  const std::string svg = Triarch({"show", "--moves", "--from", "B1", "--svg", "-"}).out;
  EXPECT_NE(svg.find(">dot: target<"), std::string::npos);
  ExpectRefuses({"show", "--from", "E2"}, 2, "--from requires --moves");
  ExpectRefuses({"show", "--moves", "--from", "e2"}, 2, "B1, not \"e2\"");
}

TEST(CliOutput, FailsOnAFullDisk) {
  ExpectRefuses({"show", "--svg", "/dev/full"}, 1, "cannot write");
}

}  // namespace
}  // namespace triarch
