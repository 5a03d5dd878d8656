// Tests `triarch tune`.

#include <fstream>
#include <string>

#include "gmock/gmock.h"
#include "tests/e2e/triarch.h"

namespace triarch {
namespace {

using ::testing::HasSubstr;

TEST(TuneCommand, ExplainsItself) {
  const Ran ran = Triarch({"tune", "--help"});
  EXPECT_EQ(ran.exit_code, 0);
  for (const std::string part : {"--option NAME[=MIN..MAX[:STEP]]", "--rate X", "--elo LOW,HIGH",
                                 "--svg FILE", "0.008 up to 30 000 games"}) {
    EXPECT_THAT(ran.out, HasSubstr(part));
  }
}

TEST(TuneCommand, RefusesWhatIsNoTuning) {
  ExpectRefuses({"tune", "smart"}, 2, "--option");
  ExpectRefuses({"tune", "smart,greedy", "--option", "risk"}, 2,
                "expected one bot, without commas");
  ExpectRefuses({"tune", "nobody", "--option", "risk"}, 2, "error: unknown bot \"nobody\"");
  ExpectRefuses({"tune", "smart", "--option", "risk=0-1"}, 2,
                "--option: \"risk=0-1\" does not say what to tune; expected NAME");
  ExpectRefuses({"tune", "smart", "--option", "speed"}, 2,
                "--option: bot \"smart\" has no option \"speed\"; its options are material");
  ExpectRefuses(
      {"tune", "smart", "--option", "risk=-1..1"}, 2,
      "--option: the bot refuses risk=-1: option risk of bot \"smart\": expected a number");
  ExpectRefuses({"tune", "smart", "--option", "risk=2..3"}, 2,
                "--option: risk starts at 1; expected a start from 2 to 3");
  ExpectRefuses({"tune", "smart", "--option", "risk", "--option", "risk=0..2"}, 2,
                "--option: risk is given twice");
  ExpectRefuses({"tune", "smart", "--option", "risk=0..2:0"}, 2,
                "--option: the step of risk is 0; expected a number above 0, at most 2");
  ExpectRefuses({"tune", "smart", "--option", "risk", "--games", "1000"}, 2,
                "games is 1000; expected a multiple of 6");
  ExpectRefuses({"tune", "smart", "--option", "risk", "--random-plies", "0"}, 2,
                "tuning needs different openings");
  ExpectRefuses({"tune", "smart", "--option", "risk", "--svg", "a", "--db", "a"}, 2,
                "must be different files");
  ExpectRefuses({"tune", "smart", "--option", "risk", "--svg", "-"}, 2,
                "standard output is for the result");
}

TEST(TuneCommand, FilesSayWhereAValueIsWrong) {
  const TemporaryFolder folder;
  const std::string file = folder / "t.yaml";
  std::ofstream(file) << "game: tri-d\nmode: tune\nbots: [smart]\n"
                      << "tune:\n  options:\n    risk: {min: 3, max: 2}\n";
  ExpectRefuses({"run", file}, 1,
                "t.yaml:6:25: risk has the bounds 3 and 2; expected min below max");
}

}  // namespace
}  // namespace triarch
