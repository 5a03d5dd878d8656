// Tests `triarch view` on a pseudo-terminal and in a pipe.

#include <signal.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "gmock/gmock.h"
#include "tests/e2e/triarch.h"
#include "tests/terminal.h"

namespace triarch {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kRight = "\x1b[C";
constexpr const char* kLeft = "\x1b[D";
constexpr const char* kDown = "\x1b[B";
constexpr const char* kUp = "\x1b[A";
constexpr const char* kPageDown = "\x1b[6~";
constexpr const char* kHome = "\x1b[H";
constexpr const char* kEnd = "\x1b[F";
constexpr const char* kShiftUp = "\x1b[1;2A";

bool WaitFor(const std::function<bool()>& is_true) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (!is_true()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

void ExpectShown(Terminal& terminal, const std::string& text) {
  EXPECT_TRUE(WaitFor([&] { return terminal.Screen().find(text) != std::string::npos; }))
      << text << " is not in\n"
      << terminal.Screen();
}

// A game with an evaluation, a fallback move and a forfeit.
constexpr std::string_view kShortGame = R"([Event "Short"]
[Round "4.2"]
[White "anna"]
[Black "bert"]
[Red "carl"]
[Result "*"]
[Variant "Triumvirate"]

1. E2-E4 {[%eval 0.50,0.25,0.25]} D7-D6 {fallback} E11-E10 *
)";

// Plays one tournament per game for all tests.
class ViewCli : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new TemporaryFolder;
    for (const std::string game : {"triumvirate", "three-way", "tri-d"}) {
      // Random moves make long games; the searching bots evaluate.
      const std::string path = *folder_ / (game + ".yaml");
      WriteWholeFile(path, "game: " + game +
                               "\nbots: [{name: a, bot: random}, {name: b, bot: random}, "
                               "{name: c, bot: random}]\ngames: 12\nseed: 4\n");
      const Ran ran = Triarch({"run", path, "--db", Db(game)});
      ASSERT_EQ(ran.exit_code, 0) << ran.err;
    }
    const Ran ran = Triarch({"run", "--bots", "mcts:nodes=100,maxn:depth=1,paranoid:depth=1",
                             "--games", "6", "--seed", "3", "--db", Evaluated()});
    ASSERT_EQ(ran.exit_code, 0) << ran.err;
    WriteWholeFile(Short(), kShortGame);
  }
  static void TearDownTestSuite() {
    delete folder_;
    folder_ = nullptr;
  }

  static std::string Db(const std::string& game) { return *folder_ / (game + ".db"); }
  static std::string Evaluated() { return *folder_ / "evaluated.db"; }
  static std::string Short() { return *folder_ / "short.tpgn"; }

  static TemporaryFolder* folder_;
};

TemporaryFolder* ViewCli::folder_ = nullptr;

TEST_F(ViewCli, StepsThroughAGame) {
  Terminal terminal({"view", "--db", Evaluated(), "--id", "1.2"}, 120, 45);
  ExpectShown(terminal, "the start");
  EXPECT_TRUE(terminal.is_alternate());
  EXPECT_FALSE(terminal.is_cooked());
  EXPECT_THAT(terminal.Screen(), HasSubstr("1.2  White "));
  terminal.Type(kRight);
  ExpectShown(terminal, "\nply 1/");
  terminal.Type(kDown);
  ExpectShown(terminal, "\nply 11/");
  terminal.Type(kPageDown);
  ExpectShown(terminal, "\nply 21/");
  EXPECT_THAT(terminal.Screen(), HasSubstr("▲")) << "where we are in the graph";
  terminal.Type(kLeft);
  ExpectShown(terminal, "\nply 20/");
  terminal.Type(kUp);
  ExpectShown(terminal, "\nply 10/");
  terminal.Type(kEnd);
  ExpectShown(terminal, "the end: ");
  terminal.Type(kRight);
  terminal.Type(kHome);
  ExpectShown(terminal, "the start");
  terminal.Type("q");
  EXPECT_EQ(terminal.Wait(), 0);
  EXPECT_FALSE(terminal.is_alternate());
  EXPECT_TRUE(terminal.is_cooked());
  EXPECT_EQ(terminal.Screen(), "\n") << "what was there before";
}

