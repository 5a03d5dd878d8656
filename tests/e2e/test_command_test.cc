// Tests `triarch test`.

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "nlohmann/json.hpp"
#include "tests/e2e/triarch.h"

namespace triarch {
namespace {

using Json = nlohmann::json;
using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

Arguments Joined(Arguments first, const Arguments& rest) {
  first.insert(first.end(), rest.begin(), rest.end());
  return first;
}

// In each game, with bots whose order is clear.
TEST(TestCommand, TheExitCodeIsTheVerdict) {
  for (const std::string game : {"triumvirate", "three-way", "tri-d"}) {
    const Arguments flags = {"--game", game, "--elo", "0,50", "--json"};
    const Ran better = Triarch(Joined({"test", "greedy", "random"}, flags));
    EXPECT_EQ(better.exit_code, 0) << better.err;
    const Json result = Json::parse(better.out);
    EXPECT_EQ(result["verdict"], "better");
    EXPECT_GE(result["llr"], result["llr_high"]);
    EXPECT_GT(result["elo_low"], 0);
    EXPECT_EQ(result["sides"][0]["name"], "greedy");
    const Ran worse = Triarch(Joined({"test", "random", "greedy"}, flags));
    EXPECT_EQ(worse.exit_code, 3) << worse.err;
    EXPECT_EQ(Json::parse(worse.out)["verdict"], "not_shown");
    const Ran undecided = Triarch(
        Joined({"test", "random", "random"}, {"--game", game, "--elo", "0,1", "--games", "126"}));
    EXPECT_EQ(undecided.exit_code, 4) << undecided.err;
    EXPECT_THAT(undecided.out, AllOf(StartsWith("undecided: the games do not show whether random "
                                                "is stronger than random-base"),
                                     HasSubstr("not adjusted for looking")));
  }
}

TEST(TestCommand, PlaysInAPool) {
  const Ran ran = Triarch({"test", "greedy", "random", "--pool", "paranoid:depth=1,maxn:depth=1",
                           "--elo", "0,50", "--json"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  const Json result = Json::parse(ran.out);
  EXPECT_EQ(result["field"], "pool");
  EXPECT_EQ(result["sides"].size(), 4u);
  EXPECT_THAT(result["text"].get<std::string>(),
              EndsWith("at a table with paranoid:depth=1, maxn:depth=1"));
}

TEST(TestCommand, TheVerdictDoesNotDependOnTheSlots) {
  const Arguments test = {"test",   "smart", "smart:risk=0.2", "--elo", "0,50",
                          "--seed", "4",     "--json"};
  const Ran one = Triarch(Joined(test, {"--slots", "1"}));
  for (const std::string slots : {"2", "8"}) {
    const Ran more = Triarch(Joined(test, {"--slots", slots}));
    EXPECT_EQ(more.out, one.out);
    EXPECT_EQ(more.exit_code, one.exit_code);
  }
}

TEST(TestCommand, ContinuesItsDatabase) {
  const TemporaryFolder folder;
  const std::string db = folder / "test.db";
  const Arguments test = {"test",   "smart", "smart:risk=0.2", "--elo", "0,20",
                          "--seed", "4",     "--db",           db};
  const Ran first = Triarch(Joined(test, {"--games", "120"}));
  EXPECT_EQ(first.exit_code, 4) << first.err;
  const Ran second = Triarch(test);
  EXPECT_EQ(second.exit_code, 0) << second.err;
  EXPECT_THAT(second.out, StartsWith("better: smart is stronger than smart:risk=0.2"));
  const Ran third = Triarch(test);
  EXPECT_EQ(third.exit_code, 0) << third.err;
  EXPECT_THAT(third.out, HasSubstr("already complete"));
  const Ran standings = Triarch({"standings", "--db", db});
  EXPECT_THAT(third.out, StartsWith(standings.out));
  const Ran undisturbed =
      Triarch({"test", "smart", "smart:risk=0.2", "--elo", "0,20", "--seed", "4"});
  EXPECT_THAT(undisturbed.out, StartsWith(standings.out));
}

TEST(TestCommand, ReadsAFile) {
  const TemporaryFolder folder;
  const std::string file = folder / "test.yaml";
  WriteWholeFile(file,
                 "game: triumvirate\n"
                 "mode: test\n"
                 "bots: [greedy, {name: old, bot: random}]\n"
                 "test: {nelo: [0, 50], alpha: 0.1, beta: 0.1, score: firsts}\n");
  const Ran ran = Triarch({"run", file});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_THAT(ran.out, AllOf(StartsWith("better: greedy is stronger than old in mirror games"),
                             HasSubstr("0 against 50 normalized Elo, alpha 0.1, beta 0.1")));
}

TEST(TestCommand, ShowsItsPlan) {
  const Ran ran = Triarch({"test", "smart", "greedy", "--elo", "0,5", "--show-plan"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_THAT(ran.out, AllOf(HasSubstr("True Elo"), HasSubstr("95%"), HasSubstr("17040")));
}

TEST(TestCommand, RefusesWhatIsNoTest) {
  ExpectRefuses({"test", "greedy", "random", "--elo", "5,0"}, 2, "two ascending numbers");
  ExpectRefuses({"test", "greedy", "random", "--elo", "5"}, 2, "--elo is \"5\"");
  ExpectRefuses({"test", "greedy", "random", "--elo", "0,5", "--nelo", "0,2"}, 2,
                "--nelo: give either test.elo or test.nelo");
  ExpectRefuses({"test", "greedy", "random", "--alpha", "0"}, 2, "--alpha is \"0\"");
  ExpectRefuses({"test", "greedy", "random", "--games", "60"}, 2,
                "--games is 60; expected at least 120");
  ExpectRefuses({"test", "greedy", "random", "--field", "pool"}, 2, "at least three");
  ExpectRefuses({"test", "greedy,smart", "random"}, 2, "expected one bot, without commas");
  ExpectRefuses({"test", "greedy", "random", "--random-plies", "0"}, 2,
                "a test needs different openings");
  ExpectRefuses({"test", "greedy", "random", "--elo", "0,0.001"}, 2, "at least 0.01 between them");
  ExpectRefuses({"test", "greedy", "random", "--tpgn", "-"}, 2, "standard output");
  ExpectRefuses({"test", "greedy", "random", "--game", "tri-d", "--pool", "smart"}, 2,
                "needs three seats");
  ExpectRefuses({"test", "greedy", "nobody"}, 2, "error: unknown bot \"nobody\"");
  ExpectRefuses({"run", "--bots", "greedy,random,smart", "--elo", "0,5"}, 2,
                "test.elo applies only to mode: test");
}

}  // namespace
}  // namespace triarch
