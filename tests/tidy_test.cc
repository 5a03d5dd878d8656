#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

// A test of our own sources: who may include whom, line lengths, words that do not belong.
namespace triarch {
namespace {

namespace fs = std::filesystem;

struct SourceFile {
  std::string path;  // from the root
  std::vector<std::string> lines;
};

std::vector<SourceFile> Sources() {
  const fs::path root = TRIARCH_SOURCE_DIR;
  std::vector<SourceFile> files;
  for (const char* folder : {"core", "spec", "scenarios", "proto", "http", "bundle", "selfplay",
                             "bots", "worker", "coordinator", "cli", "tests"}) {
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      const std::string extension = entry.path().extension();
      if (extension != ".h" && extension != ".cc") continue;
      SourceFile file{fs::relative(entry.path(), root).string(), {}};
      std::ifstream in(entry.path());
      for (std::string line; std::getline(in, line);) file.lines.push_back(line);
      files.push_back(std::move(file));
    }
  }
  return files;
}

using IncludeTable = std::map<std::string, std::set<std::string>>;

// Every folder directly under core/ that the table does not list yet (base, game, record) is a
// game. It includes what the games share, and no other game.
void AddGames(IncludeTable* table) {
  const fs::path root = TRIARCH_SOURCE_DIR;
  for (const auto& entry : fs::directory_iterator(root / "core")) {
    if (!entry.is_directory()) continue;
    table->try_emplace(fs::relative(entry.path(), root).string(),
                       std::set<std::string>{"core/game", "core/base"});
  }
}

// The longest listed folder that a path lies in decides. What may be included is a folder or a
// file; each folder may include itself. CONTRIBUTING.md shows the same table.
IncludeTable MakeAllowed() {
  IncludeTable table = {
      {"core/base", {}},
      {"core/game", {"core/base"}},
      {"core", {}},  // the list of games and any_state: all of core
      {"core/record", {"core"}},
      {"core/schedule", {"core"}},
      {"core/play", {"core"}},
      {"http", {"core"}},
      {"proto", {"core"}},
      {"bundle", {"core"}},
      {"scenarios", {"core"}},
      {"spec", {"core", "bundle"}},
      {"selfplay/shard", {"core", "spec"}},
      {"selfplay/storage", {"core", "http"}},
      {"selfplay/dataset", {"core", "selfplay/shard", "selfplay/storage"}},
      {"bots", {"core", "http"}},
      {"bots/sdk", {}},
      {"worker/sandbox", {"core", "bots/llm/environment_prefix.h"}},
      {"worker/selfplay", {"core", "spec", "selfplay"}},
      {"worker/match", {"core", "worker/selfplay"}},
      {"worker/host", {"core", "spec", "bundle", "bots", "worker/match", "worker/sandbox"}},
      {"worker/session", {"core", "bundle"}},
      {"worker", {"core", "spec", "proto", "http", "bundle", "selfplay"}},
      {"coordinator/leases", {"core"}},
      {"coordinator/ratings", {"core"}},
      {"coordinator/store", {"core", "spec"}},
      {"coordinator/service",
       {"core", "spec", "proto", "bundle", "selfplay", "coordinator/leases", "coordinator/ratings",
        "coordinator/store", "http"}},
      {"cli",
       {"core", "spec", "scenarios", "proto", "http", "bundle", "selfplay", "bots", "worker",
        "coordinator"}},
      {"tests",
       {"core", "spec", "scenarios", "proto", "http", "bundle", "selfplay", "bots", "worker",
        "coordinator", "cli"}},
  };
  AddGames(&table);
  return table;
}

const IncludeTable& Allowed() {
  static const IncludeTable kAllowed = MakeAllowed();
  return kAllowed;
}

bool IsIn(const std::string& path, const std::string& folder) {
  return path == folder || path.starts_with(folder + "/");
}

std::string FolderOf(const std::string& path) {
  std::string best;
  for (const auto& [folder, allowed] : Allowed()) {
    if (IsIn(path, folder) && folder.size() > best.size()) best = folder;
  }
  return best;
}

bool MayInclude(const std::string& path, const std::string& included) {
  const std::string folder = FolderOf(path);
  // A game includes no other game; only the files of core/ itself know them all.
  if (folder == "core") return IsIn(included, "core");
  if (IsIn(included, folder)) return true;
  const std::set<std::string>& allowed = Allowed().at(folder);
  return std::any_of(allowed.begin(), allowed.end(),
                     [&](const std::string& name) { return IsIn(included, name); });
}

TEST(Tidy, AGameIncludesWhatGamesShareAndNoOtherGame) {
  const std::string game = "core/triumvirate/position.h";
  EXPECT_EQ(FolderOf(game), "core/triumvirate");
  EXPECT_TRUE(MayInclude(game, "core/triumvirate/move.h"));
  EXPECT_TRUE(MayInclude(game, "core/game/position.h"));
  EXPECT_TRUE(MayInclude(game, "core/base/text.h"));
  EXPECT_FALSE(MayInclude(game, "core/games.h"));
  EXPECT_FALSE(MayInclude(game, "core/record/tpgn.h"));
  EXPECT_FALSE(MayInclude("core/game/position.h", "core/triumvirate/move.h"));
  for (const auto& [folder, allowed] : Allowed()) {
    const bool is_other_game =
        allowed == Allowed().at("core/triumvirate") && folder != "core/triumvirate";
    if (is_other_game) {
      EXPECT_FALSE(MayInclude(game, folder + "/move.h")) << folder;
    }
  }
}

TEST(Tidy, IncludesFollowTheTable) {
  const std::regex include(
      "#include "
      "\"((core|spec|scenarios|proto|http|bundle|selfplay|bots|worker|coordinator|cli|tests)/"
      "[^\"]+)\".*");
  for (const SourceFile& file : Sources()) {
    // A unit test may use what its folder may not.
    if (file.path.ends_with("_test.cc")) continue;
    for (const std::string& line : file.lines) {
      std::smatch match;
      if (std::regex_match(line, match, include)) {
        EXPECT_TRUE(MayInclude(file.path, match[1])) << file.path << " includes " << match[1];
      }
    }
  }
}

// Columns as a reader sees them: a byte that continues a UTF-8 character takes none.
size_t Columns(const std::string& line) {
  return static_cast<size_t>(std::count_if(
      line.begin(), line.end(), [](char c) { return (static_cast<unsigned char>(c) >> 6) != 2; }));
}

TEST(Tidy, LinesFitAndFilesAreNotTooLong) {
  for (const SourceFile& file : Sources()) {
    EXPECT_LE(file.lines.size(), 700u) << file.path;
    for (size_t i = 0; i < file.lines.size(); ++i) {
      // A long string, such as a position, may stand alone on its line.
      const size_t quote = file.lines[i].find('"');
      const bool is_one_string =
          quote != std::string::npos && file.lines[i].find(' ', quote) == std::string::npos;
      EXPECT_TRUE(Columns(file.lines[i]) <= 100 || is_one_string)
          << file.path << ":" << i + 1 << " has " << Columns(file.lines[i]) << " columns";
    }
  }
}

// The first line after the comment that opens a file, and the blank line below it.
std::string FirstLineOfCode(const SourceFile& file) {
  for (const std::string& line : file.lines) {
    if (!line.empty() && !line.starts_with("//")) return line;
  }
  return "";
}

TEST(Tidy, HeadersAreGuardedByTheirPath) {
  for (const SourceFile& file : Sources()) {
    if (!file.path.ends_with(".h")) continue;
    std::string guard = "TRIARCH_" + file.path + "_";
    for (char& c : guard) {
      c = c == '/' || c == '.' ? '_'
                               : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    }
    EXPECT_EQ(FirstLineOfCode(file), "#ifndef " + guard) << file.path;
  }
}

TEST(Tidy, NothingIsBanned) {
  // Split, so that this file passes its own test.
  const std::vector<std::string> banned = {
      "TO"
      "DO",
      "FIX"
      "ME",
      "using name"
      "space std",
      "std::ra"
      "nd(",
      "std::mt19"
      "937",
      "DISA"
      "BLED_",
      "std::vi"
      "ews::",
      "pragma on"
      "ce"};
  for (const SourceFile& file : Sources()) {
    for (const std::string& line : file.lines) {
      for (const std::string& word : banned) {
        EXPECT_EQ(line.find(word), std::string::npos) << file.path << ": " << line;
      }
    }
  }
}

}  // namespace
}  // namespace triarch
