// Tests data info, verify, sample and export on the self-play data of every game.

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "core/base/counted.h"
#include "tests/e2e/triarch.h"

namespace triarch {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

const std::vector<std::string>& GameNames() {
  static const std::vector<std::string> kNames = {"triumvirate", "three-way", "tri-d"};
  return kNames;
}

// Makes a small run of each game once for all tests of the suite.
class DataCli : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new TemporaryFolder;
    for (const std::string& game : GameNames()) {
      const std::string file = *folder_ / (game + ".yaml");
      WriteWholeFile(file, "game: " + game +
                               "\n"
                               "mode: selfplay\n"
                               "bots: [greedy, random, {bot: mcts, net: none}]\n"
                               "games: 8\n"
                               "seed: 3\n"
                               "time_control: {nodes: 6}\n"
                               "selfplay:\n"
                               "  sample_rate: 0.5\n"
                               "  resign: {below: 0.3, turns: 1, played_out: 0.5}\n"
                               "  shard_samples: 200\n"
                               "output: {data: " +
                               Location(game) + "}\n");
      const Ran ran = Triarch({"run", file});
      ASSERT_EQ(ran.exit_code, 0) << ran.err;
    }
  }
  static void TearDownTestSuite() {
    delete folder_;
    folder_ = nullptr;
  }

  static std::string Location(const std::string& name) { return *folder_ / name; }

  static std::vector<Json> Manifest(const std::string& location) {
    return Lines(ReadWholeFile(location + "/manifest.jsonl"));
  }
  static std::vector<Json> Lines(const std::string& text) {
    std::vector<Json> lines;
    size_t begin = 0;
    for (size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', begin)) {
      lines.push_back(Json::parse(text.substr(begin, end - begin)));
      begin = end + 1;
    }
    return lines;
  }
  static int64_t Samples(const std::string& location) {
    int64_t samples = 0;
    for (const Json& entry : Manifest(location)) samples += entry["samples"].get<int64_t>();
    return samples;
  }

  // Copies a run, for a test to damage.
  static std::string Copy(const std::string& game, const std::string& name) {
    fs::copy(Location(game), Location(name), fs::copy_options::recursive);
    return Location(name);
  }

  static TemporaryFolder* folder_;
};

TemporaryFolder* DataCli::folder_ = nullptr;

TEST_F(DataCli, EveryCommandHasAnExample) {
  const Ran all = Triarch({"data", "--help"});
  for (const std::string command : {"info", "verify", "sample", "export", "features"}) {
    EXPECT_NE(all.out.find("\n  " + command + " "), std::string::npos) << all.out;
    const Ran one = Triarch({"data", command, "--help"});
    EXPECT_EQ(one.exit_code, 0) << one.err;
    EXPECT_NE(one.out.find("\n  triarch data " + command), std::string::npos) << one.out;
  }
  ExpectRefuses({"data"}, 2, "data: expected info, verify, sample, export or features (see ");
  ExpectRefuses({"data", "info"}, 2, "LOCATION");
  ExpectRefuses({"data", "guess", "x"}, 2,
                "data: expected info, verify, sample, export or features, not \"guess\"");
}

TEST_F(DataCli, VerifiesWhatARunWrote) {
  for (const std::string& game : GameNames()) {
    const std::vector<Json> manifest = Manifest(Location(game));
    ASSERT_GT(manifest.size(), 1u) << game;
    ExpectPrints({"data", "verify", Location(game)},
                 std::to_string(manifest.size()) + " shards, 8 games, " +
                     std::to_string(Samples(Location(game))) + " samples: no faults\n");
    const Json& last = manifest.back();
    ExpectPrints({"data", "verify", Location(game), "--shard", last["shard"].get<std::string>()},
                 "1 shard, " + Counted(last["games"].get<int64_t>(), "game") + ", " +
                     Counted(last["samples"].get<int64_t>(), "sample") + ": no faults\n");
  }
}