TEST_F(ViewCli, JumpsToFallbacksAndFaults) {
  std::string text(kShortGame);
  text.replace(text.rfind('*'), 1, "{Red forfeits: crash} 2. D2-D3 C7-C6 *");
  const std::string path = *folder_ / "faults.tpgn";
  WriteWholeFile(path, text);
  Terminal terminal({"view", "--tpgn-in", path}, 80, 24);
  ExpectShown(terminal, "the start of 5 plies");
  EXPECT_THAT(terminal.Screen(), HasSubstr("White anna · Black bert · Red carl  unfinished"));
  terminal.Type("f");
  ExpectShown(terminal, "ply 2/5, move 1, Black: D7-D6 (fallback)");
  EXPECT_THAT(terminal.Screen(), HasSubstr("D7-D6*"));
  terminal.Type("f");
  ExpectShown(terminal, "ply 4, move 2, Red forfeits: crash");
  terminal.Type("f");
  ExpectShown(terminal, "no later fault");
  terminal.Type("F");
  ExpectShown(terminal, "ply 2/5, move 1, Black: D7-D6 (fallback)");
  terminal.Type("c");
  ExpectShown(terminal, "no later capture");
  terminal.Type("?");
  ExpectShown(terminal, "the next or previous capture");
  terminal.Type("x");
  ExpectShown(terminal, "ply 2/5, move 1");
  terminal.Type("\x03");
  EXPECT_EQ(terminal.Wait(), 1);
  EXPECT_FALSE(terminal.is_alternate());
  EXPECT_TRUE(terminal.is_cooked());
}

// Returns the texts of the status line, in which the game is, until nothing more is found.
std::vector<std::string> Jumps(Terminal& terminal, const std::string& key,
                               const std::string& name) {
  std::vector<std::string> found;
  const auto status = [&] {
    const std::string screen = terminal.Screen();
    const size_t end = screen.find("? help");
    return end == std::string::npos ? "" : screen.substr(screen.rfind('\n', end) + 1);
  };
  while (found.size() < 1000) {
    const std::string before = status();
    terminal.Type(key);
    EXPECT_TRUE(WaitFor([&] { return !status().empty() && status() != before; })) << before;
    if (status().find("no later " + name) != std::string::npos) return found;
    found.push_back(status());
  }
  ADD_FAILURE() << "no end";
  return found;
}

TEST_F(ViewCli, JumpsToCapturesChecksAndSwings) {
  const std::vector<std::string> arguments = {"view", "--db", Evaluated(), "--id", "1.2"};
  const std::string text = Triarch(arguments).out;
  const std::string moves = text.substr(text.rfind(" 1. "));
  Terminal terminal(arguments, 120, 45);
  ExpectShown(terminal, "the start");
  const std::vector<std::string> captures = Jumps(terminal, "c", "capture");
  EXPECT_EQ(static_cast<std::ptrdiff_t>(captures.size()),
            std::count(moves.begin(), moves.end(), 'x'));
  for (const std::string& one : captures) EXPECT_THAT(one, HasSubstr("x"));
  terminal.Type(kHome);
  ExpectShown(terminal, "the start");
  EXPECT_EQ(
      static_cast<std::ptrdiff_t>(Jumps(terminal, "k", "check").size()),
      std::count(moves.begin(), moves.end(), '+') + std::count(moves.begin(), moves.end(), '#'));
  terminal.Type(kHome);
  ExpectShown(terminal, "the start");
  EXPECT_FALSE(Jumps(terminal, "s", "swing").empty());
}

