// Tests `triarch run` with kills, interrupts and a full disk, on the real binary.

#include <signal.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "coordinator/store/store.h"
#include "core/base/random.h"
#include "core/base/text.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/e2e/binary_runner.h"
#include "tests/fault/started_program.h"

namespace triarch {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Arguments = std::vector<std::string>;

Ran Triarch(const Arguments& arguments) { return RunProgram(TRIARCH_BINARY, arguments); }

Arguments operator+(Arguments a, const Arguments& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// A tournament that takes a few seconds on one slot, and its files.
class RunTest : public ::testing::Test {
 protected:
  static constexpr int64_t kGames = 160;

  Arguments Spec(int64_t games = kGames) const {
    return {"run",
            "--bots",
            "random,greedy,mcts:nodes=40,paranoid:nodes=200",
            "--games",
            std::to_string(games),
            "--seed",
            "5"};
  }
  Arguments Files() const { return {"--db", db_, "--tpgn", tpgn_}; }

  // Returns the TPGN of an undisturbed run of that many games. All tests share it.
  const std::string& UndisturbedTpgn(int64_t games = kGames) const {
    static std::map<int64_t, std::string> texts;
    if (texts[games].empty()) {
      const Ran ran = Triarch(Spec(games) + Arguments{"--tpgn", folder_ / "undisturbed.tpgn"});
      EXPECT_EQ(ran.exit_code, 0) << ran.err;
      texts[games] = ReadWholeFile(folder_ / "undisturbed.tpgn");
    }
    return texts[games];
  }

  // Expects every game exactly once, in the database and in the file, and correct.
  void ExpectComplete(int64_t games = kGames) const {
    const auto store = OpenSqliteStore(db_, OpenMode::kReadOnly);
    ASSERT_TRUE(store.ok()) << store.status();
    const auto tournaments = (*store)->Tournaments();
    ASSERT_TRUE(tournaments.ok()) << tournaments.status();
    ASSERT_EQ(tournaments->size(), 1u);
    EXPECT_EQ(tournaments->front().games_recorded, games);
    const auto recorded = (*store)->Recorded(tournaments->front().id);
    ASSERT_TRUE(recorded.ok()) << recorded.status();
    EXPECT_THAT(*recorded, ElementsAre(Range{0, games}));
    ExpectResultsOfAllGames(**store);
    EXPECT_TRUE(ReadWholeFile(tpgn_) == UndisturbedTpgn(games)) << "the TPGN differs";
    const Ran verified = Triarch({"verify", tpgn_});
    EXPECT_EQ(verified.out, std::to_string(games) + " games verified\n") << verified.err;
  }

  // Expects that the results for standings, and the sums of costs, are those of all games.
  static void ExpectResultsOfAllGames(Store& store) {
    using Result = std::tuple<int64_t, int64_t, PerSeat<int>, Outcome>;
    std::vector<Result> games;
    GameCosts costs;
    const auto add = [&](const GameSummary& game) {
      costs.Add(game);
      games.emplace_back(game.index, game.match, game.bots, game.outcome);
      return absl::OkStatus();
    };
    EXPECT_TRUE(store.VisitGames(1, {}, add).ok());
    std::vector<Result> results;
    const auto keep = [&results](const GameSummary& game) {
      results.emplace_back(game.index, game.match, game.bots, game.outcome);
      return absl::OkStatus();
    };
    EXPECT_EQ(store.VisitResults(1, keep).value(), costs);
    EXPECT_TRUE(results == games);
  }

  TemporaryFolder folder_;
  const std::string db_ = folder_ / "run.db";
  const std::string tpgn_ = folder_ / "run.tpgn";
};

TEST_F(RunTest, PlaysTheSameGamesWithAnyNumberOfSlots) {
  const std::string expected = UndisturbedTpgn();
  for (const std::string slots : {"1", "2", "7"}) {
    const Ran ran = Triarch(Spec() + Arguments{"--tpgn", tpgn_, "--slots", slots});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_TRUE(ReadWholeFile(tpgn_) == expected) << slots << " slots";
  }
}

TEST_F(RunTest, PlaysTheSameGamesWithADepthLimit) {
  std::vector<std::string> texts;
  for (const std::string slots : {"1", "3"}) {
    const Ran ran =
        Triarch({"run", "--bots", "greedy,maxn,paranoid", "--depth", "1", "--random-plies", "6",
                 "--games", "12", "--tpgn", tpgn_, "--slots", slots});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    texts.push_back(ReadWholeFile(tpgn_));
  }
  EXPECT_TRUE(texts[0] == texts[1]);
  EXPECT_THAT(texts[0], HasSubstr("[TimeControl \"depth=1\"]"));
}

// The seed determines when the run is killed, but not its progress by then. Repeat a seed several
// times to reproduce a failure.
uint64_t FaultSeed() {
  const char* const given = std::getenv("TRIARCH_FAULT_SEED");
  if (given != nullptr) return ParseUint64(given).value_or(1);
  return static_cast<uint64_t>(std::chrono::system_clock::now().time_since_epoch().count());
}

TEST_F(RunTest, ResumesAfterKillsAndRecordsEachGameOnce) {
  const uint64_t seed = FaultSeed();
  SCOPED_TRACE("TRIARCH_FAULT_SEED=" + std::to_string(seed));
  Random random(seed);
  constexpr int64_t kManyGames = 480;
  uint32_t kills = 0;
  while (true) {
    StartedProgram run(TRIARCH_BINARY, Spec(kManyGames) + Files());
    // Finished games are recorded within a quarter of a second, so most runs make some progress; a
    // slow machine takes longer.
    if (run.EndsWithin(milliseconds(random.Below(400 + 10 * kills)))) {
      const Ran ran = run.Wait();
      ASSERT_EQ(ran.exit_code, 0) << ran.err;
      break;
    }
    run.Signal(SIGKILL);
    const int exit_code = run.Wait().exit_code;
    if (exit_code == 0) break;  // it finished just before the kill
    EXPECT_EQ(exit_code, 128 + SIGKILL);
    ++kills;
    ASSERT_LT(kills, 200u) << "no progress";
  }
  RecordProperty("kills", std::to_string(kills));
  ExpectComplete(kManyGames);
}

TEST_F(RunTest, WritesTheTpgnNextTimeIfKilledBefore) {
  ASSERT_EQ(Triarch(Spec() + Files()).exit_code, 0);
  WriteWholeFile(tpgn_ + ".tmp", "half of a fi");
  std::filesystem::remove(tpgn_);
  const Ran ran = Triarch(Spec() + Files());
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("already complete: 160 games; delete " + db_));
  ExpectComplete();
}

TEST_F(RunTest, StopsCleanlyWhenInterruptedAndResumes) {
  for (const int signal_number : {SIGINT, SIGTERM}) {
    StartedProgram run(TRIARCH_BINARY, Spec() + Files() + Arguments{"--slots", "1"});
    ASSERT_TRUE(run.WaitForError("4 bots, 160 games"));
    run.EndsWithin(milliseconds(100));
    run.Signal(signal_number);
    const Ran ran = run.Wait();
    EXPECT_EQ(ran.exit_code, 1);
    EXPECT_THAT(ran.err, HasSubstr("of 160 games were played; the same command resumes the run"));
    EXPECT_THAT(ran.out, HasSubstr("paranoid:nodes=200")) << "the standings so far";
    EXPECT_THAT(ran.out, HasSubstr("games in " + tpgn_));
    const Ran verified = Triarch({"verify", tpgn_});
    EXPECT_EQ(verified.exit_code, 0) << verified.out << verified.err;
  }
  EXPECT_EQ(Triarch(Spec() + Files()).exit_code, 0);
  ExpectComplete();
}

TEST_F(RunTest, AFullDiskIsAnErrorAndLosesNoGames) {
  std::string words;
  for (const std::string& word : Spec() + Files()) words += " '" + word + "'";
  // Limits files to 200 blocks of 512 bytes; writing beyond fails as on a full disk.
  const Ran full =
      RunProgram("/bin/sh", {"-c", "trap '' XFSZ; ulimit -f 200; exec " TRIARCH_BINARY + words});
  EXPECT_EQ(full.exit_code, 1);
  EXPECT_THAT(full.err, HasSubstr("error: "));
  EXPECT_THAT(full.err, HasSubstr(db_));
  EXPECT_EQ(Triarch(Spec() + Files()).exit_code, 0);
  ExpectComplete();
}

// The first tournament is interrupted, so that the second must not play its games.
TEST_F(RunTest, AnotherTournamentJoinsTheDatabase) {
  StartedProgram run(TRIARCH_BINARY, Spec() + Files() + Arguments{"--slots", "1"});
  ASSERT_TRUE(run.WaitForError("4 bots, 160 games"));
  run.Signal(SIGINT);
  EXPECT_EQ(run.Wait().exit_code, 1);
  const Ran added = Triarch(
      {"run", "--bots", "random,greedy,mcts:nodes=40", "--games", "6", "--seed", "6", "--db", db_});
  EXPECT_EQ(added.exit_code, 0);
  EXPECT_THAT(added.err, HasSubstr("added to " + db_ +
                                   " as tournament 2; tournament 1 differs: "
                                   "its bots are random greedy mcts:nodes=40 paranoid:nodes=200, "
                                   "not random greedy mcts:nodes=40; its seed is 5, not 6"));
  EXPECT_THAT(added.out, HasSubstr("as tournament 2; triarch ratings " + db_ + " rates them all"));
  {
    const auto store = OpenSqliteStore(db_, OpenMode::kReadOnly).value();
    EXPECT_LT(store->Tournament(1)->games_recorded, kGames);
    EXPECT_EQ(store->Tournament(2)->games_recorded, 6);
  }
  // Both can be continued.
  EXPECT_EQ(Triarch(Spec() + Files()).exit_code, 0);
  EXPECT_TRUE(ReadWholeFile(tpgn_) == UndisturbedTpgn()) << "the TPGN differs";
  const Ran again = Triarch(
      {"run", "--bots", "random,greedy,mcts:nodes=40", "--games", "6", "--seed", "6", "--db", db_});
  EXPECT_THAT(again.out, HasSubstr("already complete: 6 games; raise --games"));
  EXPECT_EQ(again.err, "");
}

TEST_F(RunTest, TheNumberOfGamesMayGrowButNotShrink) {
  ASSERT_EQ(Triarch(Spec(10) + Files()).exit_code, 0);
  ExpectComplete(10);
  const Ran grown = Triarch(Spec(25) + Files() + Arguments{"--slots", "2"});
  EXPECT_EQ(grown.exit_code, 0) << grown.err;
  EXPECT_THAT(grown.err, HasSubstr("25 games, 10 of them recorded already"));
  ExpectComplete(25);
  const Ran shrunk = Triarch(Spec(10) + Files());
  EXPECT_EQ(shrunk.exit_code, 1);
  EXPECT_THAT(shrunk.err, HasSubstr("25 games"));
  ExpectComplete(25);
}

TEST_F(RunTest, RejectsAConcurrentRun) {
  StartedProgram first(TRIARCH_BINARY, Spec(100'000) + Files());
  ASSERT_TRUE(first.WaitForError("100000 games"));
  const Ran second = Triarch(Spec(100'000) + Files());
  EXPECT_EQ(second.exit_code, 1);
  EXPECT_EQ(second.out, "");
  EXPECT_EQ(std::count(second.err.begin(), second.err.end(), '\n'), 1) << second.err;
  EXPECT_THAT(second.err, HasSubstr(db_));
  first.Signal(SIGINT);
  EXPECT_EQ(first.Wait().exit_code, 1);
}

TEST_F(RunTest, DetectsFilesThatCannotBeWrittenAtOnce) {
  for (const Arguments& files : {Arguments{"--db", folder_ / "no/run.db"},
                                 Arguments{"--db", db_, "--tpgn", folder_ / "no/run.tpgn"},
                                 Arguments{"--tpgn", folder_ / "no/run.tpgn"}}) {
    const Ran ran = Triarch(Spec(1'000'000) + files);
    EXPECT_EQ(ran.exit_code, 1);
    EXPECT_THAT(ran.err, HasSubstr("no/run."));
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
  }
}

TEST_F(RunTest, FlagsOverrideTheFile) {
  const std::string yaml = folder_ / "t.yaml";
  WriteWholeFile(yaml,
                 "game: triumvirate\n"
                 "bots: [random, greedy, {name: m, bot: mcts, nodes: 20}]\n"
                 "games: 500\n"
                 "output: {db: never.db}\n");
  const Ran ran = Triarch({"run", yaml, "--games", "4", "--db", db_, "--tpgn", tpgn_});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("3 bots, 4 games"));
  EXPECT_THAT(ran.out, HasSubstr("recorded in " + db_));
  EXPECT_FALSE(std::filesystem::exists("never.db"));
}

TEST_F(RunTest, UsageErrorsAreOneLine) {
  struct Case {
    Arguments arguments;
    int exit_code;
    std::string what;
  };
  const std::string yaml = folder_ / "t.yaml";
  WriteWholeFile(yaml, "game: triumvirate\nbots: [random, greedy, mcts]\nspeed: 9\n");
  const std::vector<Case> cases = {
      {{}, 2, "expected a tournament FILE or --bots"},
      {{"--bots", "random,greedy"}, 2, "--bots: 2 bots are too few"},
      {{"--bots", "random,greedy,deepblue"}, 2, "deepblue"},
      {{"--bots", "random,greedy,random"}, 2, "two bots are named random"},
      {{"--bots", "random,greedy,mcts:speed=3"}, 2, "speed"},
      {{"--game", "go", "--bots", "random,greedy,mcts"}, 2, "--game is \"go\""},
      {{"--bots", "random,greedy,mcts", "--games", "0"}, 2, "--games"},
      {{"--bots", "random,greedy,mcts", "--games", "many"}, 2, "--games"},
      {{"--bots", "random,greedy,mcts", "--games", "6", "--cycles", "1"}, 2, "--cycles"},
      {{"--bots", "random,greedy,mcts", "--format", "cup"},
       2,
       "--format is \"cup\"; expected one of round_robin"},
      {{"--bots", "random,greedy,mcts", "--tc", "60+"}, 2, "--tc is \"60+\"; INCREMENT"},
      {{"--bots", "random,greedy,mcts", "--tpgn", "-"}, 2, "--tpgn: "},
      {{folder_ / "none.yaml"}, 1, "none.yaml"},
      {{yaml}, 1, yaml + ":3:1: "},
  };
  for (const Case& test : cases) {
    const Ran ran = Triarch(Arguments{"run"} + test.arguments);
    EXPECT_EQ(ran.exit_code, test.exit_code) << ran.err;
    EXPECT_EQ(ran.out, "");
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
    EXPECT_THAT(ran.err, HasSubstr(test.what));
  }
}

}  // namespace
}  // namespace triarch
