// Tests completion in a real bash, and the manual page.

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/e2e/binary_runner.h"
#include "tests/e2e/triarch.h"

namespace triarch {
namespace {

// Returns what bash offers after `words`, one per line, in a folder with the file board.svg.
std::string Offered(const std::string& words) {
  const std::string script = R"(
    source <("$1" completion bash) || exit 1
    cd "$2" && touch board.svg || exit 1
    read -ra COMP_WORDS <<<"$3"
    [[ $3 == *' ' ]] && COMP_WORDS+=('')
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    complete -p triarch >/dev/null || exit 1
    compopt() { :; }  # works only during completion
    _triarch "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
    printf '%s\n' "${COMPREPLY[@]}"
  )";
  const TemporaryFolder folder;
  const Ran ran =
      RunProgram("/bin/bash", {"-c", script, "bash", TRIARCH_BINARY, folder / ".", words});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(ran.err, "");
  return ran.out;
}

TEST(ShellCompletion, WorksInBash) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"triarch stand", "standings\n"},
      {"triarch data ver", "verify\n"},
      {"triarch show --sv", "--svg\n"},
      {"triarch show --color n", "never\n"},
      {"triarch moves --game tri", "triumvirate\ntri-d\n"},
      {"triarch run --game thr", "three-way\n"},
      {"triarch completion ", "bash\nzsh\nfish\n"},
      {"triarch show --svg b", "board.svg\n"},
      {"triarch verify ", "board.svg\n"},
      {"triarch show --color = alw", "always\n"},
      {"triarch fly --", "--help\n--version\n"}};
  for (const auto& [words, offered] : cases) {
    EXPECT_EQ(Offered(words), offered) << words;
  }
}

TEST(ShellCompletion, HasOtherShells) {
  EXPECT_NE(Triarch({"completion", "zsh"}).out.find("compadd"), std::string::npos);
  EXPECT_NE(Triarch({"completion", "fish"}).out.find("complete -c triarch"), std::string::npos);
  ExpectRefuses({"completion", "csh"}, 2, "expected bash, zsh or fish");
}

TEST(ManualPage, DescribesEveryCommand) {
  const std::string page = Triarch({"man"}).out;
  EXPECT_TRUE(page.starts_with(".TH TRIARCH 1 "));
  for (const std::string command : {"run [FILE]", "data verify", "bots check", "watch"}) {
    EXPECT_NE(page.find(".SS triarch " + command), std::string::npos) << command;
  }
  EXPECT_NE(page.find("\\fB\\-\\-svg\\fR"), std::string::npos);
}

}  // namespace
}  // namespace triarch