TEST_F(DataCli, VerifiesRunsFromOtherStarts) {
  const std::string position =
      "QL1,KL1,QL6,KL6 4/4/DDDD/1BBN|4/4/1N2/4|nbbn/dddd/4/4|DD/RQ|DD/KR|rq/dd|kr/dd b KQkq - 1 1";
  const std::vector<std::pair<std::string, std::string>> begins = {
      {"server", "game: triumvirate\nstart: server\n"},
      {"meder", "game: tri-d\nstart: meder\n"},
      {"position", "game: tri-d\nopenings: {positions: [\"" + position + "\"]}\n"}};
  for (const auto& [name, begin] : begins) {
    const std::string location = Location(name);
    const std::string file = location + ".yaml";
    WriteWholeFile(file, begin +
                             "mode: selfplay\nbots: [random]\ngames: 20\n"
                             "output: {data: " +
                             location + "}\n");
    const Ran ran = Triarch({"run", file});
    ASSERT_EQ(ran.exit_code, 0) << ran.err;
    ExpectPrints({"data", "verify", location},
                 Counted(Manifest(location).size(), "shard") + ", 20 games, " +
                     std::to_string(Samples(location)) + " samples: no faults\n");
  }
}

TEST_F(DataCli, VerifyCountsFilesOutsideTheManifest) {
  const std::string location = Copy("tri-d", "more");
  const std::string verified = Triarch({"data", "verify", location}).out;
  WriteWholeFile(location + "/shards/stray.npz", "bytes");
  WriteWholeFile(location + "/notes.txt", "not under shards/");
  ExpectPrints({"data", "verify", location},
               verified + "ignored 1 file under shards/ that the manifest does not name\n");
  WriteWholeFile(location + "/shards/notes.txt", "mine");
  ExpectPrints({"data", "verify", location},
               verified + "ignored 2 files under shards/ that the manifest does not name\n");
}

TEST_F(DataCli, VerifyReportsEveryFault) {
  const std::string location = Copy("tri-d", "damaged");
  const std::vector<Json> manifest = Manifest(location);
  const std::string first = manifest[0]["shard"];
  const std::string second = manifest[1]["shard"];
  WriteWholeFile(location + "/" + first, ReadWholeFile(location + "/" + first) + "x");
  fs::remove(location + "/" + second);
  const Ran ran = Triarch({"data", "verify", location});
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_NE(ran.out.find(first + ": the manifest says " + manifest[0]["bytes"].dump() + " bytes"),
            std::string::npos)
      << ran.out;
  EXPECT_NE(ran.out.find(first + ": the manifest says SHA-256 "), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find(second + ": the file is missing\n"), std::string::npos) << ran.out;
  EXPECT_NE(ran.err.find("error: " + location + ": "), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find(" faults\n"), std::string::npos) << ran.err;
  // With --shard, faults of other shards are not reported.
  EXPECT_EQ(Triarch({"data", "verify", location, "--shard", manifest.back()["shard"]}).exit_code,
            0);
  ExpectRefuses({"data", "info", location}, 1, location + "/" + first + ": ");
  ExpectRefuses({"data", "sample", location, "--number", "0"}, 1, location + "/" + first + ": ");
}

TEST_F(DataCli, VerifyShowsTwentyFaultsAndCountsTheRest) {
  const std::string location = Copy("tri-d", "many");
  const std::string line = Manifest(location)[0].dump() + "\n";
  std::string manifest;
  for (int i = 0; i < 30; ++i) manifest += line;
  WriteWholeFile(location + "/manifest.jsonl", manifest);
  const Ran ran = Triarch({"data", "verify", location});
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_EQ(std::count(ran.out.begin(), ran.out.end(), '\n'), 21) << ran.out;
  EXPECT_NE(ran.out.find("\nand "), std::string::npos) << ran.out;
}

