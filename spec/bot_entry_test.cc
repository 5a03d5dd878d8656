#include "spec/bot_entry.h"

#include <filesystem>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "spec/bot_flag.h"
#include "spec/spec_json.h"
#include "spec/test_tournaments.h"

namespace triarch {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

// Paths are relative to the tournament file, which is in dir.
TEST(BotEntryTest, UserSuppliedBots) {
  const TournamentSpec spec = MustParse(R"(
game: tri-d
bots:
  - {name: plug, library: ./bots/../mine.so, size: 3}
  - {name: proc, command: [python3, bot.py], dir: mine, level: high}
  - {name: bare, command: [/usr/bin/engine], sandbox: none}
)");
  const std::string dir = std::filesystem::absolute("dir").string();
  EXPECT_THAT(spec.bots, ElementsAre(BotSpec{.name = "plug",
                                             .bot = "plugin",
                                             .options = {{"size", "3"}},
                                             .library = dir + "/mine.so",
                                             .digest = "digest of mine.so"},
                                     BotSpec{.name = "proc",
                                             .bot = "process",
                                             .options = {{"level", "high"}},
                                             .command = {"python3", "bot.py"},
                                             .dir = dir + "/mine",
                                             .digest = "digest of mine"},
                                     BotSpec{.name = "bare",
                                             .bot = "process",
                                             .command = {"/usr/bin/engine"},
                                             .is_sandboxed = false}));
  EXPECT_EQ(SpecFromJson(SpecToJson(spec)).value().bots, spec.bots);
}

// A torch bot's model is a file like a library: its path is relative to the tournament file, and it
// has a digest.
TEST(BotEntryTest, ModelsOfTorchBots) {
  const TournamentSpec spec = MustParse(R"(
game: tri-d
bots:
  - {name: new, bot: torch, model: nets/new.pt, nodes: 100}
  - torch:model=/nets/old.pt
)");
  const std::string dir = std::filesystem::absolute("dir").string();
  EXPECT_THAT(spec.bots,
              ElementsAre(BotSpec{.name = "new",
                                  .bot = "torch",
                                  .options = {{"model", dir + "/nets/new.pt"}, {"nodes", "100"}},
                                  .digest = "digest of new.pt"},
                          BotSpec{.name = "torch:model=/nets/old.pt",
                                  .bot = "torch",
                                  .options = {{"model", "/nets/old.pt"}},
                                  .digest = "digest of old.pt"}));
  EXPECT_EQ(SpecFromJson(SpecToJson(spec)).value().bots, spec.bots);
  EXPECT_THAT(ErrorOf("game: tri-d\nbots: [random, {name: x, bot: torch, model: missing}]"),
              HasSubstr("dir/t.yaml:2:45: "));
  EXPECT_THAT(ErrorOf("game: tri-d\nbots: [random, torch:model=/missing]"),
              HasSubstr("/missing: there is no such file"));
  TournamentDraft flags;
  flags.values["game"] = std::string("tri-d");
  ASSERT_TRUE(SetBotFlags("torch:model=/nets/old.pt,random", TestHooks(), &flags).ok());
  EXPECT_EQ(flags.bots[0].value.digest, "digest of old.pt");
  EXPECT_EQ(flags.bots[1].value.digest, "");
}

// The network of a searcher is a file in the same way, unless it is one of two words.
TEST(BotEntryTest, NetworksOfSearchers) {
  const TournamentSpec spec = MustParse(R"(
game: tri-d
bots:
  - {name: new, bot: paranoid, net: nets/new.net, nodes: 100}
  - {name: hand, bot: mcts, net: none}
  - mcts:net=/nets/old.net
)");
  const std::string dir = std::filesystem::absolute("dir").string();
  EXPECT_THAT(spec.bots,
              ElementsAre(BotSpec{.name = "new",
                                  .bot = "paranoid",
                                  .options = {{"net", dir + "/nets/new.net"}, {"nodes", "100"}},
                                  .digest = "digest of new.net"},
                          BotSpec{.name = "hand", .bot = "mcts", .options = {{"net", "none"}}},
                          BotSpec{.name = "mcts:net=/nets/old.net",
                                  .bot = "mcts",
                                  .options = {{"net", "/nets/old.net"}},
                                  .digest = "digest of old.net"}));
  EXPECT_EQ(SpecFromJson(SpecToJson(spec)).value().bots, spec.bots);
  EXPECT_THAT(ErrorOf("game: tri-d\nbots: [random, {name: x, bot: mcts, net: missing}]"),
              HasSubstr("dir/t.yaml:2:42: "));
  TournamentDraft flags;
  flags.values["game"] = std::string("tri-d");
  ASSERT_TRUE(SetBotFlags("paranoid:net=old.net,random", TestHooks(), &flags).ok());
  EXPECT_EQ(flags.bots[0].value.digest, "digest of old.net");
  EXPECT_EQ(flags.bots[0].value.options.at("net"), std::filesystem::absolute("old.net").string());
}

TEST(BotEntryTest, LimitsOfABot) {
  const TournamentSpec spec = MustParse(R"(
game: tri-d
bots:
  - {bot: paranoid, nodes: 100, tc: 40/2:30}
  - random:tc=30+0.3
  - {name: plug, library: mine.so, nodes: 5, depth: 2}
  - {name: proc, command: [./bot], movetime_ms: 20, level: high}
  - {bundle: mine, depth: 3}
)");
  ASSERT_EQ(spec.bots.size(), 5u);
  EXPECT_EQ(spec.bots[0].name, "paranoid:nodes=100:tc=40/150");
  EXPECT_THAT(spec.bots[0].options, ElementsAre(Pair("nodes", "100")));
  EXPECT_EQ(spec.bots[0].limits, (BotLimits{.clock = ClockSpec{.base_ms = 150'000, .moves = 40}}));
  EXPECT_EQ(spec.bots[1],
            (BotSpec{.name = "random:tc=30+0.3",
                     .bot = "random",
                     .limits = {.clock = ClockSpec{.base_ms = 30'000, .increment_ms = 300}}}));
  EXPECT_EQ(spec.bots[2].limits, (BotLimits{.nodes = 5, .depth = 2}));
  EXPECT_EQ(spec.bots[3].limits, (BotLimits{.movetime_ms = 20}));
  EXPECT_THAT(spec.bots[3].options, ElementsAre(Pair("level", "high")));
  EXPECT_EQ(spec.bots[4].limits, (BotLimits{.depth = 3}));
  EXPECT_EQ(SpecFromJson(SpecToJson(spec)).value().bots, spec.bots);
  TournamentSpec other = spec;
  other.bots[2].limits.nodes = 6;
  EXPECT_EQ(SpecDifference(spec, other),
            "its bot plug is plugin:nodes=5:depth=2, not plugin:nodes=6:depth=2");
}

TEST(BotEntryTest, WrongLimitsOfABot) {
  EXPECT_THAT(ErrorOf("game: tri-d\nbots: [random, random:tc=x]"),
              HasSubstr("dir/t.yaml:2:16: tc of bot random is \"x\"; TIME \"x\" is not from "));
  EXPECT_THAT(ErrorOf("game: tri-d\nbots: [random, {bot: random, tc: 60+}]"),
              HasSubstr("dir/t.yaml:2:34: tc is \"60+\"; INCREMENT \"\" is not from 0"));
  EXPECT_THAT(ErrorOf("game: tri-d\nbots: [random, {name: x, library: x.so, nodes: 0}]"),
              HasSubstr("2:48: nodes is \"0\"; expected a whole number from 1"));
  EXPECT_THAT(std::string(SpecFromJson(R"({"bots":[{"limits":{"tc":"x"}}]})").status().message()),
              HasSubstr("spec: bots.limits.tc is \"x\"; expected [MOVES/]TIME"));
  EXPECT_THAT(std::string(SpecFromJson(R"({"bots":[{"limits":{"tm":1}}]})").status().message()),
              HasSubstr("\"bots.limits.tm\" is not a key"));
}

TEST(BotEntryTest, ErrorsOfUserSuppliedBotsHaveALocation) {
  const auto error = [](const std::string& bot) {
    return ErrorOf("game: tri-d\nbots: [random, {name: x, " + bot + "}]");
  };
  EXPECT_EQ(error("bot: random, library: x.so"), "dir/t.yaml:2:48: give either bot or library");
  EXPECT_THAT(error("library: missing"), HasSubstr("2:35: "));
  EXPECT_THAT(error("library: missing"), HasSubstr("missing: there is no such file"));
  EXPECT_EQ(error("library: x.so, bad: 1"), "dir/t.yaml:2:46: unknown option bad");
  EXPECT_EQ(error("library: x.so, dir: y"),
            "dir/t.yaml:2:46: dir without command; expected a command too");
  EXPECT_EQ(error("bot: random, sandbox: none"),
            "dir/t.yaml:2:48: sandbox without command; expected a command too");
  EXPECT_THAT(error("command: bot.py"), HasSubstr("2:35: command is text; expected a list of"));
  EXPECT_THAT(error("command: []"),
              HasSubstr(": command is an empty list; expected a list of texts"));
  EXPECT_THAT(error("command: [a], sandbox: off"), HasSubstr("unknown sandbox \"off\""));
  EXPECT_THAT(ErrorOf("game: tri-d\nbots: [random, {library: x.so}]"),
              HasSubstr("2:26: a user-supplied bot needs a name; expected the key name too"));
}

// A bot's options override those of its manifest. Its name includes its version.
TEST(BotEntryTest, BotsFromBundles) {
  const TournamentSpec spec = MustParse(R"(
game: tri-d
bots:
  - {bundle: mine}
  - {name: high, bundle: ./mine, level: high}
anchor: high
)");
  EXPECT_THAT(spec.bots, ElementsAre(BotSpec{.name = "mine 1.2 (3fa94c1b)",
                                             .bot = "process",
                                             .options = {{"level", "low"}, {"width", "1"}},
                                             .bundle = "mine@1.2",
                                             .command = {"python3", "bot.py"},
                                             .digest = "3fa94c1b77"},
                                     BotSpec{.name = "high 1.2 (3fa94c1b)",
                                             .bot = "process",
                                             .options = {{"level", "high"}, {"width", "1"}},
                                             .bundle = "mine@1.2",
                                             .command = {"python3", "bot.py"},
                                             .dir = std::filesystem::absolute("dir/mine").string(),
                                             .digest = "3fa94c1b77"}));
  EXPECT_EQ(spec.anchor, "high 1.2 (3fa94c1b)");
  EXPECT_EQ(SpecFromJson(SpecToJson(spec)).value().bots, spec.bots);
  EXPECT_EQ(ErrorOf("game: tri-d\nbots: [random, {bundle: yours}]"),
            "dir/t.yaml:2:25: no bundle yours");
  EXPECT_EQ(ErrorOf("game: triumvirate\nbots: [random, mcts, {bundle: mine}]"),
            "dir/t.yaml:2:31: mine@1.2 does not play triumvirate; it plays tri-d");
  EXPECT_EQ(ErrorOf("game: tri-d\nbots: [random, {bundle: mine, sandbox: none}]"),
            "dir/t.yaml:2:40: sandbox without command; expected a command too");
  EXPECT_EQ(ErrorOf("game: tri-d\nbots: [random, {bundle: mine, bad: 1}]"),
            "dir/t.yaml:2:31: mine@1.2 has no option bad; expected one of level, width");
  EXPECT_EQ(ErrorOf("game: tri-d\nbots: [random, {bundle: mine, widt: 1}]"),
            "dir/t.yaml:2:31: mine@1.2 has no option widt; did you mean \"width\"?");
  EXPECT_THAT(ErrorOf("game: tri-d\nbots: [{bundle: mine}, {bundle: mine}]"), HasSubstr("2:"));
}

// The model is a file in the bundle, so the bundle's digest covers it.
TEST(BotEntryTest, ATorchBotFromABundle) {
  const TournamentSpec spec = MustParse("game: tri-d\nbots: [{bundle: net, nodes: 9}, random]\n");
  EXPECT_EQ(spec.bots[0], (BotSpec{.name = "net 7 (bb94c1b7)",
                                   .bot = "torch",
                                   .options = {{"leaves", "4"}, {"model", "m.pt"}, {"nodes", "9"}},
                                   .bundle = "net@7",
                                   .digest = "bb94c1b77"}));
  EXPECT_EQ(SpecFromJson(SpecToJson(spec)).value().bots, spec.bots);
  EXPECT_EQ(ErrorOf("game: tri-d\nbots: [random, {bundle: net, model: other.pt}]"),
            "dir/t.yaml:2:37: net@7 has its own model; expected no model");
}

TEST(BotEntryTest, TheAnchorMustNameOneBot) {
  const std::string bots = "game: tri-d\nbots: [{bundle: mine}, {name: mine, bundle: ./mine-2}]\n";
  EXPECT_EQ(ErrorOf(bots + "anchor: mine"),
            "dir/t.yaml:3:9: anchor \"mine\" is the name of several bots; expected one of "
            "\"mine 1.2 (3fa94c1b)\", \"mine 2 (aa94c1b7)\"");
  EXPECT_EQ(MustParse(bots + "anchor: mine 2 (aa94c1b7)").anchor, "mine 2 (aa94c1b7)");
}

TEST(BotEntryTest, SuggestsTheKeyThatWasMeant) {
  const auto error = [](const std::string& bot) {
    return ErrorOf("game: tri-d\nbots: [random, {" + bot + "}]");
  };
  EXPECT_EQ(error("name: x, comand: [a]"),
            "dir/t.yaml:2:26: unknown key comand; did you mean \"command\"?");
  EXPECT_EQ(error("nmae: x"), "dir/t.yaml:2:17: unknown key nmae; did you mean \"name\"?");
  EXPECT_EQ(error("name: x, level: 3"),
            "dir/t.yaml:2:16: a bot without the key bot; expected an entry such as {name: p2, bot: "
            "paranoid}, or one with library, command or bundle");
  EXPECT_EQ(error("name: x, command: [fails], dri: y, level: 3"),
            "dir/t.yaml:2:44: unknown key dri; did you mean \"dir\"? (it does not start)");
  EXPECT_EQ(error("name: x, command: [fails], level: 3"), "dir/t.yaml:2:35: it does not start");
  EXPECT_EQ(error("bot: paranoid, nmae: x"),
            "dir/t.yaml:2:38: unknown option nmae; did you mean \"name\"?");
}

TEST(BotEntryTest, DefaultNames) {
  const TournamentSpec spec = MustParse(R"(
game: triumvirate
bots:
  - paranoid:depth=2
  - {bot: paranoid, depth: 3, nodes: 50}
  - paranoid
)");
  EXPECT_EQ(spec.bots[0].name, "paranoid:depth=2");
  EXPECT_EQ(spec.bots[1].name, "paranoid:depth=3:nodes=50");
  EXPECT_EQ(spec.bots[2].name, "paranoid");
}

std::string ErrorOfBots(const std::string& bots) { return ErrorOf("game: triumvirate\n" + bots); }

TEST(BotEntryTest, FaultsOfBots) {
  EXPECT_EQ(ErrorOfBots("bots: random"), "dir/t.yaml:2:7: bots is text; expected a list of bots");
  EXPECT_THAT(ErrorOfBots("bots: [random, [a]]"), HasSubstr("2:16: a bot is a list; expected"));
  EXPECT_THAT(ErrorOfBots("bots: [random, ]\nbots: []"), HasSubstr("3:1: bots is given twice"));
  EXPECT_EQ(ErrorOfBots("bots: [random, deep]"), "dir/t.yaml:2:16: unknown bot deep");
  EXPECT_EQ(ErrorOfBots("bots: [{bot: deep}]"), "dir/t.yaml:2:14: unknown bot deep");
  EXPECT_EQ(ErrorOfBots("bots: [{bot: paranoid, depth: 3, deep: 4}]"),
            "dir/t.yaml:2:40: unknown option deep");
  EXPECT_EQ(ErrorOfBots("bots: [{bot: paranoid, depth: x}]"), "dir/t.yaml:2:31: option depth is x");
  EXPECT_EQ(ErrorOfBots("bots: [{bot: paranoid, depth: [3]}]"),
            "dir/t.yaml:2:31: depth is a list; expected text");
  EXPECT_THAT(ErrorOfBots("bots: [{name: x}]"), HasSubstr("2:8: a bot without the key bot"));
  EXPECT_THAT(ErrorOfBots("bots: [{name: a b, bot: random}]"),
              HasSubstr("2:15: \"a b\" cannot be a bot's name"));
  EXPECT_THAT(ErrorOfBots("bots: ['paranoid:depth']"), HasSubstr("is not an option"));
}

TEST(BotEntryTest, RefusesTwoBotsWithOneName) {
  EXPECT_EQ(ErrorOfBots("bots:\n  - random\n  - mcts\n  - random\n"),
            "dir/t.yaml:5:5: two bots are named random; expected another name for one of them, "
            "as in {name: other, bot: random}");
  EXPECT_THAT(ErrorOfBots("bots: [mcts, {name: mcts, bot: random}]"),
              HasSubstr("2:14: two bots are named mcts"));
}

TEST(BotEntryTest, TooFewBots) {
  EXPECT_EQ(ErrorOfBots("bots: [random, mcts]"),
            "dir/t.yaml:2:7: 2 bots are too few; triumvirate has 3 seats");
}

TEST(BotFlagTest, Reads) {
  EXPECT_EQ(ParseBotFlag("random").value(), (BotSpec{"random", "random", {}}));
  EXPECT_EQ(ParseBotFlag("paranoid:depth=2:nodes=5").value(),
            (BotSpec{"paranoid:depth=2:nodes=5", "paranoid", {{"depth", "2"}, {"nodes", "5"}}}));
}

TEST(BotFlagTest, Refuses) {
  for (const char* text : {"", ":depth=2", "paranoid:", "paranoid:depth", "paranoid:=2",
                           "paranoid:depth=", "paranoid:depth=2:depth=3", "para noid", "a\"b"}) {
    EXPECT_EQ(ParseBotFlag(text).status().code(), absl::StatusCode::kInvalidArgument) << text;
  }
  EXPECT_FALSE(ParseBotFlag(std::string(61, 'x')).ok());
  EXPECT_TRUE(ParseBotFlag(std::string(60, 'x')).ok());
}

}  // namespace
}  // namespace triarch