// Every game fits into 80 x 24 characters: board, moves, graph and status.
TEST_F(ViewCli, FitsIntoASmallTerminal) {
  for (const std::string game : {"triumvirate", "three-way", "tri-d"}) {
    Terminal terminal({"view", "--db", Db(game), "--id", "1.1"}, 80, 24);
    ExpectShown(terminal, "the start");
    terminal.Type(kRight);
    ExpectShown(terminal, "\nply 1/");
    EXPECT_THAT(terminal.Screen(),
                AllOf(HasSubstr("1.1  White "), HasSubstr("no evaluations recorded"),
                      HasSubstr("    1. "), HasSubstr("♙"), HasSubstr("q quit")));
    const std::string all = terminal.Screen();
    terminal.Type("b");
    EXPECT_TRUE(WaitFor([&] { return terminal.Screen().find("    1. ") == std::string::npos; }));
    ExpectShown(terminal, "\nply 1/");
    EXPECT_NE(terminal.Screen(), all);
    const std::string lower = terminal.Screen();
    terminal.Type(std::string(kShiftUp) + kShiftUp);
    if (game != "tri-d") {
      EXPECT_TRUE(WaitFor([&] { return terminal.Screen() != lower; })) << lower;
    }
    terminal.Resize(60, 20);
    ExpectShown(terminal, "60 x 20 is too small; triarch view needs 80 x 24");
    terminal.Resize(140, 60);
    ExpectShown(terminal, "q quit");
    terminal.Signal(SIGTERM);
    EXPECT_EQ(terminal.Wait(), 1);
    EXPECT_FALSE(terminal.is_alternate());
    EXPECT_TRUE(terminal.is_cooked());
  }
}

TEST_F(ViewCli, ShowsAGameOfAThousandPlies) {
  const std::string list = Triarch({"games", "--db", Db("triumvirate"), "--sort", "plies"}).out;
  const size_t begin = list.find('\n') + 1;
  const std::string id = list.substr(begin, list.find(' ', begin) - begin);
  Terminal terminal({"view", "--db", Db("triumvirate"), "--id", id}, 100, 40);
  ExpectShown(terminal, "the start");
  terminal.Type(kEnd);
  ExpectShown(terminal, "the end: ");
  for (int i = 0; i < 60; ++i) terminal.Type(kUp);
  EXPECT_TRUE(WaitFor([&] {
    return terminal.Screen().find("the end") == std::string::npos &&
           terminal.Screen().find("q quit") != std::string::npos;
  }));
  terminal.Type("q");
  EXPECT_EQ(terminal.Wait(), 0);
}