TEST_F(DataCli, InfoSummarizesARun) {
  int64_t resignations = 0;
  for (const std::string& game : GameNames()) {
    const Ran json = Triarch({"data", "info", Location(game), "--json"});
    ASSERT_EQ(json.exit_code, 0) << json.err;
    const Json info = Json::parse(json.out);
    EXPECT_EQ(info["game"], game);
    EXPECT_EQ(info["games"], 8);
    EXPECT_EQ(info["samples"], Samples(Location(game)));
    EXPECT_EQ(info["shards"], Manifest(Location(game)).size());
    EXPECT_EQ(info["specs"], Json::array({Manifest(Location(game))[0]["spec"]}));
    EXPECT_EQ(info["seats"].size(), game == "tri-d" ? 2u : 3u);
    double points = 0;
    for (const Json& seat : info["seats"]) points += seat["points"].get<double>();
    EXPECT_NEAR(points, 1, 1e-5);
    int64_t counted = 0;
    for (const Json& bar : info["sample_plies"]["bars"]) counted += bar["count"].get<int64_t>();
    EXPECT_EQ(counted, Samples(Location(game)));
    EXPECT_LE(info["resignations"]["false"], info["resignations"]["played_out"]);
    resignations += info["resignations"]["played_out"].get<int64_t>();

    const Ran text = Triarch({"data", "info", Location(game)});
    EXPECT_EQ(text.exit_code, 0) << text.err;
    EXPECT_NE(text.out.find("\ngames               8\n"), std::string::npos) << text.out;
    EXPECT_NE(text.out.find("\nfalse resignations  " + info["resignations"]["false"].dump() +
                            " of " + info["resignations"]["played_out"].dump()),
              std::string::npos)
        << text.out;
    EXPECT_NE(text.out.find("\nplies of games: "), std::string::npos) << text.out;
  }
  EXPECT_GT(resignations, 0);
}

TEST_F(DataCli, InfoCountsOpeningsByPlies) {
  const auto different = [](const std::string& plies) {
    const Ran ran =
        Triarch({"data", "info", Location("triumvirate"), "--json", "--opening", plies});
    return Json::parse(ran.out)["openings"]["different"].get<int>();
  };
  EXPECT_LE(different("1"), different("30"));
  EXPECT_EQ(different("30"), 8);
  ExpectRefuses({"data", "info", Location("triumvirate"), "--opening", "0"}, 2, "--opening");
}

// Expects that the text contains the board, with marks (*) on the last move.
void ExpectBoard(const std::string& board, const std::string& text) {
  const std::string cells = board.substr(0, board.find("\nto move"));
  const size_t begin = text.find("\n\n") + 2;
  ASSERT_LE(begin + cells.size(), text.size()) << text;
  std::string marked = text.substr(begin, cells.size());
  EXPECT_NE(marked.find('*'), std::string::npos) << text;
  for (size_t i = 0; i < cells.size(); ++i) {
    if (marked[i] == '*') marked[i] = cells[i];
  }
  EXPECT_EQ(marked, cells) << text;
  EXPECT_NE(text.find(board.substr(board.find("\nto move"))), std::string::npos) << text;
}

TEST_F(DataCli, SampleShowsTheBoardAndTheMoves) {
  for (const std::string& game : GameNames()) {
    const Ran ran = Triarch({"data", "sample", Location(game), "--number", "10"});
    ASSERT_EQ(ran.exit_code, 0) << ran.err;
    const Json line = Lines(Triarch({"data", "export", Location(game), "--to", "-"}).out)[10];
    const std::string position = line["position"];
    EXPECT_TRUE(ran.out.starts_with("sample      10 of shards/")) << ran.out;
    const Ran shown = Triarch({"show", "--game", game, "--position", position, "--color", "never"});
    ExpectBoard(shown.out, ran.out);
    EXPECT_NE(ran.out.find("\nply         " + line["ply"].dump() + "\n"), std::string::npos);
    EXPECT_NE(ran.out.find("\nlegal       " + std::to_string(line["legal"].size()) + " moves"),
              std::string::npos)
        << ran.out;
    EXPECT_NE(ran.out.find("\nplayed      " + line["played"].get<std::string>() + "\n"),
              std::string::npos)
        << ran.out;
    EXPECT_NE(ran.out.find("\nplies left  " + line["plies_left"].dump() + "\n"), std::string::npos)
        << ran.out;
  }
}

