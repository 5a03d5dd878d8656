#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/e2e/triarch.h"

// `triarch scenarios`: the project's own matrices of moves that the rules allow or forbid, and what
// the command says of a table that is wrong.
namespace triarch {
namespace {

// A table in a file of its own.
class Table {
 public:
  explicit Table(const std::string& text) {
    path_ = (std::filesystem::path(::testing::TempDir()) /
             ("scenarios_" + std::to_string(getpid()) + ".tsv"))
                .string();
    std::ofstream(path_) << text;
  }
  ~Table() { std::filesystem::remove(path_); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

constexpr char kStart[] =
    "rnbqkbnr/pppppppp/8/8/X/X X/rnbqkbnr/pppppppp/8/8/X X/X/rnbqkbnr/pppppppp/8/8 "
    "W qkqkqk --- 0 1";

std::string Row(const std::string& id, const std::string& move, const std::string& expected,
                const std::string& after = "") {
  return id + "\tpawn moves\tA step.\t" + kStart + "\t" + move + "\t" + expected + "\t§2\t" +
         after + "\n";
}

void ExpectAllPass(const std::string& game, const std::string& name, int rows_min) {
  const std::string path = TRIARCH_TEST_DATA "/scenarios/" + name;
  const Ran ran = Triarch({"scenarios", "--game", game, path});
  EXPECT_EQ(ran.exit_code, 0) << ran.out << ran.err;
  EXPECT_TRUE(ran.out.ends_with(" passed, 0 failed\n")) << ran.out;
  EXPECT_GE(std::stoi(ran.out), rows_min);
}

TEST(Scenarios, Triumvirate) { ExpectAllPass("triumvirate", "triumvirate.tsv", 150); }
TEST(Scenarios, ThreeWay) { ExpectAllPass("three-way", "three_way.tsv", 120); }
TEST(Scenarios, TriD) { ExpectAllPass("tri-d", "tri_d.tsv", 200); }

// A third of the specification's own matrix, from an independent reference.
TEST(Scenarios, TriDOfTheReference) {
  const std::string path = TRIARCH_TEST_DATA "/tri_d/scenarios.tsv";
  ExpectPrints({"scenarios", "--game", "tri-d", path}, "98 passed, 0 failed\n");
}

TEST(Scenarios, TellsWhatFails) {
  const Table table(Row("A1", "h5-h6", "VALID") + Row("A2", "h5-h8", "VALID") +
                    Row("A3", "h5-h7", "INVALID") + Row("A4", "h5-h6", "VALID", kStart));
  const Ran ran = Triarch({"scenarios", "--game", "three-way", table.path()});
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_TRUE(ran.out.ends_with("\n1 passed, 3 failed\n")) << ran.out;
  EXPECT_NE(ran.out.find("A2 (line 2, pawn moves): A step.\n  position  " + std::string(kStart)),
            std::string::npos)
      << ran.out;
  EXPECT_NE(ran.out.find("nearby    h5-h6 h5-h7\n  rule      §2"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("expected INVALID: the move is legal"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("the position after the move is another"), std::string::npos) << ran.out;

  const Ran json = Triarch({"scenarios", "--game", "three-way", "--json", table.path()});
  EXPECT_EQ(json.exit_code, 1);
  const nlohmann::json parsed = nlohmann::json::parse(json.out);
  EXPECT_EQ(parsed["passed"], 1);
  EXPECT_EQ(parsed["failed"], 3);
  EXPECT_EQ(parsed["failures"][0]["id"], "A2");
  EXPECT_EQ(parsed["failures"][0]["nearby"].size(), 2u);
}

// Columns in another order, under other names, and one that nobody knows.
TEST(Scenarios, AHeaderNamesTheColumns) {
  const Table table(
      "id\tmove\texpected\trule_citation\tnote\tinitial_position\tcategory\tdescription\n"
      "B1\th5-h6\tVALID\t§2\tx\t" +
      std::string(kStart) + "\tpawns\tA step.\n");
  ExpectPrints({"scenarios", "--game", "three-way", table.path()}, "1 passed, 0 failed\n");
}

TEST(Scenarios, RefusesATableThatIsNone) {
  const auto expect = [](const std::string& text, const std::string& what) {
    const Table table(text);
    ExpectRefuses({"scenarios", "--game", "three-way", table.path()}, 1, what);
  };
  expect("A1\tx\n", ":1: there are 2 fields; expected description in field 3");
  expect(Row("A1", "h5-h6", "MAYBE"), ":1: expected VALID or INVALID, not \"MAYBE\"");
  expect(Row("A1", "h5-h6", "INVALID", kStart), ":1: an INVALID move has no position after it");
  expect("id\tmove\n", ":1: the header has no column \"category\"");
  expect("A1\tc\td\tX\th5-h6\tVALID\t§2\n", ":1: A1: position: FIELD_COUNT field 2");
  ExpectRefuses({"scenarios", "/nowhere/x.tsv"}, 1, "cannot read");
  ExpectRefuses({"scenarios"}, 2, "FILE");
}

}  // namespace
}  // namespace triarch