TEST_F(ViewCli, PrintsTextInAPipe) {
  const Ran ran = Triarch({"view", "--tpgn-in", Short(), "--id", "4.2"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_THAT(ran.out, AllOf(HasSubstr("4.2  White anna"), HasSubstr("to move     White"),
                             HasSubstr("D7-D6 (fallback)"), Not(HasSubstr("\x1b"))));
  ExpectPrints({"view", "--tpgn-in", "-"}, ran.out, kShortGame);
  const Ran start = Triarch({"view", "--tpgn-in", Short(), "--ply", "0"});
  EXPECT_THAT(start.out, AllOf(HasSubstr("the start"), HasSubstr(kDocumentStart)));
  const Ran second = Triarch({"view", "--tpgn-in", Short(), "--ply", "2"});
  const Ran shown = Triarch({"play", "E2-E4", "D7-D6"});
  EXPECT_THAT(second.out, HasSubstr(shown.out.substr(0, shown.out.find('\n'))));
  ExpectRefuses({"view", "--tpgn-in", Short(), "--ply", "4"}, 1,
                "--ply: expected a ply of the game, from 0 to 3");
}

// A forfeit has the ply of the move that was not made.
TEST_F(ViewCli, AForfeitIsReachedByItsPly) {
  std::string text(kShortGame);
  text.replace(text.rfind('*'), 1, "{Red forfeits: crash} *");
  const std::string path = *folder_ / "forfeit.tpgn";
  WriteWholeFile(path, text);
  const auto at = [&](const std::string& ply) {
    return Triarch({"view", "--tpgn-in", path, "--ply", ply}).out;
  };
  EXPECT_THAT(at("3"), HasSubstr("\nply 3/3, move 1, Red: E11-E10\n"));
  EXPECT_THAT(at("4"), HasSubstr("\nply 4, move 2, Red forfeits: crash\n"));
  ExpectRefuses({"view", "--tpgn-in", path, "--ply", "5"}, 1, "from 0 to 4");
  text.replace(text.rfind('*'), 1, "2. D2-D3 *");
  WriteWholeFile(path, text);
  EXPECT_THAT(at("3"), HasSubstr("\nply 3/4, move 1, Red: E11-E10\n"));
  EXPECT_THAT(at("4"), HasSubstr("\nply 4/4, move 2, White: D2-D3\n"));
}

TEST_F(ViewCli, GamesShortensNamesOnANarrowTerminal) {
  const std::string name = "paranoid:depth=1";
  const std::vector<std::string> arguments = {"games", "--db", Evaluated()};
  EXPECT_THAT(Triarch(arguments).out, HasSubstr(name));
  Terminal wide(arguments, 120, 24);
  EXPECT_EQ(wide.Wait(), 0);
  EXPECT_THAT(wide.Screen(), HasSubstr(name));
  Terminal narrow(arguments, 80, 24);
  EXPECT_EQ(narrow.Wait(), 0);
  EXPECT_THAT(narrow.Screen(),
              AllOf(HasSubstr("\n1.6 "), HasSubstr("mcts:…=100  "), HasSubstr("  paranoid:  "),
                    HasSubstr("  depth=1\n"), HasSubstr("  checkmate\n"), Not(HasSubstr(name))));
}

// A file from a stranger must not control the terminal.
TEST_F(ViewCli, EscapesTags) {
  std::string text(kShortGame);
  text.replace(text.find("anna"), 4, "\x1b]52;c;eA==\x07 a\tb\rc \xc2\x9b");
  text.replace(text.find("\"Short"), 6, "\"\x1b[2JShort");
  const std::string path = *folder_ / "strange.tpgn";
  WriteWholeFile(path, text);
  const std::string name = " ]52;c;eA==  a b c \\u009b";
  EXPECT_THAT(Triarch({"view", "--tpgn-in", path}).out,
              AllOf(HasSubstr("White " + name + " · Black bert"), Not(HasSubstr("\x1b"))));
  EXPECT_THAT(Triarch({"games", "--tpgn-in", path}).out,
              AllOf(HasSubstr(name), HasSubstr("of  [2JShort"), Not(HasSubstr("\x1b"))));
  Terminal terminal({"view", "--tpgn-in", path}, 120, 24);
  ExpectShown(terminal, "White " + name);
}

size_t CountIn(const std::string& text, const std::string& what) {
  size_t count = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
  return count;
}

TEST_F(ViewCli, WritesAPictureForEachPly) {
  const std::string dir = *folder_ / "pictures/of/short";
  ExpectPrints({"view", "--tpgn-in", Short(), "--svg-all", dir}, "");
  const std::string shown = *folder_ / "shown.svg";
  ExpectPrints({"show", "--svg", shown, "--players", "anna,bert,carl"}, "");
  EXPECT_EQ(ReadWholeFile(dir + "/0000.svg"), ReadWholeFile(shown));
  EXPECT_THAT(ReadWholeFile(dir + "/0003.svg"), HasSubstr("on E10</title>"));
  EXPECT_FALSE(std::filesystem::exists(dir + "/0004.svg"));
  ExpectPrints({"view", "--tpgn-in", Short(), "--svg-all", dir + "/cells", "--cells"}, "");
  ExpectPrints({"show", "--svg", shown, "--players", "anna,bert,carl", "--cells"}, "");
  EXPECT_EQ(ReadWholeFile(dir + "/cells/0000.svg"), ReadWholeFile(shown));
  ExpectRefuses({"view", "--tpgn-in", Short(), "--cells"}, 2, "--cells needs --svg-all or");
  ExpectRefuses({"view", "--tpgn-in", Short(), "--svg-all", dir}, 1, "is not empty");
  ExpectRefuses({"view", "--tpgn-in", Short(), "--svg-all", Short()}, 1, "--svg-all: ");
  ExpectRefuses({"view", "--tpgn-in", Short(), "--ply", "1", "--svg-all", dir}, 2, "--ply");
  ExpectRefuses({"view", "--tpgn-in", Short(), "--frame-ms", "1", "--svg-all", dir + "/new"}, 2,
                "--frame-ms needs --animation");
}

TEST_F(ViewCli, WritesAnAnimationWithOneBoard) {
  const std::string path = *folder_ / "animation.svg";
  ExpectPrints({"view", "--tpgn-in", Short(), "--animation", path, "--frame-ms", "500"}, "");
  const std::string svg = ReadWholeFile(path);
  EXPECT_EQ(CountIn(svg, "<polygon data-cell="), 96u + 3 * 2)
      << "the board is there once, and the two cells of each move with marks";
  EXPECT_EQ(CountIn(svg, "<svg "), 1u);
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
  for (const std::string bot : {"anna", "bert", "carl"}) EXPECT_THAT(svg, HasSubstr(bot));
  // Three plies make four frames, the last of which counts three times: 6 x 500 ms. White's pawn is
  // on E2 in the first frame only, and then on E4.
  EXPECT_EQ(CountIn(svg, "white pawn on E2</title>"), 1u);
  EXPECT_THAT(svg, HasSubstr("dur=\"3000ms\" repeatCount=\"indefinite\" "
                             "values=\"visible;hidden\" keyTimes=\"0;0.166667\""));
  EXPECT_EQ(CountIn(svg, "white pawn on E4</title>"), 1u);
  EXPECT_THAT(svg, HasSubstr("values=\"hidden;visible\" keyTimes=\"0;0.166667\""));
  for (const std::string game : {"three-way", "tri-d"}) {
    const std::string other = *folder_ / (game + ".svg");
    ExpectPrints({"view", "--db", Db(game), "--id", "1.1", "--animation", other}, "");
    const std::string text = ReadWholeFile(other);
    EXPECT_EQ(CountIn(text, "<g"), CountIn(text, "</g>"));
    EXPECT_GT(CountIn(text, "<animate "), 100u);
  }
}

TEST_F(ViewCli, SaysWhichGameIsMissing) {
  const std::string both = *folder_ / "both.tpgn";
  WriteWholeFile(both, std::string(kShortGame) + "\n" + std::string(kShortGame));
  ExpectRefuses({"view", "--tpgn-in", both}, 1, "contains 2 games, from 4.2 to 4.2; name one");
  ExpectRefuses({"view", "--tpgn-in", both, "--id", "4.2"}, 1, "2 games with the number 4.2");
  ExpectRefuses({"view", "--tpgn-in", Short(), "--id", "4.3"}, 1, "there is no game 4.3; ");
  ExpectRefuses({"view", "--db", Db("tri-d")}, 1, "12 games, from 1.1 to 6.12; name one");
  ExpectRefuses({"view"}, 2, "expected --db FILE, --coordinator HOST:PORT or --tpgn-in FILE");
  ExpectRefuses({"view", "--tpgn-in", both, "--db", Db("tri-d")}, 2, "not several");
  ExpectRefuses({"view", "1", "--tpgn-in", both}, 2, "ID");
  WriteWholeFile(both, "[Round \"1.1\"]\n\n1. E2-E9 *\n");
  ExpectRefuses({"view", "--tpgn-in", both}, 1, "move 1, White");
}

}  // namespace
}  // namespace triarch
