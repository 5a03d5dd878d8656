#include "worker/host/bot_copies.h"

#include <array>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "core/base/temporary_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "worker/host/bot_digest.h"

namespace triarch {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class BotCopiesTest : public ::testing::Test {
 protected:
  BotCopiesTest() {
    Write("bot.py", "1");
    Write("notes.txt", "");
    bot_.digest = DigestBot(bot_).value();
  }
  void Write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
  }

  const TemporaryFolder folder_;
  BotSpec bot_ = {.name = "mine",
                  .bot = std::string(kProcessBot),
                  .command = {"python3", "bot.py"},
                  .dir = folder_.path()};
};

TEST_F(BotCopiesTest, AChangeDoesNotReachTheCopy) {
  std::string dir;
  {
    const std::unique_ptr<BotCopies> copies = BotCopies::Make(std::array{bot_}).value();
    Write("bot.py", "2");
    const BotSpec copy = copies->Find(bot_).value();
    dir = copy.copy;
    EXPECT_NE(dir, bot_.dir);
    EXPECT_EQ(copy.dir, bot_.dir) << "where the bot sees the copy";
    EXPECT_EQ(copy.command, bot_.command);
    EXPECT_EQ(DigestBot(copy).value(), bot_.digest);
    EXPECT_TRUE(fs::exists(dir + "/notes.txt"));
  }
  EXPECT_FALSE(fs::exists(fs::path(dir).parent_path())) << "the copies vanish with the run";
  EXPECT_THAT(std::string(BotCopies::Make(std::array{bot_}).status().message()),
              HasSubstr("bot mine: its files have just changed"));
}

TEST_F(BotCopiesTest, CopiesOnlyTheBotsFiles) {
  Write("bot.yaml",
        "{name: mine, version: 1, type: process, command: [python3, bot.py], games: [tri-d], "
        "files: [bot.py]}");
  bot_.digest = DigestBot(bot_).value();
  const std::unique_ptr<BotCopies> copies = BotCopies::Make(std::array{bot_}).value();
  const std::string dir = copies->Find(bot_)->copy;
  EXPECT_TRUE(fs::exists(dir + "/bot.py"));
  EXPECT_FALSE(fs::exists(dir + "/notes.txt"));
}

TEST_F(BotCopiesTest, ReplacesAbsolutePathsInTheCommand) {
  const std::string dir = folder_.path();
  Write("run.log", "");
  bot_.dir += '/';
  bot_.is_sandboxed = false;
  bot_.command = {dir + "/bot.py",
                  "--notes=" + dir + "/./notes.txt",
                  dir,
                  dir + "2/bot.py",
                  dir + "/../bot.py",
                  dir + "/run.log",
                  "bot.py",
                  "--net=bot.py",
                  "/usr/bin/env"};
  const std::unique_ptr<BotCopies> copies = BotCopies::Make(std::array{bot_}).value();
  const BotSpec copy = copies->Find(bot_).value();
  std::vector<std::string> expected = bot_.command;
  expected[0] = copy.dir + "/bot.py";
  expected[1] = "--notes=" + copy.dir + "/notes.txt";
  expected[2] = copy.dir;
  EXPECT_EQ(copy.command, expected);
}

TEST_F(BotCopiesTest, NamesWhatItLeavesOut) {
  fs::create_directories(folder_ / "venv/bin");
  Write("venv/bin/python", "");
  bot_.command = {folder_ / "venv/bin/python", "bot.py", "-v", "../x"};
  const std::unique_ptr<BotCopies> copies = BotCopies::Make(std::array{bot_}).value();
  EXPECT_THAT(copies->LeftOut(bot_), ::testing::ElementsAre(bot_.command[0]));
  bot_.command[0] = "./venv/bin/python";
  EXPECT_THAT(copies->LeftOut(bot_), ::testing::ElementsAre("./venv/bin/python"));
  const absl::Status error = copies->Explain(bot_, absl::InternalError("it exited"));
  EXPECT_THAT(
      std::string(error.message()),
      HasSubstr("it exited; a run copies only the bot's own files, and ./venv/bin/python is "
                "not one of them"));
  bot_.is_sandboxed = false;
  EXPECT_EQ(copies->Find(bot_)->command[0], folder_ / "venv/bin/python");
}

TEST_F(BotCopiesTest, CopiesLibrariesThatStandAlone) {
  BotSpec plugin = {.name = "p", .bot = std::string(kPluginBot), .library = folder_ / "p.so"};
  Write("p.so", "code");
  plugin.digest = DigestBot(plugin).value();
  const std::unique_ptr<BotCopies> copies = BotCopies::Make(std::array{plugin}).value();
  EXPECT_THAT(copies->Find(plugin)->library, ::testing::EndsWith("/p.so"));
  EXPECT_NE(copies->Find(plugin)->library, plugin.library);
  Write("p.so", "code with $ORIGIN in its rpath");
  plugin.digest = DigestBot(plugin).value();
  EXPECT_FALSE(BotCopies::Make(std::array{plugin}).value()->Find(plugin).has_value());
  EXPECT_FALSE(copies->Find({.name = "r", .bot = "random"}).has_value());
}

}  // namespace
}  // namespace triarch
