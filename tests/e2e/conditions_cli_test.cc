// Tests the conditions of play of `triarch run`: time controls, odds, adjudication and openings.

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "tests/e2e/triarch.h"

namespace triarch {
namespace {

using ::testing::HasSubstr;

// Plays a tournament that must succeed, verifies its games, and returns their TPGN.
std::string Played(const std::string& game, Arguments flags) {
  const TemporaryFolder folder;
  const std::string tpgn = folder / "games.tpgn";
  flags.insert(flags.end(), {"--tpgn", tpgn});
  const Ran ran = Triarch(GameCommand(game, "run", flags));
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  const Ran verified = Triarch({"verify", tpgn});
  EXPECT_EQ(verified.exit_code, 0) << verified.out << verified.err;
  return ReadWholeFile(tpgn);
}

TEST(ConditionsCli, PlaysWithAClockInSessions) {
  const std::string tpgn = Played("tri-d", {"--bots", "random,greedy", "--games", "2", "--tc",
                                            "5/1:00.5+2", "--plies-max", "30"});
  EXPECT_THAT(tpgn, HasSubstr("[TimeControl \"5/60.5+2\"]\n"));
  // After five moves the clock has all its time again, and the increments.
  EXPECT_THAT(tpgn, HasSubstr("[%clk 0:02:"));
}

TEST(ConditionsCli, RefusesAWrongClock) {
  ExpectRefuses({"run", "--bots", "random,greedy,mcts", "--tc", "40/2m"}, 2,
                "--tc is \"40/2m\"; TIME \"2m\" is not from 0.001 to 1000000 seconds; expected "
                "[MOVES/]TIME[+INCREMENT] with seconds or MINUTES:SECONDS, as in 60+0.6");
}

}  // namespace
}  // namespace triarch
