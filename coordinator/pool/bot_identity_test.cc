#include "coordinator/pool/bot_identity.h"

#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace triarch {
namespace {

using ::testing::ElementsAre;

StoredTournament With(BotSpec bot, TimeControl control = {}, std::string digest = "build1") {
  StoredTournament tournament;
  tournament.spec.time_control = control;
  tournament.spec.bots = {std::move(bot)};
  tournament.bot_digests = {std::move(digest)};
  return tournament;
}

BotIdentity Identity(const StoredTournament& tournament, const IdentityRules& rules = {}) {
  return IdentityOf(tournament, 0, rules);
}

BotSpec Bundled(std::string type, std::map<std::string, std::string> options = {}) {
  return {.name = "any", .bot = std::move(type), .options = std::move(options)};
}

BotSpec Plugin(std::string digest) {
  return {.name = "any",
          .bot = std::string(kPluginBot),
          .library = "/some/bot.so",
          .digest = std::move(digest)};
}

TEST(BotIdentityTest, NameAndPlaceDoNotMatter) {
  BotSpec other = Plugin("d1");
  other.name = "renamed";
  other.library = "/other/bot.so";
  EXPECT_EQ(Identity(With(Plugin("d1"))), Identity(With(other)));
  EXPECT_NE(Identity(With(Plugin("d1"))), Identity(With(Plugin("d2"))));
  BotSpec slow = Plugin("d1");
  slow.options["depth"] = "5";
  EXPECT_NE(Identity(With(Plugin("d1"))), Identity(With(slow)));
}

TEST(BotIdentityTest, OnlyBundledBotsDependOnTheBuild) {
  const BotSpec bot = Bundled("greedy");
  EXPECT_NE(Identity(With(bot, {}, "build1")), Identity(With(bot, {}, "build2")));
  const IdentityRules any_build{.ignores_builds = true};
  EXPECT_EQ(Identity(With(bot, {}, "build1"), any_build),
            Identity(With(bot, {}, "build2"), any_build));
  EXPECT_EQ(Identity(With(Plugin("d1"), {}, "build1")), Identity(With(Plugin("d1"), {}, "build2")));
}

TEST(BotIdentityTest, ALimitMattersToTheBotsThatHeedIt) {
  const IdentityRules rules{.searches = [](const BotSpec& bot) { return bot.bot != "random"; }};
  const auto differ = [&](const BotSpec& bot, const TimeControl& a, const TimeControl& b) {
    return Identity(With(bot, a), rules) != Identity(With(bot, b), rules);
  };
  const TimeControl few{.nodes = 100};
  const TimeControl many{.nodes = 1000};
  EXPECT_TRUE(differ(Bundled("mcts"), few, many));
  EXPECT_FALSE(differ(Bundled("mcts", {{"nodes", "50"}}), few, many));
  EXPECT_FALSE(differ(Bundled("random"), few, many));
  EXPECT_TRUE(differ(Plugin("d1"), few, many));
  EXPECT_TRUE(differ(Bundled("random"), {.movetime_ms = 5}, {.movetime_ms = 10}));
  EXPECT_TRUE(differ(Bundled("mcts", {{"nodes", "50"}}), {.clock = ClockSpec{.base_ms = 1}},
                     {.clock = ClockSpec{.base_ms = 2}}));
  BotSpec with_odds = Plugin("d1");
  with_odds.limits.nodes = 7;
  EXPECT_FALSE(differ(with_odds, few, many)) << "its own limits replace those of the tournament";
  EXPECT_NE(Identity(With(with_odds, few)), Identity(With(Plugin("d1"), few)));
}

TEST(BotIdentityTest, ADigestStandsForTheModel) {
  BotSpec a = Bundled("torch", {{"model", "/a/net.pt"}, {"nodes", "9"}});
  BotSpec b = Bundled("torch", {{"model", "/b/net.pt"}, {"nodes", "9"}});
  EXPECT_NE(Identity(With(a)), Identity(With(b)));
  a.digest = b.digest = "d1";
  EXPECT_EQ(Identity(With(a)), Identity(With(b)));
}

std::vector<std::string> Labels(std::vector<BotRelease> bots) { return VersionLabels(bots); }

TEST(VersionLabelsTest, ABundleVersionIsEnoughIfItNamesOneDigest) {
  const BotIdentity old{.type = "plugin", .digest = std::string(64, 'a')};
  const BotIdentity now{.type = "plugin", .digest = std::string(64, 'b')};
  EXPECT_THAT(Labels({{old, "1.0"}, {now, "1.1"}}), ElementsAre("1.0", "1.1"));
  EXPECT_THAT(Labels({{old, "1.0"}, {now, "1.0"}}), ElementsAre("aaaaaaaa", "bbbbbbbb"));
  EXPECT_THAT(Labels({{old, "1.0"}, {now, ""}}), ElementsAre("aaaaaaaa", "bbbbbbbb"));
}

TEST(VersionLabelsTest, DigestsAreAsLongAsNeeded) {
  EXPECT_THAT(Labels({{{.type = "plugin", .digest = "0123456789aa"}, ""},
                      {{.type = "plugin", .digest = "0123456789ab"}, ""},
                      {{.type = "plugin", .digest = ""}, ""}}),
              ElementsAre("0123456789aa", "0123456789ab", "none"));
  EXPECT_THAT(Labels({{{.type = "greedy", .build = "3fa94c1b7e2d"}, ""},
                      {{.type = "greedy", .build = "6bb2ab69c001"}, ""}}),
              ElementsAre("3fa94c1b", "6bb2ab69"));
}

TEST(VersionLabelsTest, ShowOnlyTheOptionsThatDiffer) {
  const auto bot = [](std::map<std::string, std::string> options) {
    return BotRelease{{.type = "mcts", .options = std::move(options)}, ""};
  };
  EXPECT_THAT(Labels({bot({{"nodes", "100"}, {"resign", "5"}}),
                      bot({{"nodes", "200"}, {"resign", "5"}}), bot({{"resign", "5"}})}),
              ElementsAre("nodes=100", "nodes=200", "default"));
  EXPECT_THAT(Labels({bot({{"exploration", "1"}, {"nodes", "9"}}), bot({{"nodes", "8"}})}),
              ElementsAre("exploration=1:nodes=9", "nodes=8"));
}

TEST(VersionLabelsTest, OtherDifferences) {
  EXPECT_THAT(Labels({{{.type = "mcts"}, ""}, {{.type = "maxn", .options = {{"depth", "1"}}}, ""}}),
              ElementsAre("mcts", "maxn"));
  EXPECT_THAT(Labels({{{.type = "process", .command = {"bot", "-f"}}, ""},
                      {{.type = "process", .command = {"bot"}}, ""}}),
              ElementsAre("bot -f", "bot"));
  EXPECT_THAT(Labels({{{.type = "mcts", .limits = "nodes=5 depth=2"}, ""},
                      {{.type = "mcts", .limits = "-"}, ""}}),
              ElementsAre("nodes=5,depth=2", "unlimited"));
}

// No single difference tells these three apart.
TEST(VersionLabelsTest, CombineDifferencesIfNecessary) {
  const auto bot = [](char digit, std::string depth) {
    return BotRelease{{.type = "plugin",
                       .digest = std::string(64, digit),
                       .options = {{"depth", std::move(depth)}}},
                      ""};
  };
  EXPECT_THAT(Labels({bot('a', "3"), bot('a', "4"), bot('b', "4")}),
              ElementsAre("aaaaaaaa:depth=3", "aaaaaaaa:depth=4", "bbbbbbbb:depth=4"));
}

}  // namespace
}  // namespace triarch
