// Tests `triarch uci`, which runs a bundled bot as a process bot.

#include <gmock/gmock.h>

#include <filesystem>
#include <regex>
#include <string>

#include "core/base/temporary_folder.h"
#include "tests/e2e/triarch.h"

namespace triarch {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;

TEST(UciCli, SpeaksTheProtocolUntilQuit) {
  const Ran ran = Triarch({"uci", "--bot", "smart"},
                          "uci\nisready\nnonsense\nposition startpos moves E2-E4\ndebug on\ngo\n");
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_EQ(ran.err, "");
  EXPECT_THAT(ran.out, HasSubstr("id name triarch smart\n"));
  EXPECT_THAT(ran.out, HasSubstr("option name UCI_Variant type combo default triumvirate"));
  EXPECT_THAT(ran.out, HasSubstr("uciok\nreadyok\ninfo string error: unknown line \"nonsense\"\n"));
  EXPECT_THAT(ran.out, HasSubstr("\ninfo string plays "));
  EXPECT_THAT(ran.out, HasSubstr("\nbestmove "));
  const Ran quit = Triarch({"uci", "--bot", "paranoid:depth=2"}, "go infinite\nquit\nuci\n");
  EXPECT_EQ(quit.exit_code, 0);
  EXPECT_THAT(quit.out, HasSubstr("bestmove "));
  EXPECT_EQ(quit.out.find("uciok"), std::string::npos);
}

TEST(UciCli, RefusesAnUnknownBot) {
  ExpectRefuses({"uci"}, 2, "--bot");
  ExpectRefuses({"uci", "--bot", "deepblue"}, 2, "--bot: unknown bot \"deepblue\"");
  ExpectRefuses({"uci", "--bot", "smart:depth=2"}, 2, "--bot: bot \"smart\" has no option");
}

// Returns the moves of a tournament's games without comments and volatile tags.
std::string MovesOf(const std::string& file, const std::string& bots) {
  const TemporaryFolder folder;
  WriteWholeFile(folder / "t.yaml",
                 "game: tri-d\nbots:\n" + bots + "games: 12\nseed: 5\nslots: 1\n");
  const Ran ran = Triarch({"run", folder / "t.yaml", "--tpgn", folder / file});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_THAT(ran.out, testing::Not(HasSubstr("\nFaults"))) << ran.err;
  std::string text = ReadWholeFile(folder / file);
  text = std::regex_replace(text, std::regex("\\[(TimeControl|PlyCount|Date)[^\n]*\n"), "");
  text = std::regex_replace(text, std::regex("\\{[^}]*\\}"), " ");
  return std::regex_replace(text, std::regex("[ \n]+"), " ");
}

// Bundled bots play the same games inside the runner and as sandboxed process bots.
TEST(UciCli, PlaysTheSameGamesInTheSandbox) {
  const TemporaryFolder bot;
  std::filesystem::copy_file(TRIARCH_BINARY, bot / "triarch");
  // If root runs the sandbox, the bot runs as another user.
  std::filesystem::permissions(bot.path(), std::filesystem::perms(0755));
  const auto process = [&](const std::string& name, const std::string& options) {
    return "  - {name: " + name + ", command: [./triarch, uci, --bot, " + name +
           "], dir: " + bot.path() + options + "}\n";
  };
  const std::string within = MovesOf(
      "within.tpgn", "  - smart\n  - {name: paranoid, bot: paranoid, nodes: 200}\n  - greedy\n");
  const std::string beside =
      MovesOf("beside.tpgn",
              process("smart", "") + process("paranoid", ", nodes: 200") + process("greedy", ""));
  EXPECT_EQ(within, beside);
  EXPECT_THAT(within, HasSubstr(" 5. "));
}

}  // namespace
}  // namespace triarch
