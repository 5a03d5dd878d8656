#ifndef TRIARCH_TESTS_E2E_TRIARCH_H_
#define TRIARCH_TESTS_E2E_TRIARCH_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "tests/e2e/binary_runner.h"

// Calls of the `triarch` binary, whose path the build gives.
namespace triarch {

inline Ran Triarch(const std::vector<std::string>& arguments, std::string_view input = "") {
  return RunProgram(TRIARCH_BINARY, arguments, input);
}

inline std::string Shown(const std::vector<std::string>& arguments) {
  std::string text = "triarch";
  for (const std::string& argument : arguments) text += " '" + argument + "'";
  return text;
}

// The command succeeds and prints this.
inline void ExpectPrints(const std::vector<std::string>& arguments, std::string_view out,
                         std::string_view input = "") {
  const Ran ran = Triarch(arguments, input);
  EXPECT_EQ(ran.out, out) << Shown(arguments);
  EXPECT_EQ(ran.err, "") << Shown(arguments);
  EXPECT_EQ(ran.exit_code, 0) << Shown(arguments);
}

// The command ends with that exit code, prints nothing, and says on one line what is wrong; the
// line holds `what`.
inline void ExpectRefuses(const std::vector<std::string>& arguments, int exit_code,
                          std::string_view what) {
  const Ran ran = Triarch(arguments);
  EXPECT_EQ(ran.out, "") << Shown(arguments);
  EXPECT_EQ(ran.exit_code, exit_code) << Shown(arguments) << ": " << ran.err;
  EXPECT_TRUE(ran.err.starts_with("error: ")) << Shown(arguments) << ": " << ran.err;
  EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
  EXPECT_NE(ran.err.find(what), std::string::npos) << Shown(arguments) << ": " << ran.err;
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
