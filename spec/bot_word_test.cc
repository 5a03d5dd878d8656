#include "spec/bot_word.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "core/base/temporary_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "spec/bot_flag.h"
#include "spec/test_tournaments.h"

namespace triarch {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// A folder with bots of every kind.
class BotWordTest : public ::testing::Test {
 protected:
  BotWordTest() {
    std::filesystem::create_directories(folder_ / "mine/data");
    Write("mine/bot.py", "print()");
    Write("mine/net.bin", "net");
    Write("mine/run", "#!/bin/sh\n");
    std::filesystem::permissions(folder_ / "mine/run", std::filesystem::perms(0755));
    Write("fast.so", "");
    Write("notes.txt", "");
  }
  void Write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
  }
  BotSpec Locate(const std::string& word) {
    const absl::StatusOr<LocatedBot> bot = LocateBot(word, folder_.path(), TestHooks());
    EXPECT_TRUE(bot.ok()) << bot.status();
    return bot.ok() ? bot->spec : BotSpec();
  }
  std::string ErrorOf(const std::string& word) {
    const absl::StatusOr<LocatedBot> bot = LocateBot(word, folder_.path(), TestHooks());
    EXPECT_EQ(bot.status().code(), absl::StatusCode::kInvalidArgument) << word;
    return std::string(bot.status().message());
  }

  const TemporaryFolder folder_;
};

TEST_F(BotWordTest, FindsBundledBots) {
  EXPECT_EQ(Locate("paranoid:depth=2"),
            (BotSpec{"paranoid:depth=2", "paranoid", {{"depth", "2"}}}));
  EXPECT_EQ(Locate("base=paranoid:depth=2"), (BotSpec{"base", "paranoid", {{"depth", "2"}}}));
}

TEST_F(BotWordTest, SuggestsANameForALongPath) {
  const std::string folder = "mine/" + std::string(60, 'x');
  std::filesystem::create_directories(folder_ / folder);
  Write(folder + "/bot.py", "print()");
  const std::string path = "./" + folder + "/bot.py";
  EXPECT_THAT(ErrorOf(path), EndsWith(", or a name in front, as in mine=" + path));
  EXPECT_EQ(Locate("mine=" + path).name, "mine");
}

TEST_F(BotWordTest, AnEmptyWordNamesNoFile) {
  const auto located = LocateBot("a='sh \"\"'", "", TournamentHooks());
  EXPECT_THAT(std::string(located.status().message()), HasSubstr("names no file that exists"));
}

TEST_F(BotWordTest, FindsPrograms) {
  const BotSpec script = Locate("v1=./mine/bot.py:Effort=3:nodes=50");
  EXPECT_EQ(script.name, "v1");
  EXPECT_EQ(script.bot, kProcessBot);
  EXPECT_THAT(script.command, ElementsAre("python3", "bot.py"));
  EXPECT_EQ(script.dir, folder_ / "mine");
  EXPECT_EQ(script.options.at("Effort"), "3");
  EXPECT_EQ(script.limits.nodes, 50);
  EXPECT_EQ(Locate("./mine/bot.py").name, "./mine/bot.py");
  EXPECT_EQ(Locate("v1.2=./mine/bot.py").name, "v1.2");
  Write("mine/a=b.py", "print()");
  EXPECT_EQ(Locate("./mine/a=b.py").name, "./mine/a=b.py");
  EXPECT_EQ(Locate("mine/a=b.py").name, "mine/a=b.py");
  EXPECT_THAT(Locate("mine/run").command, ElementsAre("./run"));
  EXPECT_FALSE(Locate("mine/run:sandbox=none").is_sandboxed);
  const BotSpec plugin = Locate("v2=./fast.so:depth=3");
  EXPECT_EQ(plugin.bot, kPluginBot);
  EXPECT_EQ(plugin.library, folder_ / "fast.so");
  EXPECT_EQ(plugin.limits.depth, 3);
}

