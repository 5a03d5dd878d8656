#include "spec/bot_manifest.h"

#include <string>

#include "core/base/temporary_folder.h"
#include "core/record/game_spec.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/e2e/binary_runner.h"

namespace triarch {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

constexpr char kMine[] = R"(name: mine
version: 1.2
type: process
command: [python3, bot.py]
games: [tri-d, triumvirate]
options: {Effort: 5000}
)";

std::string ManifestErrorOf(const std::string& text) {
  return std::string(ParseBotManifest(text, "bot.yaml").status().message());
}

TEST(BotManifest, ReadsEveryKey) {
  const BotManifest manifest = ParseBotManifest(kMine, "bot.yaml").value();
  EXPECT_EQ(manifest.name, "mine");
  EXPECT_EQ(manifest.version, "1.2");
  EXPECT_EQ(manifest.type, kProcessBot);
  EXPECT_THAT(manifest.command, ElementsAre("python3", "bot.py"));
  EXPECT_THAT(manifest.games, ElementsAre("tri-d", "triumvirate"));
  EXPECT_THAT(manifest.options, ElementsAre(Pair("Effort", "5000")));
  EXPECT_EQ(BundleText(manifest), "mine@1.2");
  EXPECT_EQ(VersionedBotName("a", manifest, "3fa94c1b00"), "a 1.2 (3fa94c1b)");
  const BotManifest plugin =
      ParseBotManifest("{name: p, version: '2', type: plugin, library: p.so, games: [tri-d]}", "")
          .value();
  EXPECT_EQ(plugin.type, kPluginBot);
  EXPECT_EQ(plugin.library, "p.so");
  const BotManifest torch = ParseBotManifest(
                                "{name: t, version: '3', type: torch, model: net/m.pt, "
                                "games: [tri-d], options: {leaves: 4}}",
                                "")
                                .value();
  EXPECT_EQ(torch.type, kTorchBot);
  EXPECT_EQ(torch.file, "net/m.pt");
  EXPECT_THAT(torch.options, ElementsAre(Pair("leaves", "4")));
  const BotManifest searcher =
      ParseBotManifest("{name: s, version: '4', type: maxn, net: a.net, games: [tri-d]}", "")
          .value();
  EXPECT_EQ(searcher.type, "maxn");
  EXPECT_EQ(searcher.file, "a.net");
}

TEST(BotManifest, SaysWhereAFaultIs) {
  EXPECT_EQ(ManifestErrorOf("name: mine\nversin: 1\n"),
            "bot.yaml:2:1: unknown key \"versin\"; did you mean \"version\"?");
  EXPECT_EQ(ManifestErrorOf("name: mine\n"),
            "bot.yaml:1:1: the key version is missing; expected a manifest such as {name: mine, "
            "version: 1.0, type: process, command: [python3, bot.py], games: [tri-d]}");
  EXPECT_EQ(ManifestErrorOf("{name: a b, version: 1, type: process, command: [x], games: [tri-d]}"),
            "bot.yaml:1:8: name is \"a b\"; expected 1 to 30 letters, digits and . _ + -, not "
            "beginning with . or -");
  EXPECT_EQ(
      ManifestErrorOf("{name: a, version: 1, type: wasm, command: [x], games: [tri-d]}"),
      "bot.yaml:1:29: unknown type \"wasm\"; expected one of process, plugin, torch, paranoid, "
      "maxn, mcts");
  EXPECT_EQ(ManifestErrorOf("{name: a, version: 1, type: plugin, command: [x], games: [tri-d]}"),
            "bot.yaml:1:46: command in a bot of type plugin; expected library");
  EXPECT_EQ(ManifestErrorOf("{name: a, version: 1, type: torch, library: x, games: [tri-d]}"),
            "bot.yaml:1:45: library in a bot of type torch; expected model");
  EXPECT_EQ(ManifestErrorOf("{name: a, version: 1, type: process, model: x, games: [tri-d]}"),
            "bot.yaml:1:45: model in a bot of type process; expected command");
  EXPECT_THAT(ManifestErrorOf("{name: a, version: 1, type: torch, model: /x.pt, games: [tri-d]}"),
              ::testing::HasSubstr("\"/x.pt\" is not a valid path"));
  EXPECT_EQ(ManifestErrorOf("{name: a, version: 1, type: torch, model: x, games: [tri-d], "
                            "options: {model: y}}"),
            "bot.yaml:1:79: model among the options; expected it beside them");
  EXPECT_EQ(ManifestErrorOf("{name: a, version: 1, type: process, command: [x], games: [tri-d], "
                            "options: {depth: 3}}"),
            "bot.yaml:1:85: depth is a limit that tournaments set for any bot; expected another "
            "name for the option");
  EXPECT_EQ(ManifestErrorOf("{name: a, version: 1, type: process, command: x, games: [tri-d]}"),
            "bot.yaml:1:47: command is text; expected a list of texts, as in [python3, bot.py]");
  EXPECT_EQ(ManifestErrorOf("{name: a, version: 1, type: process, command: [x], games: [chess]}"),
            "bot.yaml:1:59: unknown game \"chess\"; expected one of triumvirate, three-way, tri-d");
  EXPECT_EQ(ManifestErrorOf("{name: a, version: 1, type: process, command: [x], games: []}"),
            "bot.yaml:1:59: games is an empty list; expected a list of texts, as in [triumvirate, "
            "tri-d]");
  EXPECT_EQ(
      ManifestErrorOf("{name: a, version: 1, type: plugin, library: /lib/x.so, games: [tri-d]}"),
      "bot.yaml:1:46: \"/lib/x.so\" is not a valid path; expected a relative path "
      "without \"..\", of at most 100 ASCII characters");
  EXPECT_EQ(ManifestErrorOf("{name: a, version: 1, type: plugin, library: ../x.so, games: [tri-d]}")
                .substr(0, 15),
            "bot.yaml:1:46: ");
}

