// Tests `triarch scenarios` on our own and on faulty and generated tables, and with other programs.

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/text.h"
#include "tests/e2e/triarch.h"

namespace triarch {
namespace {

// A table in a temporary file.
class TableFile {
 public:
  explicit TableFile(const std::string& text) { WriteWholeFile(path(), text); }
  std::string path() const { return folder_ / "scenarios.tsv"; }

 private:
  const TemporaryFolder folder_;
};

constexpr char kRowStart[] =
    "rnbqkbnr/pppppppp/8/8/X/X X/rnbqkbnr/pppppppp/8/8/X X/X/rnbqkbnr/pppppppp/8/8 "
    "W qkqkqk --- 0 1";

std::string Row(const std::string& id, const std::string& move, const std::string& expected,
                const std::string& after = "") {
  return id + "\tpawn moves\tA step.\t" + kRowStart + "\t" + move + "\t" + expected + "\t§2\t" +
         after + "\n";
}

// Expects all rows to pass and to be complete: each cites a paragraph; a valid move says how the
// game ends and, unless it ends, the position after the move; in Tri-D, an invalid move has a
// reason.
void ExpectAllPass(const std::string& game, const std::string& name, size_t rows) {
  const std::string path = TRIARCH_TEST_DATA "/scenarios/" + name;
  ExpectPrints({"scenarios", "--game", game, path}, std::to_string(rows) + " passed, 0 failed\n");

  std::ifstream file(path);
  std::string line;
  ASSERT_TRUE(std::getline(file, line));
  EXPECT_EQ(line, "id\tcategory\tdescription\tposition\tmove\texpected\trule\tafter\tends\treason");
  std::set<std::string> ids;
  while (std::getline(file, line)) {
    const std::vector<std::string_view> row = Split(line, '\t');
    ASSERT_EQ(row.size(), 10u) << line;
    EXPECT_TRUE(ids.emplace(row[0]).second) << line;
    EXPECT_FALSE(row[1].empty() || row[2].empty()) << line;
    EXPECT_TRUE(row[6].starts_with("§")) << line;
    if (row[5] != "VALID") {
      EXPECT_FALSE(row[9].empty() && game != "tri-d") << line;
      continue;
    }
    EXPECT_FALSE(row[8].empty()) << line;
    EXPECT_FALSE(row[7].empty() && row[8] == "-") << line;
  }
  EXPECT_EQ(ids.size(), rows);
}

TEST(Scenarios, TriumviratePasses) { ExpectAllPass("triumvirate", "triumvirate.tsv", 398); }
TEST(Scenarios, ThreeWayPasses) { ExpectAllPass("three-way", "three_way.tsv", 309); }
TEST(Scenarios, TriDPasses) { ExpectAllPass("tri-d", "tri_d.tsv", 792); }

// Checks a third of the specification's own matrix, from an independent reference.
TEST(Scenarios, TriDReferencePasses) {
  const std::string path = TRIARCH_TEST_DATA "/tri_d/scenarios.tsv";
  ExpectPrints({"scenarios", "--game", "tri-d", path}, "98 passed, 0 failed\n");
}

nlohmann::json FailuresOf(const std::string& game, const TableFile& table) {
  const Ran ran = Triarch({"scenarios", "--game", game, "--json", table.path()});
  EXPECT_EQ(ran.exit_code, 1) << ran.err;
  const nlohmann::json parsed = nlohmann::json::parse(ran.out, nullptr, false);
  EXPECT_TRUE(parsed.is_object()) << ran.out;
  return parsed.value("failures", nlohmann::json());
}

TEST(Scenarios, ReportsFailures) {
  const TableFile table(Row("A1", "h5-h6", "VALID") + Row("A2", "h5-h8", "VALID") +
                        Row("A3", "h5-h7", "INVALID") + Row("A4", "h5-h6", "VALID", kRowStart));
  const Ran ran = Triarch({"scenarios", "--game", "three-way", table.path()});
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_TRUE(ran.out.ends_with("\n1 passed, 3 failed\n")) << ran.out;
  EXPECT_NE(ran.out.find("A2 (line 2, pawn moves): A step.\n  position  " + std::string(kRowStart)),
            std::string::npos)
      << ran.out;
  EXPECT_NE(ran.out.find("nearby    h5-h6 h5-h7\n  rule      §2"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("expected INVALID: the move is legal"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("the position after the move differs"), std::string::npos) << ran.out;

  const Ran json = Triarch({"scenarios", "--game", "three-way", "--json", table.path()});
  EXPECT_EQ(json.exit_code, 1);
  const nlohmann::json parsed = nlohmann::json::parse(json.out);
  EXPECT_EQ(parsed["passed"], 1);
  EXPECT_EQ(parsed["failed"], 3);
  EXPECT_EQ(parsed["failures"][0]["id"], "A2");
  EXPECT_EQ(parsed["failures"][0]["nearby"].size(), 2u);
}

// The columns have a different order and different names, and one is unknown.
TEST(Scenarios, ReadsColumnsByHeader) {
  const TableFile table(
      "move\tid\texpected\trule_citation\tnote\tinitial_position\tcategory\tdescription\n"
      "h5-h6\tB1\tVALID\t§2\tx\t" +
      std::string(kRowStart) + "\tpawns\tA step.\n");
  ExpectPrints({"scenarios", "--game", "three-way", table.path()}, "1 passed, 0 failed\n");
}

// Tri-D's specification has its own column names and no category. Spreadsheets add a byte order
// mark.
TEST(Scenarios, ReadsTheSpecificationsHeader) {
  for (const std::string header :
       {"\xef\xbb\xbfTestCaseID\tDescription\tInitialStateFEN\tMoveToTest\tExpectedResult\t"
        "RuleCitation\r\n",
        "\n\t\t\r\nID\tDESCRIPTION\tTfen\tMove\tVerdict\tRule\n"}) {
    const TableFile table(header + "B1\tA step.\t" + kRowStart +
                          "\th5-h6\tVALID\t§2\r\n\t\t\t\t\t\r\n");
    ExpectPrints({"scenarios", "--game", "three-way", table.path()}, "1 passed, 0 failed\n");
  }
}

// Expects INVALID rows to pass both for illegal and for malformed moves, and the latter to be
// reported.
void ExpectMalformed(const std::string& game, const std::string& position,
                     const std::vector<std::string>& illegal,
                     const std::vector<std::string>& malformed) {
  std::string rows;
  std::string said;
  nlohmann::json unreadable = nlohmann::json::array();
  const auto add = [&](const std::string& move, const std::string& reason) {
    rows += move + " row\tc\td\t" + position + "\t" + move + "\tINVALID\t§2\t\t\t" + reason + "\n";
  };
  for (const std::string& move : illegal) add(move, "");
  for (const std::string& move : malformed) {
    add(move, "");
    unreadable.push_back(move + " row");
  }
  const std::string summary =
      std::to_string(illegal.size() + malformed.size()) + " passed, 0 failed\n";
  const TableFile table(rows);
  const Ran ran = Triarch({"scenarios", "--game", game, table.path()});
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_TRUE(ran.out.ends_with(summary)) << ran.out;
  const std::string first = malformed.front() + " row (line " + std::to_string(illegal.size() + 1) +
                            "): passed, but is not a move: ";
  ASSERT_TRUE(ran.out.starts_with(first)) << ran.out;
  const Ran json = Triarch({"scenarios", "--game", game, "--json", table.path()});
  EXPECT_EQ(nlohmann::json::parse(json.out)["unreadable"], unreadable);
  // A row that gives the reason is not reported.
  const std::string why = ran.out.substr(first.size(), ran.out.find('\n') - first.size());
  rows.clear();
  add(malformed.front(), why);
  const TableFile meant(rows);
  ExpectPrints({"scenarios", "--game", game, meant.path()}, "1 passed, 0 failed\n");
}

// A typo is reported even if the game is over or a promotion is pending.
TEST(Scenarios, ReportsTextsThatAreNotMoves) {
  ExpectMalformed("three-way", kRowStart, {"h5-h8", "O-O", "h5xh6", "d4-d5"},
                  {"hello world", " ", "h5-h8 ", "h5–h8", "h5-h99", "h5", "resign:x"});
  ExpectMalformed("triumvirate", "rPA2,wKG1,bKI8,rKE12 w w-.b-.r- - aaa 0 9",
                  {"G1-G4", "A2-A3", "O-O"}, {"hello", "g1-g4", "G1-G4 ", "G1–G4", "G1-Z5", "O-0"});
  constexpr char kRunning[] =
      "QL1,KL1,QL6,KL6 4/4/4/4|4/2R1/4/4|4/4/4/4|2/2|1K/2|k1/2|2/2 w - - 0 10";
  constexpr char kMated[] =
      "QL2,KL1,QL6,KL6 4/4/4/R1K1|4/4/4/4|4/4/1p2/4|2/R1|2/2|k1/2|2/2 b - - 1 10";
  constexpr char kPending[] =
      "QL1,KL1,QL4,KL6 4/4/4/1N2|4/4/3k/4|P3/4/4/4|2/2|1K/2|2/2|2/2 w - - 3 10 a8B";
  for (const std::string position : {kRunning, kMated, kPending}) {
    ExpectMalformed(
        "tri-d", position, {"c5N-c5B", "c5N-b2N", "0-0", "QL1-QL6", "Nc6B", "z9QL6-z8QL6"},
        {"hello world", " ", "c5N-c5B ", "c5N–c5B", "c5n-c5b", "c5N-c5", "QL1-QL7", "0–0"});
  }
}

TEST(Scenarios, ComparesTheReason) {
  const TableFile table(std::string("id\tdescription\tposition\tmove\texpected\trule\treason\n") +
                        "R1\td\t" + kRowStart + "\th5-h8\tINVALID\t§2\tdoes not reach\n" +  //
                        "R2\td\t" + kRowStart + "\th5-h8\tINVALID\t§2\tno piece\n");
  const nlohmann::json failures = FailuresOf("three-way", table);
  ASSERT_EQ(failures.size(), 1u);
  EXPECT_EQ(failures[0]["line"], 3);
  EXPECT_EQ(failures[0]["expected_reason"], "no piece");
  const std::string reason = failures[0]["reason"];
  EXPECT_TRUE(
      reason.starts_with("the move is illegal for another reason: the pawn on h5 does not reach"))
      << reason;
}

constexpr char kBeforeMate[] =
    "QL2,KL1,QL6,KL6 4/4/4/R1K1|4/4/3R/4|4/4/1p2/4|2/2|2/2|k1/2|2/2 w - - 0 10";

std::string EndsRow(const std::string& id, const std::string& move, const std::string& ends) {
  return id + "\tc\td\t" + kBeforeMate + "\t" + move + "\tVALID\t§7\t\t" + ends + "\n";
}

TEST(Scenarios, ComparesTheEnd) {
  const std::string mate = "d4N-z4QL2";
  const TableFile table(EndsRow("E1", mate, "1-0 checkmate") + EndsRow("E2", mate, "checkmate") +
                        EndsRow("E3", mate, "") + EndsRow("E4", "d4N-d5N", "-") +
                        EndsRow("E5", mate, "-") + EndsRow("E6", mate, "0-1 checkmate") +
                        EndsRow("E7", mate, "stalemate") + EndsRow("E8", "d4N-d5N", "checkmate"));
  const nlohmann::json failures = FailuresOf("tri-d", table);
  ASSERT_EQ(failures.size(), 4u);
  EXPECT_EQ(failures[0]["id"], "E5");
  EXPECT_EQ(failures[0]["reason"], "the game ends differently: 1-0 checkmate");
  EXPECT_EQ(failures[0]["expected_ends"], "-");
  EXPECT_EQ(failures[1]["ends"], "1-0 checkmate");
  EXPECT_EQ(failures[3]["id"], "E8");
  EXPECT_EQ(failures[3]["reason"], "the game does not end");
  EXPECT_EQ(failures[3]["ends"], "-");
}

// Two bare kings are a dead position (Tri-D §7.5).
TEST(Scenarios, FindsADeadPosition) {
  const TableFile table(
      "K1\tc\td\tQL1,KL1,QL6,KL6 4/4/4/1Kn1|4/4/4/4|4/4/4/4|2/2|2/2|k1/2|2/2 w - - 3 10\tb1W-c1W\t"
      "VALID\t§7\t\t1/2-1/2 insufficient_material\n");
  ExpectPrints({"scenarios", "--game", "tri-d", table.path()}, "1 passed, 0 failed\n");
}

TEST(Scenarios, ReadsThePositionAfterAsJson) {
  const Ran after =
      Triarch({"play", "--game", "three-way", "--position", kRowStart, "--json", "h5-h6"});
  const std::string json = after.out.substr(0, after.out.size() - 1);
  const TableFile table(Row("J1", "h5-h6", "VALID", json) + Row("J2", "h5-h7", "VALID", json));
  const nlohmann::json failures = FailuresOf("three-way", table);
  ASSERT_EQ(failures.size(), 1u);
  EXPECT_EQ(failures[0]["id"], "J2");
  EXPECT_EQ(failures[0]["reason"], "the position after the move differs");
}

// Similar moves have the same start, target or piece, or also move a board.
TEST(Scenarios, ListsSimilarMoves) {
  const auto expect = [](const std::string& position, const std::string& move,
                         const std::vector<std::string>& nearby) {
    const TableFile table("N\tc\td\t" + position + "\t" + move + "\tVALID\t§2\n");
    const nlohmann::json failures = FailuresOf("tri-d", table);
    ASSERT_EQ(failures.size(), 1u) << move;
    EXPECT_EQ(failures[0]["nearby"].get<std::vector<std::string>>(), nearby) << move;
  };
  const std::string position =
      "QL1,KL1,QL6,KL6 4/4/2N1/4|4/4/4/4|4/4/3P/4|DD/R1|2/K1|k1/2|2/2 w - - 0 10";
  expect(position, "0-0", {"d0KL1-c1W", "d0KL1-d1KL1", "d0KL1-d1W", "d0KL1-e0KL1", "d0KL1-e1KL1"});
  const std::vector<std::string> of_knight = {"c2W-a1W", "c2W-a3N", "c2W-a3W", "c2W-b4N",
                                              "c2W-b4W", "c2W-d4N", "c2W-d4W", "c2W-e1KL1"};
  expect(position, "Nc6B", of_knight);
  expect(position, "c2W-c3W", of_knight);
  expect(position, "QL1-QL4", {"KL1-KL2", "KL1-KL3"});
  expect(position, "KL1-KL4", {"KL1-KL2", "KL1-KL3"});
  expect(position, "d6B-b8B", {"d6B-d7B"});
  expect(position, "a6B-d7B", {"d6B-d7B"});
  expect(position, "hello", {});
}

TEST(Scenarios, RefusesFaultyTables) {
  const auto expect = [](const std::string& text, const std::string& what) {
    const TableFile table(text);
    ExpectRefuses({"scenarios", "--game", "three-way", table.path()}, 1, what);
  };
  expect("A1\tx\n", ":1: the row has 2 fields; \"description\" is field 3");
  expect("A1\n", ":1: the row has 1 field; \"category\" is field 2");
  expect(Row("A1", "h5-h6", "MAYBE"), ":1: expected VALID or INVALID, not \"MAYBE\"");
  expect(Row("A1", "h5-h6", "INVALID", kRowStart),
         ":1: \"after\" must be empty for an INVALID move");
  expect(Row("A1", "", "INVALID"), ":1: the field \"move\" is empty");
  expect(Row("", "h5-h6", "VALID"), ":1: the field \"id\" is empty");
  expect("A1\tc\td\tX\th5-h6\tVALID\t\n", ":1: the field \"rule\" is empty");
  expect("id\tmove\n", ":1: the header has no column \"description\"");
  expect("\nid\tmove\tMoveToTest\tdescription\tposition\n",
         ":2: the header has two columns for \"move\": \"move\" and \"MoveToTest\"");
  expect("A1\tc\td\tX\th5-h6\tVALID\t§2\n", ":1: A1: position: FIELD_COUNT field 2");
  expect(Row("A1", "h5-h6", "VALID", "X"), ":1: A1: after: FIELD_COUNT field 2");
  expect(Row("A1", "h5-h8", "VALID", "X"), ":1: A1: after: FIELD_COUNT field 2");
  expect(Row("A1", "h5-h6", "VALID") + "\n" + Row("A1", "h5-h7", "VALID"),
         ":3: id \"A1\" is already used on line 1");
  const std::string row = "A1\tc\td\tX\th5-h6\t";
  expect(row + "VALID\t§2\t\tmat\n",
         ":1: \"ends\": expected \"-\", or an ending such as \"checkmate\"");
  expect(row + "INVALID\t§2\t\tcheckmate\n", ":1: \"ends\" must be empty for an INVALID move");
  expect(row + "VALID\t§2\t\t\tno\n", ":1: \"reason\" must be empty for a VALID move");
  expect("", ": the table has no scenarios");
  expect("id\tdescription\tposition\tmove\texpected\trule\n", ": the table has no scenarios");
  ExpectRefuses({"scenarios", "/nowhere/x.tsv"}, 1, "cannot read");
  ExpectRefuses({"scenarios"}, 2, "FILE");
}

// --- generated tables, and another program ---

// Returns the arguments that compare one of our tables with a program.
Arguments WithEngine(const std::string& game, const std::string& path, const std::string& engine) {
  return {"scenarios", "--game", game, path, "--engine", engine, "--timeout", "5"};
}

const std::string kOurEngine = std::string(TRIARCH_BINARY) + " uci --bot random";

TEST(ScenariosGenerate, WritesTablesThatPass) {
  const std::vector<std::pair<std::string, std::string>> games = {
      {"triumvirate", "is Red's, but it is White's turn"},
      {"three-way", "is Gray's, but it is White's turn"},
      {"tri-d", "no board goes from "}};
  for (const auto& [game, reason] : games) {
    const Arguments generate = {"scenarios", "--game", game, "--generate", "3001"};
    const std::string table = Triarch(generate).out;
    const auto count = [&](const std::string& part) {
      size_t found = 0;
      for (size_t at = table.find(part); at != table.npos; at = table.find(part, at + 1)) ++found;
      return found;
    };
    EXPECT_EQ(count("\n"), 3002u) << game;
    EXPECT_EQ(count("\tVALID\t"), 1501u) << game;
    EXPECT_EQ(count("\tINVALID\t"), 1500u) << game;
    for (const std::string& why :
         {std::string("does not reach"), std::string("it is not a promotion"), reason}) {
      EXPECT_GT(count(why), 0u) << game << ": " << why;
    }
    const TableFile file(table);
    ExpectPrints({"scenarios", "--game", game, file.path()}, "3001 passed, 0 failed\n");
    ExpectPrints(WithEngine(game, file.path(), kOurEngine), "3001 passed, 0 failed\n");
    ExpectPrints(generate, table);
  }
}

TEST(ScenariosGenerate, DependsOnTheSeed) {
  const auto table = [](const std::string& seed) {
    return Triarch({"scenarios", "--generate", "4", "--seed", seed}).out;
  };
  EXPECT_EQ(table("1"), Triarch({"scenarios", "--generate", "4"}).out);
  EXPECT_NE(table("1"), table("2"));
  ExpectRefuses({"scenarios", "--generate", "0"}, 2,
                "--generate: expected a whole number from 1 to 100000, not \"0\"");
  ExpectRefuses({"scenarios", "x.tsv", "--generate", "4"}, 2, "FILE excludes --generate");
  ExpectRefuses({"scenarios", "x.tsv", "--seed", "4"}, 2, "--seed requires --generate");
  ExpectRefuses({"scenarios", "--game", "chess", "--generate", "4"}, 2, "--game");
}

// --- another program ---

TEST(ScenariosEngine, AgreesIfItHasTheRules) {
  const std::string folder = TRIARCH_TEST_DATA "/scenarios/";
  ExpectPrints(WithEngine("triumvirate", folder + "triumvirate.tsv", kOurEngine),
               "382 passed, 0 failed, 16 skipped\n");
  ExpectPrints(WithEngine("three-way", folder + "three_way.tsv", kOurEngine),
               "299 passed, 0 failed, 10 skipped\n");
}

// The program lacks one move and has another that is illegal.
TEST(ScenariosEngine, ReportsRowsThatDisagree) {
  const TableFile table(Row("A1", "h5-h6", "VALID") + Row("A2", "h5-h7", "VALID") +
                        Row("A3", "h5xh8", "INVALID") + Row("A4", "h5-h9", "INVALID") +
                        Row("A5", "resign:w", "VALID"));
  const Ran ran =
      Triarch(WithEngine("three-way", table.path(), kOurEngine + " | sed -u s/^h5-h7:/h5-h8:/"));
  EXPECT_EQ(ran.exit_code, 1) << ran.err;
  EXPECT_EQ(ran.err, "");
  EXPECT_NE(ran.out.find(table.path() + ":2: A2: A step.\n"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("h5-h7, expected VALID: the engine does not list it\n"), std::string::npos)
      << ran.out;
  EXPECT_NE(ran.out.find(table.path() + ":3: A3: A step.\n"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("h5xh8, expected INVALID: the engine lists it\n"), std::string::npos)
      << ran.out;
  EXPECT_TRUE(ran.out.ends_with("\n2 passed, 2 failed, 1 skipped\n")) << ran.out;
}

TEST(ScenariosEngine, FailsIfItDoesNotAnswer) {
  const TableFile table(Row("A1", "h5-h6", "VALID"));
  const auto expect = [&](const std::string& engine, const std::string& what) {
    ExpectRefuses(WithEngine("three-way", table.path(), engine), 1, what);
  };
  expect("echo lost >&2; exit 3", "--engine: it ended: exit code 3; it said: lost");
  expect("exec /no/such/engine", "--engine: it ended: exit code 127; it said: ");
  expect("yes", "--engine: it wrote more than 1 MiB");
  expect(kOurEngine + " | sed -u 's/ var three-way//'", "three-way");
  expect(kOurEngine + " | sed -u '/^Nodes/s/.*/bestmove h5-h6/'",
         ":1: A1: --engine: it does not answer `go perft 1` with \"Nodes searched: N\"; its last "
         "line was \"bestmove h5-h6\"");
  expect(kOurEngine + " | grep --line-buffered -v ^h5-h6",
         "different moves, but says \"Nodes searched: ");
  // It ends at the first position.
  expect("sed -u '/^position/q' | " + kOurEngine, ":1: A1: --engine: it ended: exit code 0");
  Arguments hanging = WithEngine("three-way", table.path(), "sleep 60");
  hanging.back() = "1";
  ExpectRefuses(hanging, 1, "--engine: it did not answer within 1 s");
  hanging[5] = "sed -u /^isready/d | " + kOurEngine;
  ExpectRefuses(hanging, 1, "--engine: it did not answer within 1 s");
  ExpectRefuses({"scenarios", table.path(), "--timeout", "1"}, 2, "--engine");
  // The rows are checked before the program starts.
  ExpectRefuses(WithEngine("tri-d", table.path(), "exit 3"), 1, ":1: A1: position: ");
}

// Lists faulty rows by line up to a limit, and judges no scenario.
TEST(Scenarios, ReportsFaultyRowsByLine) {
  std::string text = Row("A0", "h5-h8", "VALID") + "A1\tc\td\tX\th5-h6\tVALID\t§2\n";
  text += Row("A2", "h5-h6", "MAYBE");
  const TableFile table(text);
  const Ran ran = Triarch({"scenarios", "--game", "three-way", table.path()});
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_EQ(ran.out, "");
  EXPECT_NE(ran.err.find(":2: A1: position: FIELD_COUNT"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find(":3: expected VALID or INVALID"), std::string::npos) << ran.err;
  EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 2) << ran.err;

  for (int i = 3; i < 25; ++i) text += Row("A" + std::to_string(i), "h5-h6", "MAYBE");
  const TableFile longer(text);
  const Ran many = Triarch({"scenarios", "--game", "three-way", longer.path()});
  EXPECT_EQ(std::count(many.err.begin(), many.err.end(), '\n'), 21) << many.err;
  EXPECT_TRUE(many.err.ends_with(": 4 more faults\n")) << many.err;

  const TableFile no_table("a\nb\nc\n");
  const Ran none = Triarch({"scenarios", "--game", "three-way", no_table.path()});
  EXPECT_EQ(std::count(none.err.begin(), none.err.end(), '\n'), 2) << none.err;
  EXPECT_TRUE(none.err.ends_with(": 2 more faults\n")) << none.err;
}

}  // namespace
}  // namespace triarch
