#include "bundle/bot_files.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "bundle/bundle.h"
#include "core/base/temporary_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace triarch {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class BotFilesTest : public ::testing::Test {
 protected:
  void Write(const std::string& name, const std::string& text = "") {
    fs::create_directories(fs::path(folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
  }
  std::vector<std::string> Found(const FilePatterns& patterns = {}) {
    std::vector<std::string> paths;
    const auto files = FindBotFiles(folder_ / "mine", patterns).value();
    for (const auto& [path, file] : files) paths.push_back(path);
    return paths;
  }

  const TemporaryFolder folder_;
};

TEST(IsIgnoredFile, KnowsWhatIsLeftBehind) {
  for (const char* path :
       {".bot.py.swp", "bot.py~", "#bot.py#", "a/.#bot.py", "game.log", "a/b.pyc", ".DS_Store",
        ".git/HEAD", "a/__pycache__/x", ".venv/bin/python", "venv/x", "bot.py.bak"}) {
    EXPECT_TRUE(IsIgnoredFile(path)) << path;
  }
  for (const char* path : {"bot.py", "git", "log", "logs/book.txt", "venv", "data/net.bin"}) {
    EXPECT_FALSE(IsIgnoredFile(path)) << path;
  }
}

TEST_F(BotFilesTest, IgnoredFilesChangeNothing) {
  Write("mine/bot.py", "1");
  Write("mine/lib/a.py", "2");
  const std::string digest = DigestFolder(folder_ / "mine").value();
  Write("mine/.bot.py.swp");
  Write("mine/lib/__pycache__/a.pyc");
  Write("mine/run.log");
  fs::create_symlink("nowhere", folder_ / "mine/.#bot.py");
  Write("mine/triarch.db");
  Write("mine/triarch.db-wal");
  Write("mine/lib/games.tpgn");
  EXPECT_THAT(Found(), ElementsAre("bot.py", "lib/a.py"));
  EXPECT_EQ(DigestFolder(folder_ / "mine").value(), digest);
  Write("mine/notes.txt");
  EXPECT_NE(DigestFolder(folder_ / "mine").value(), digest);
}

TEST_F(BotFilesTest, PatternsSelectFiles) {
  for (const char* name :
       {"bot.yaml", "bot.py", "notes.txt", "net/a.bin", "net/b/c.txt", "x/d.bin"}) {
    Write(std::string("mine/") + name);
  }
  fs::create_symlink("nowhere", folder_ / "mine/link");
  EXPECT_THAT(Found({"bot.py"}), ElementsAre("bot.py", "bot.yaml"));
  EXPECT_THAT(Found({"*.bin", "bot.*"}), ElementsAre("bot.py", "bot.yaml", "net/a.bin", "x/d.bin"));
  EXPECT_THAT(Found({"net/"}), ElementsAre("bot.yaml", "net/a.bin", "net/b/c.txt"));
  EXPECT_THAT(std::string(FindBotFiles(folder_ / "mine", {}).status().message()),
              HasSubstr("link: not a file or a folder; `files` in a bot.yaml can leave it out"));
}

TEST_F(BotFilesTest, Copies) {
  Write("mine/run", "#!/bin/sh");
  Write("mine/lib/a.py", "2");
  Write("mine/a.log");
  fs::permissions(folder_ / "mine/run", fs::perms(0700));
  ASSERT_TRUE(CopyBotFiles(folder_ / "mine", {}, folder_ / "copy").ok());
  EXPECT_EQ(DigestFolder(folder_ / "copy").value(), DigestFolder(folder_ / "mine").value());
  EXPECT_EQ(static_cast<int>(fs::status(folder_ / "copy/run").permissions()), 0755);
  EXPECT_FALSE(fs::exists(folder_ / "copy/a.log"));
}

TEST_F(BotFilesTest, RefusesToCopyLargeFolders) {
  Write("mine/bot.py");
  Write("mine/data/large");
  fs::resize_file(folder_ / "mine/data/large", kCopyBytesMax);  // takes no space
  ASSERT_TRUE(FindBotFiles(folder_ / "mine", {}).ok());
  Write("mine/data/more", "x");
  EXPECT_THAT(
      std::string(CopyBotFiles(folder_ / "mine", {}, folder_ / "copy").message()),
      HasSubstr("1024 MiB in 3 files (the largest part: data, 1024 MiB); a bot's folder may "
                "hold at most 1024 MiB"));
  EXPECT_FALSE(fs::exists(folder_ / "copy"));
  EXPECT_THAT(std::string(DigestFolder(folder_ / "mine").status().message()),
              HasSubstr("list its files in a bot.yaml, which also needs name"));
}

}  // namespace
}  // namespace triarch