TEST(BotManifest, LimitsThePatterns) {
  std::string files = "[a";
  for (int i = 1; i < 100; ++i) files += ", a";
  EXPECT_EQ(ManifestErrorOf(std::string(kMine) + "files: " + files + "]"), "");
  EXPECT_EQ(ManifestErrorOf(std::string(kMine) + "files: " + files + ", a]"),
            "bot.yaml:7:8: files lists 101 patterns; expected at most 100, such as data for "
            "everything in a folder");
}

TEST(BotManifest, SelectsFiles) {
  const TemporaryFolder folder;
  const auto write_files = [&](const std::string& files) {
    WriteWholeFile(folder / "bot.yaml", std::string(kMine) + "files: " + files + "\n");
  };
  const auto error = [&] {
    return std::string(
        ManifestOf(ReadBundleFolder(folder.path()).value(), "mine").status().message());
  };
  WriteWholeFile(folder / "bot.py", "");
  WriteWholeFile(folder / "notes.txt", "");
  EXPECT_EQ(ReadBundleFolder(folder.path())->files().size(), 2u);
  write_files("[bot.py]");
  EXPECT_EQ(ReadBundleFolder(folder.path())->files().size(), 2u) << "with bot.yaml";
  EXPECT_EQ(error(), "");
  EXPECT_EQ(ManifestOf(Bundle::FromFolder(folder.path()).value(), "mine").status().message(),
            "mine/bot.yaml: files does not include \"notes.txt\", which is in the bundle");
  write_files("[bot.py, net.bin]");
  EXPECT_EQ(error().substr(0, 50), "mine/bot.yaml: files: \"net.bin\" matches no file in");
  write_files("bot.py");
  EXPECT_EQ(FilePatternsOf(folder.path()).status().message().substr(0, 20),
            (folder.path() + "/bot.yaml:7").substr(0, 20));
  EXPECT_TRUE(FilePatternsOf(folder / "nowhere")->empty());
}

TEST(BotManifest, ABundlesManifestNamesExistingFiles) {
  const TemporaryFolder folder;
  const auto error = [&] {
    return std::string(
        ManifestOf(Bundle::FromFolder(folder.path()).value(), "mine").status().message());
  };
  WriteWholeFile(folder / "other", "");
  EXPECT_EQ(error(), "there is no mine/bot.yaml; expected a file with name, version, type, games");
  WriteWholeFile(folder / "bot.yaml", kMine);
  EXPECT_EQ(error(), "");  // an interpreter is not in the bundle
  WriteWholeFile(folder / "bot.yaml",
                 "{name: a, version: 1, type: process, command: [./bot], games: [tri-d]}");
  EXPECT_EQ(error(), "mine/bot.yaml: command: there is no file \"bot\" in the bundle");
  WriteWholeFile(folder / "bot", "");
  EXPECT_EQ(error(), "mine/bot.yaml: command: there is no executable file \"bot\" in the bundle");
  WriteWholeFile(folder / "bot.yaml",
                 "{name: a, version: 1, type: plugin, library: a.so, games: [tri-d]}");
  EXPECT_EQ(error(), "mine/bot.yaml: library: there is no file \"a.so\" in the bundle");
  WriteWholeFile(folder / "bot.yaml",
                 "{name: a, version: 1, type: torch, model: a.pt, games: [tri-d]}");
  EXPECT_EQ(error(), "mine/bot.yaml: model: there is no file \"a.pt\" in the bundle");
}

}  // namespace
}  // namespace triarch
