// Checks the order of layers, the size of files and classes, and banned words in our sources.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace triarch {
namespace {

namespace fs = std::filesystem;

struct SourceFile {
  std::string path;  // relative to the root
  std::vector<std::string> lines;
};

std::vector<SourceFile> Sources() {
  const fs::path root = TRIARCH_SOURCE_DIR;
  std::vector<SourceFile> files;
  for (const char* folder :
       {"core", "spec", "scenarios", "proto", "http", "bundle", "selfplay", "bots", "capi",
        "worker", "coordinator", "arena", "site", "cli", "tests"}) {
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

// A folder, and the other folders or files that it may include.
struct Layer {
  std::string folder;
  std::set<std::string> allowed;
};

// Returns a layer for each game: every folder directly under core/ that the table does not list (as
// base, game, record). It includes what games share, and no other game.
std::vector<Layer> Games(const std::set<std::string>& listed) {
  const fs::path root = TRIARCH_SOURCE_DIR;
  std::vector<Layer> games;
  for (const auto& entry : fs::directory_iterator(root / "core")) {
    const std::string folder = fs::relative(entry.path(), root).string();
    if (!entry.is_directory() || listed.contains(folder)) continue;
    games.push_back({folder, {"core/game", "core/base"}});
  }
  return games;
}

// Bottom layer first: no file includes a later layer, whatever its row allows. The longest listed
// folder that contains a file decides.
std::vector<Layer> MakeLayers() {
  // The folders of the binary see everything, and those of cli/ that come before them.
  const std::set<std::string> binary = {"core",        "spec",     "scenarios", "proto", "http",
                                        "bundle",      "selfplay", "bots",      "capi",  "worker",
                                        "coordinator", "arena",    "site",      "cli"};
  std::vector<Layer> layers = {
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
      {"capi", {"core", "bots"}},
      {"bots/sdk", {"capi/triarch.h"}},
      {"worker/sandbox", {"core"}},
      {"worker/selfplay", {"core", "spec", "selfplay"}},
      {"worker/match", {"core", "worker/selfplay"}},
      {"worker/host", {"core", "spec", "bundle", "bots", "capi", "worker/match", "worker/sandbox"}},
      {"worker/session", {"core", "bundle"}},
      {"worker", {"core", "spec", "proto", "http", "bundle", "selfplay"}},
      {"coordinator/leases", {"core"}},
      {"coordinator/audits", {"core"}},
      {"coordinator/ratings", {"core"}},
      {"coordinator/experiments", {"core", "spec", "coordinator/ratings"}},
      {"coordinator/store", {"core", "spec"}},
      {"coordinator/pool", {"core", "spec", "coordinator/ratings", "coordinator/store"}},
      {"coordinator/session",
       {"core", "spec", "selfplay/shard", "coordinator/leases", "coordinator/audits",
        "coordinator/experiments", "coordinator/store/stored.h"}},
      {"coordinator/service",
       {"core", "spec", "proto", "bundle", "selfplay", "coordinator/leases", "coordinator/ratings",
        "coordinator/experiments", "coordinator/session", "coordinator/store", "http"}},
      {"arena/table", {"core"}},
      {"arena/session", {"core", "arena/table"}},
      {"arena/store", {"core", "arena/table", "arena/session", "coordinator/store"}},
      {"arena/api", {"core", "http", "arena/table", "arena/session", "arena/store"}},
      {"site",
       {"core", "spec", "http", "coordinator/store", "coordinator/ratings",
        "coordinator/experiments", "coordinator/service/stored_standings.h", "arena/api"}},
      {"arena/service",
       {"core", "spec", "bots", "http", "arena", "coordinator/ratings", "coordinator/store",
        "site"}},
      {"arena/client", {"core", "http", "worker/match"}},
      {"cli", binary},
      {"cli/rules", binary},
      {"cli/data", binary},
      {"cli/cluster", binary},
      {"cli/tournament", binary},
      {"cli/arena", binary},
      {"cli/bench", binary},
      {"tests", binary},
  };
  std::set<std::string> listed;
  for (const Layer& layer : layers) listed.insert(layer.folder);
  const std::vector<Layer> games = Games(listed);
  const auto core = std::find_if(layers.begin(), layers.end(),
                                 [](const Layer& layer) { return layer.folder == "core"; });
  layers.insert(core, games.begin(), games.end());
  return layers;
}

const std::vector<Layer>& Layers() {
  static const std::vector<Layer> kLayers = MakeLayers();
  return kLayers;
}

bool IsIn(const std::string& path, const std::string& folder) {
  return path == folder || path.starts_with(folder + "/");
}

// Returns the number of a file's layer.
size_t LayerOf(const std::string& path) {
  size_t best = Layers().size();
  for (size_t i = 0; i < Layers().size(); ++i) {
    const std::string& folder = Layers()[i].folder;
    const size_t length = best == Layers().size() ? 0 : Layers()[best].folder.size();
    if (IsIn(path, folder) && folder.size() > length) best = i;
  }
  return best;
}

bool MayInclude(const std::string& path, const std::string& included) {
  const size_t from = LayerOf(path);
  const size_t to = LayerOf(included);
  if (from == Layers().size() || to > from) return false;
  const Layer& layer = Layers()[from];
  if (IsIn(included, layer.folder)) return true;
  return std::any_of(layer.allowed.begin(), layer.allowed.end(),
                     [&](const std::string& name) { return IsIn(included, name); });
}

TEST(Tidy, AGameIncludesWhatGamesShareAndNoOtherGame) {
  const std::string game = "core/triumvirate/position.h";
  EXPECT_TRUE(MayInclude(game, "core/triumvirate/move.h"));
  EXPECT_TRUE(MayInclude(game, "core/game/position.h"));
  EXPECT_TRUE(MayInclude(game, "core/base/text.h"));
  EXPECT_TRUE(MayInclude("core/any_state.h", game));
  EXPECT_FALSE(MayInclude(game, "core/games.h"));
  EXPECT_FALSE(MayInclude(game, "core/record/tpgn.h"));
  EXPECT_FALSE(MayInclude("core/game/position.h", "core/triumvirate/move.h"));
  EXPECT_FALSE(MayInclude(game, "core/three_way/move.h"));
  EXPECT_FALSE(MayInclude("core/three_way/position.h", "core/triumvirate/move.h"));
}

TEST(Tidy, NoLayerIncludesALaterOne) {
  EXPECT_TRUE(MayInclude("core/record/tpgn.h", "core/any_state.h"));
  EXPECT_FALSE(MayInclude("core/any_state.h", "core/record/tpgn.h"));
  EXPECT_FALSE(MayInclude("bots/bot.h", "worker/match/match.h"));
  for (const Layer& layer : Layers()) {
    for (const std::string& allowed : layer.allowed) {
      EXPECT_TRUE(fs::exists(fs::path(TRIARCH_SOURCE_DIR) / allowed)) << allowed;
    }
  }
}

TEST(Tidy, IncludesFollowTheTable) {
  const std::regex include(
      "#include "
      "\"((core|spec|scenarios|proto|http|bundle|selfplay|bots|worker|coordinator|arena|site|cli|"
      "tests)/"
      "[^\"]+)\".*");
  for (const SourceFile& file : Sources()) {
    // A unit test may include more than its folder.
    if (file.path.ends_with("_test.cc")) continue;
    for (const std::string& line : file.lines) {
      std::smatch match;
      if (std::regex_match(line, match, include)) {
        EXPECT_TRUE(MayInclude(file.path, match[1])) << file.path << " includes " << match[1];
      }
    }
  }
}

// Returns the visible columns: continuation bytes of UTF-8 characters take none.
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

// Returns the class whose member a line begins to define: "A" of "int A::B() const {" and of
// "A::A()". Definitions start in the first column. Returns "" for any other line.
std::string ClassOfMember(const std::string& line) {
  static const std::regex kMember(
      "[A-Za-z](?:.*[^A-Za-z0-9_:])?([A-Z][A-Za-z0-9]*)::(?:[A-Z]\\w*::)*"
      "(?:~?\\w+|operator[^ ]+)\\(.*|"
      "([A-Z][A-Za-z0-9]*)::(?:[A-Z]\\w*::)*(?:~?\\w+|operator[^ ]+)\\(.*");
  std::smatch match;
  if (!std::regex_match(line, match, kMember)) return "";
  return match[1].matched ? match[1] : match[2];
}

// Returns the class that a line in the first column begins to define, or "".
std::string ClassOfDefinition(const std::string& line) {
  static const std::regex kClass("(?:class|struct) ([A-Z][A-Za-z0-9]*)[^;]*\\{");
  std::smatch match;
  return std::regex_match(line, match, kClass) ? match[1] : std::string();
}

// Returns the lines of each class by "folder/Class": those of its definition and of its members,
// wherever in the folder they are. clang-format ends both with a line that begins with "}".
std::map<std::string, size_t> ClassSizes() {
  std::map<std::string, size_t> sizes;
  for (const SourceFile& file : Sources()) {
    if (file.path.ends_with("_test.cc")) continue;
    const std::string folder = fs::path(file.path).parent_path().string() + "/";
    for (size_t i = 0; i < file.lines.size(); ++i) {
      std::string name = ClassOfDefinition(file.lines[i]);
      if (name.empty()) name = ClassOfMember(file.lines[i]);
      if (name.empty()) continue;
      const size_t first = i;
      while (i + 1 < file.lines.size() && !file.lines[i].starts_with("}") &&
             !(file.lines[i].ends_with("}") && file.lines[i].find('{') != std::string::npos &&
               !file.lines[i].starts_with(" ")) &&
             !(i == first && file.lines[i].ends_with(";"))) {
        ++i;
      }
      sizes[folder + name] += i - first + 1;
    }
  }
  return sizes;
}

TEST(Tidy, NoClassIsTooLarge) {
  EXPECT_EQ(ClassOfMember("absl::StatusOr<int> Coordinator::Submit("), "Coordinator");
  EXPECT_EQ(ClassOfMember("Coordinator::~Coordinator() {"), "Coordinator");
  EXPECT_EQ(ClassOfMember("int Slots::Loop::size() const { return 1; }"), "Slots");
  EXPECT_EQ(ClassOfMember("  Slots::Run();"), "");
  EXPECT_EQ(ClassOfMember("int Run(Slots::Options options) {"), "");
  EXPECT_EQ(ClassOfDefinition("class Slots : public Runner {"), "Slots");
  EXPECT_EQ(ClassOfDefinition("class Slots;"), "");
  for (const auto& [name, size] : ClassSizes()) EXPECT_LE(size, 500u) << name;
}

// Returns the first line after the opening comment and the blank line below it.
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

// What is printed may contain the text of strangers. The listed files escape it, or write text of
// ours with escape sequences.
TEST(Tidy, CommandsPrintThroughTheFunctionsThatEscape) {
  const std::set<std::string> printers = {"cli/bench/bench_command.cc",
                                          "cli/cluster/watch_screen.cc",
                                          "cli/files.cc",
                                          "cli/progress.cc",
                                          "cli/report.cc",
                                          "cli/tournament/full_screen.cc",
                                          "cli/tournament/protocol_log.cc"};
  const std::regex prints("\\b(std::(cout|cerr)|(f?printf|F?PrintF|f?puts|fwrite)\\()");
  for (const SourceFile& file : Sources()) {
    if (!IsIn(file.path, "cli") || file.path.ends_with("_test.cc")) continue;
    if (printers.contains(file.path)) continue;
    for (const std::string& line : file.lines) {
      EXPECT_FALSE(std::regex_search(line, prints)) << file.path << ": " << line;
    }
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
