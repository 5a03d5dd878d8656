// Runs the built `triarch` binary and checks its output.

#ifndef TRIARCH_TESTS_E2E_TRIARCH_H_
#define TRIARCH_TESTS_E2E_TRIARCH_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/temporary_folder.h"
#include "tests/e2e/binary_runner.h"

namespace triarch {

using Arguments = std::vector<std::string>;

inline Ran Triarch(const Arguments& arguments, std::string_view input = "") {
  return RunProgram(TRIARCH_BINARY, arguments, input);
}

// Returns the command line, for messages.
inline std::string Shown(const Arguments& arguments) {
  std::string text = "triarch";
  for (const std::string& argument : arguments) text += " '" + argument + "'";
  return text;
}

// Expects the command to succeed and to print exactly this.
inline void ExpectPrints(const Arguments& arguments, std::string_view out,
                         std::string_view input = "") {
  const Ran ran = Triarch(arguments, input);
  EXPECT_EQ(ran.out, out) << Shown(arguments);
  EXPECT_EQ(ran.err, "") << Shown(arguments);
  EXPECT_EQ(ran.exit_code, 0) << Shown(arguments);
}

// Expects the command to fail with that exit code, to print nothing, and to report an error on one
// line that contains `what`.
inline void ExpectRefuses(const Arguments& arguments, int exit_code, std::string_view what) {
  const Ran ran = Triarch(arguments);
  EXPECT_EQ(ran.out, "") << Shown(arguments);
  EXPECT_EQ(ran.exit_code, exit_code) << Shown(arguments) << ": " << ran.err;
  EXPECT_TRUE(ran.err.starts_with("error: ")) << Shown(arguments) << ": " << ran.err;
  EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
  EXPECT_NE(ran.err.find(what), std::string::npos) << Shown(arguments) << ": " << ran.err;
}

// Returns `triarch NAME --game GAME REST...`.
inline Arguments GameCommand(const std::string& game, const std::string& name,
                             const Arguments& rest) {
  Arguments arguments = {name, "--game", game};
  arguments.insert(arguments.end(), rest.begin(), rest.end());
  return arguments;
}

// Plays a tournament of bots whose ranking is clear, checks the ranking, verifies the games, and
// returns their TPGN.
inline std::string ExpectRanking(const std::string& game) {
  const TemporaryFolder folder;
  const std::string tpgn = folder / "games.tpgn";
  const Ran ran = Triarch(GameCommand(game, "run",
                                      {"--bots", "random,greedy,paranoid:depth=2", "--games", "60",
                                       "--seed", "3", "--tpgn", tpgn}));
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  const size_t paranoid = ran.out.find("1  paran");
  const size_t greedy = ran.out.find("2  greedy");
  const size_t random = ran.out.find("3  random");
  EXPECT_LT(paranoid, greedy) << ran.out;
  EXPECT_LT(greedy, random) << ran.out;
  EXPECT_NE(random, std::string::npos) << ran.out;
  ExpectPrints({"verify", tpgn}, "60 games verified\n");
  return ReadWholeFile(tpgn);
}

inline constexpr std::string_view kDocumentStart =
    "wRA1,wPA2,bPA7,bRA8,wNB1,wPB2,bPB7,bNB8,wBC1,wPC2,bPC7,bBC8,wQD1,wPD2,bPD7,bQD8,wKE1,wPE2,"
    "rPE11,rQE12,wBF1,wPF2,rPF11,rBF12,wNG1,wPG2,rPG11,rNG12,wRH1,wPH2,rPH11,rRH12,bPI7,bKI8,"
    "rPI11,rKI12,bPJ7,bBJ8,rPJ11,rBJ12,bPK7,bNK8,rPK11,rNK12,bPL7,bRL8,rPL11,rRL12 "
    "w wKQ.bKQ.rKQ - aaa 0 1";
inline constexpr std::string_view kServerStart =
    "wRA1,wPA2,bPA7,bRA8,wNB1,wPB2,bPB7,bNB8,wBC1,wPC2,bPC7,bBC8,wQD1,wPD2,bPD7,bKD8,wKE1,wPE2,"
    "rPE11,rQE12,wBF1,wPF2,rPF11,rBF12,wNG1,wPG2,rPG11,rNG12,wRH1,wPH2,rPH11,rRH12,bPI7,bQI8,"
    "rPI11,rKI12,bPJ7,bBJ8,rPJ11,rBJ12,bPK7,bNK8,rPK11,rNK12,bPL7,bRL8,rPL11,rRL12 "
    "w wKQ.bKQ.rKQ - aaa 0 1";

}  // namespace triarch

#endif  // TRIARCH_TESTS_E2E_TRIARCH_H_