TEST_F(DataCli, SampleDrawsBySeed) {
  const auto draw = [](const std::string& count, const std::string& seed) {
    const Ran ran =
        Triarch({"data", "sample", Location("tri-d"), "--count", count, "--seed", seed});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    return ran.out;
  };
  const auto count = [](const std::string& text) {
    int found = 0;
    for (size_t at = text.find("sample  "); at != std::string::npos;
         at = text.find("sample  ", at + 1)) {
      ++found;
    }
    return found;
  };
  EXPECT_EQ(count(draw("3", "7")), 3);
  EXPECT_EQ(draw("3", "7"), draw("3", "7"));
  EXPECT_NE(draw("3", "7"), draw("3", "8"));
  EXPECT_EQ(count(draw("1000", "1")), std::min<int64_t>(Samples(Location("tri-d")), 1000));
  const std::string shard = Manifest(Location("tri-d"))[1]["shard"];
  const Ran one = Triarch({"data", "sample", Location("tri-d"), "--shard", shard, "--count", "2"});
  EXPECT_NE(one.out.find(" of " + shard + "\n"), std::string::npos) << one.out;
}

TEST_F(DataCli, SampleRefusesBadOptions) {
  const std::string location = Location("tri-d");
  ExpectRefuses({"data", "sample", location, "--number", "100000"}, 1, "there is no sample 100000");
  ExpectRefuses({"data", "sample", location, "--number", "-1"}, 2, "--number");
  ExpectRefuses({"data", "sample", location, "--count", "0"}, 2, "--count");
  ExpectRefuses({"data", "sample", location, "--count", "2", "--number", "1"}, 2, "--number");
  ExpectRefuses({"data", "sample", location, "--color", "red"}, 2, "--color");
  ExpectRefuses({"data", "sample", location, "--shard", "other"}, 1, "other");
  ExpectRefuses({"data", "sample", Location("nowhere")}, 1, "no manifest.jsonl");
  ExpectRefuses({"data", "sample", ""}, 2, "LOCATION");
}

// Compares each line with what the other commands print for its position.
TEST_F(DataCli, ExportsLinesOfJson) {
  for (const std::string& game : GameNames()) {
    const std::string path = Location(game + ".jsonl");
    ExpectPrints({"data", "export", Location(game), "--to", path}, "");
    const std::vector<Json> lines = Lines(ReadWholeFile(path));
    ASSERT_EQ(static_cast<int64_t>(lines.size()), Samples(Location(game)));
    for (size_t i = 0; i < lines.size(); i += 97) {
      const Json& line = lines[i];
      const Ran moves =
          Triarch({"moves", "--game", game, "--position", line["position"].get<std::string>()});
      std::vector<std::string> legal = line["legal"];
      EXPECT_NE(std::find(legal.begin(), legal.end(), line["played"]), legal.end());
      std::sort(legal.begin(), legal.end());
      std::string text;
      for (const std::string& move : legal) text += move + "\n";
      EXPECT_EQ(moves.out, text) << line.dump();
      if (line["policy"].is_null()) continue;
      double sum = 0;
      for (const Json& share : line["policy"]) sum += share.get<double>();
      EXPECT_NEAR(sum, 1, 1e-3) << line.dump();
      EXPECT_EQ(line["policy"].size(), legal.size());
    }
    ExpectPrints({"data", "export", Location(game), "--to", "-"}, ReadWholeFile(path));
  }
}