TEST_F(BotWordTest, FindsCommands) {
  for (const std::string quote : {"'", "\"", ""}) {
    const BotSpec bot =
        Locate("mine=" + quote + "python3 -B mine/bot.py --net ./mine/net.bin --fast" + quote);
    EXPECT_EQ(bot.name, "mine");
    EXPECT_THAT(bot.command, ElementsAre("python3", "-B", "bot.py", "--net", "net.bin", "--fast"));
    EXPECT_EQ(bot.dir, folder_ / "mine");
  }
  EXPECT_THAT(Locate("a=mine/run --fast").command, ElementsAre("./run", "--fast"));
  const BotSpec in_folder = Locate("a='python3 bot.py \"1, 2\"':dir=mine:Effort=2");
  EXPECT_THAT(in_folder.command, ElementsAre("python3", "bot.py", "1, 2"));
  EXPECT_EQ(in_folder.dir, folder_ / "mine");
  EXPECT_THAT(Locate("a=/bin/sh -c true").dir, IsEmpty());
}

TEST_F(BotWordTest, APathWithSpacesInACommandNeedsQuotes) {
  std::filesystem::create_directories(folder_ / "my own bots");
  Write("my own bots/bot.py", "print()");
  EXPECT_THAT(Locate("a='python3 \"./my own bots/bot.py\"'").command,
              ElementsAre("python3", "bot.py"));
  EXPECT_THAT(ErrorOf("a='python3 -B ./my own bots/bot.py --fast'"),
              EndsWith("needs quotes of its own, as in \"./my own bots/bot.py\""));
}

TEST_F(BotWordTest, FindsBundles) {
  Write("mine/bot.yaml", "");
  TournamentHooks hooks = TestHooks();
  hooks.find_bundle = [](const std::string& folder, const std::string&) {
    return FoundBundle{.manifest = {.name = "mine",
                                    .version = "2",
                                    .type = "process",
                                    .command = {"./run"},
                                    .games = {"tri-d"},
                                    .options = {{"level", "low"}}},
                       .digest = "aa94c1b7700",
                       .dir = folder};
  };
  const LocatedBot bot = LocateBot("v2=./mine:level=high", folder_.path(), hooks).value();
  EXPECT_EQ(bot.spec.name, "v2 2 (aa94c1b7)");
  EXPECT_EQ(bot.spec.bundle, "mine@2");
  EXPECT_EQ(bot.spec.options.at("level"), "high");
  EXPECT_EQ(bot.spec.dir, folder_ / "mine");
  EXPECT_THAT(LocateBot("./mine:levle=1", folder_.path(), hooks).status().message(),
              HasSubstr("mine@2 has no option levle; did you mean \"level\"?"));
  EXPECT_THAT(ReadBotWord("./mine", folder_.path(), "three-way", hooks).status().message(),
              HasSubstr("mine@2 does not play three-way; it plays tri-d"));
}

TEST_F(BotWordTest, SaysWhatIsWrong) {
  EXPECT_THAT(ErrorOf("./my/bot.py"), HasSubstr("./my/bot.py: no such file or folder; expected"));
  EXPECT_THAT(ErrorOf("./mine"), EndsWith("the path of the bot's program, such as ./mine/bot.py"));
  EXPECT_THAT(ErrorOf("./notes.txt"), HasSubstr("chmod +x"));
  EXPECT_THAT(ErrorOf("python3 ./mine/bot.py"), HasSubstr("needs a name"));
  EXPECT_THAT(ErrorOf("a=python3 bot.py"), HasSubstr("its folder, as in 'python3 bot.py':dir="));
  EXPECT_THAT(ErrorOf("a=python3 ./no/bot.py"), EndsWith("as in python3 ./mine/bot.py"));
  EXPECT_THAT(ErrorOf("./no such/bot.py"), EndsWith("as in python3 ./mine/bot.py"));
  EXPECT_THAT(ErrorOf("a='python3 bot.py':dir=nowhere"), HasSubstr("which is not a folder"));
  EXPECT_THAT(ErrorOf("mine/run:sandbox=no"), HasSubstr("expected none"));
  EXPECT_THAT(ErrorOf("a='python3 bot.py"), HasSubstr("is not closed; expected a closing quote"));
}

TEST(BotFlagTest, SplitsListsOutsideQuotes) {
  EXPECT_THAT(SplitBots("random, v1=./a/b.py:x=1,m='sh -c \"a, b\"':y=2"),
              ElementsAre("random", "v1=./a/b.py:x=1", "m='sh -c \"a, b\"':y=2"));
  EXPECT_THAT(SplitBots("random,"), ElementsAre("random", ""));
}

}  // namespace
}  // namespace triarch
