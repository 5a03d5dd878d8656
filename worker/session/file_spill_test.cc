#include "worker/session/file_spill.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "core/base/temporary_folder.h"

namespace triarch {
namespace {

namespace fs = std::filesystem;

// Encodes games as their indices, one per line.
GameCodec LineCodec() {
  return {.encode =
              [](const std::vector<GameRecord>& games) {
                std::string text;
                for (const GameRecord& game : games) text += std::to_string(game.index) + "\n";
                return text;
              },
          .decode = [](const std::string& text) -> absl::StatusOr<std::vector<GameRecord>> {
            std::vector<GameRecord> games;
            for (size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
              games.emplace_back().index = std::stoll(text.substr(at));
            }
            return games;
          }};
}

std::vector<GameRecord> Games(const std::vector<int64_t>& indices) {
  std::vector<GameRecord> games;
  for (const int64_t index : indices) games.emplace_back().index = index;
  return games;
}

std::string Text(const absl::StatusOr<std::vector<GameRecord>>& games) {
  if (!games.ok()) return std::string(absl::StatusCodeToString(games.status().code()));
  return LineCodec().encode(*games);
}

std::vector<std::string> Files(const TemporaryFolder& folder) {
  std::vector<std::string> files = folder.Files();
  std::sort(files.begin(), files.end());
  return files;
}

void Write(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

std::string Read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

TEST(FileSpill, ReturnsStoredGames) {
  const TemporaryFolder folder;
  const auto spill = MakeFileSpill(folder.path(), LineCodec());
  EXPECT_EQ(spill->Put(Games({7, 8, 9})).value(), 1);
  EXPECT_EQ(spill->Put(Games({})).value(), 2);
  EXPECT_EQ(spill->Put(Games({1'000'000'000})).value(), 3);
  EXPECT_EQ(Files(folder), (std::vector<std::string>{"games-1", "games-2", "games-3"}));
  EXPECT_EQ(Text(spill->Take(3)), "1000000000\n");
  EXPECT_EQ(Text(spill->Take(1)), "7\n8\n9\n");
  EXPECT_EQ(Text(spill->Take(2)), "");
  EXPECT_EQ(Files(folder), std::vector<std::string>{});
}

TEST(FileSpill, RemovesTakenAndDroppedGames) {
  const TemporaryFolder folder;
  const auto spill = MakeFileSpill(folder.path(), LineCodec());
  ASSERT_EQ(spill->Put(Games({1})).value(), 1);
  ASSERT_EQ(spill->Put(Games({2})).value(), 2);
  spill->Drop(2);
  spill->Drop(99);
  EXPECT_EQ(Text(spill->Take(1)), "1\n");
  EXPECT_EQ(Text(spill->Take(1)), "DATA_LOSS");
  EXPECT_EQ(Text(spill->Take(2)), "DATA_LOSS");
  EXPECT_EQ(Text(spill->Take(99)), "DATA_LOSS");
}

TEST(FileSpill, CreatesAndRemovesItsFolder) {
  const TemporaryFolder folder;
  const std::string path = folder / "deep/spill";
  {
    const auto spill = MakeFileSpill(path, LineCodec());
    EXPECT_FALSE(fs::exists(path));
    ASSERT_TRUE(spill->Put(Games({1})).ok());
    EXPECT_TRUE(fs::exists(path));
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST(FileSpill, RemovesOnlyItsOwnFiles) {
  const TemporaryFolder folder;
  Write(folder / "games-17", "left by a worker that was killed");
  Write(folder / "games-18.tmp", "half");
  Write(folder / "notes", "of somebody");
  {
    const auto spill = MakeFileSpill(folder.path(), LineCodec());
    EXPECT_EQ(Files(folder), std::vector<std::string>{"notes"});
    ASSERT_TRUE(spill->Put(Games({1})).ok());
  }
  EXPECT_EQ(Files(folder), std::vector<std::string>{"notes"});
}

TEST(FileSpill, DetectsDamage) {
  const TemporaryFolder folder;
  const auto spill = MakeFileSpill(folder.path(), LineCodec());
  const auto damage = [&](auto change) {
    const int64_t number = spill->Put(Games({12, 13, 14})).value();
    const std::string path = folder / ("games-" + std::to_string(number));
    std::string bytes = Read(path);
    change(bytes);
    Write(path, bytes);
    return Text(spill->Take(number));
  };
  EXPECT_EQ(damage([](std::string&) {}), "12\n13\n14\n");
  const size_t size = std::string("12\n13\n14\n").size() + 8;
  for (size_t i = 0; i < size; ++i) {
    EXPECT_EQ(damage([&](std::string& bytes) { bytes.at(i) ^= 1; }), "DATA_LOSS") << i;
    EXPECT_EQ(damage([&](std::string& bytes) { bytes.resize(i); }), "DATA_LOSS") << i;
  }
  EXPECT_EQ(damage([](std::string& bytes) { bytes += '\0'; }), "DATA_LOSS");
}

TEST(FileSpill, IgnoresFilesOfAnotherProcess) {
  const TemporaryFolder one;
  const TemporaryFolder two;
  const auto first = MakeFileSpill(one.path(), LineCodec());
  const auto second = MakeFileSpill(two.path(), LineCodec());
  ASSERT_EQ(first->Put(Games({1})).value(), 1);
  ASSERT_EQ(second->Put(Games({2})).value(), 1);
  fs::copy_file(two / "games-1", one / "games-1", fs::copy_options::overwrite_existing);
  EXPECT_EQ(Text(first->Take(1)), "DATA_LOSS");
}

TEST(FileSpill, ReportsWriteErrors) {
  const TemporaryFolder folder;
  Write(folder / "file", "where a folder should be");
  const auto spill = MakeFileSpill(folder / "file", LineCodec());
  EXPECT_EQ(spill->Put(Games({1})).status().code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(Files(folder), std::vector<std::string>{"file"});
  // A disk that is always full.
  if (fs::exists("/dev/full")) {
    const auto full = MakeFileSpill(folder / "full", LineCodec());
    fs::create_directory(folder / "full");
    fs::create_symlink("/dev/full", folder / "full/games-1.tmp");
    EXPECT_EQ(full->Put(Games({1})).status().code(), absl::StatusCode::kResourceExhausted);
    EXPECT_TRUE(full->Put(Games({1})).ok());
  }
}

}  // namespace
}  // namespace triarch