TEST_F(DataCli, ExportsShardsOfAnotherSize) {
  for (const std::string& game : GameNames()) {
    const std::string location = Location(game);
    const Ran all =
        Triarch({"data", "export", location, "--to", location + "-large", "--format", "npz"});
    ASSERT_EQ(all.exit_code, 0) << all.err;
    EXPECT_TRUE(all.out.starts_with(std::to_string(Samples(location)) + " samples in 1 shard, "))
        << all.out;
    ExpectPrints(
        {"data", "verify", location + "-large"},
        "1 shard, 8 games, " + std::to_string(Samples(location)) + " samples: no faults\n");
    const Ran small =
        Triarch({"data", "export", location + "-large", "--to", location + "-small", "--format",
                 "npz", "--shard-samples", "1", "--compression", "stored"});
    ASSERT_EQ(small.exit_code, 0) << small.err;
    EXPECT_GT(Manifest(location + "-small").size(), 5u);
    EXPECT_EQ(Triarch({"data", "verify", location + "-small"}).exit_code, 0);
    // The same samples, in the order of their games.
    EXPECT_EQ(Triarch({"data", "export", location + "-small", "--to", "-"}).out,
              Triarch({"data", "export", location + "-large", "--to", "-"}).out);
    ExpectRefuses({"data", "export", location, "--to", location + "-large", "--format", "npz"}, 1,
                  "manifest.jsonl exists; expected an empty location");
  }
}

TEST_F(DataCli, ExportRefusesBadOptions) {
  const std::string location = Location("tri-d");
  const std::vector<std::pair<Arguments, std::string>> cases = {
      {{}, "--to is required"},
      {{"--to", ""}, "--to: expected the name of a file"},
      {{"--to", "", "--format", "npz"}, "--to: expected a folder or s3://"},
      {{"--to", "-", "--format", "npz"}, "--to: expected a folder or s3://"},
      {{"--to", "x", "--format", "csv"}, "--format: expected jsonl or npz, not \"csv\""},
      {{"--to", "x", "--shard-samples", "5"}, "--shard-samples needs --format npz"},
      {{"--to", "x", "--compression", "stored"}, "--compression needs --format npz"},
      {{"--to", "x", "--format", "npz", "--shard-samples", "0"},
       "--shard-samples: expected a whole"},
      {{"--to", "x", "--format", "npz", "--compression", "zip"}, "--compression: expected deflate"},
  };
  for (const auto& [more, what] : cases) {
    Arguments arguments = {"data", "export", location};
    arguments.insert(arguments.end(), more.begin(), more.end());
    ExpectRefuses(arguments, 2, what);
  }
  ExpectRefuses({"data", "export", location, "--to", Location("nowhere/x.jsonl")}, 1,
                "nowhere/x.jsonl");
  const std::string manifest = ReadWholeFile(location + "/manifest.jsonl");
  for (const std::string inside : {"/manifest.jsonl", "/shards/../new.jsonl"}) {
    ExpectRefuses({"data", "export", location, "--to", location + inside}, 2,
                  "is in the folder of the data set");
  }
  EXPECT_EQ(ReadWholeFile(location + "/manifest.jsonl"), manifest);
  ExpectRefuses({"data", "export", Location("nowhere"), "--to", "-"}, 1, "no manifest.jsonl");
}

TEST_F(DataCli, FailedExportLeavesNoFile) {
  const std::string location = Copy("tri-d", "cut");
  fs::remove(location + "/" + Manifest(location)[1]["shard"].get<std::string>());
  ExpectRefuses({"data", "export", location, "--to", Location("cut.jsonl")}, 1,
                "the file is missing");
  EXPECT_FALSE(fs::exists(Location("cut.jsonl")));
  EXPECT_FALSE(fs::exists(Location("cut.jsonl.tmp")));
}

}  // namespace
}  // namespace triarch
