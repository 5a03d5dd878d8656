#include "core/record/odds.h"

#include "gtest/gtest.h"

namespace triarch {
namespace {

const TimeControl kCommon{.nodes = 500,
                          .depth = 3,
                          .clock = ClockSpec{.base_ms = 60'000},
                          .margin_ms = 20,
                          .charges_cpu = true};

BotSpec Bundled(std::map<std::string, std::string> options) {
  return {.name = "a", .bot = "paranoid", .options = std::move(options)};
}

TEST(OddsTest, ABotWithoutItsOwnLimitsHasTheCommonOnes) {
  EXPECT_EQ(TimeControlOf(kCommon, Bundled({{"resign", "5"}})), kCommon);
}

TEST(OddsTest, OwnNodesOrDepthReplaceBoth) {
  TimeControl expected = kCommon;
  expected.nodes = 100;
  expected.depth.reset();
  EXPECT_EQ(TimeControlOf(kCommon, Bundled({{"nodes", "100"}})), expected);
  BotSpec plugin = {.name = "b", .bot = std::string(kPluginBot), .limits = {.nodes = 100}};
  EXPECT_EQ(TimeControlOf(kCommon, plugin), expected);
  plugin.options["depth"] = "9";  // means something else to a user-supplied bot
  EXPECT_EQ(TimeControlOf(kCommon, plugin), expected);
}

TEST(OddsTest, OwnTimeReplacesAllLimits) {
  BotSpec bot = Bundled({});
  bot.limits.movetime_ms = 30;
  EXPECT_EQ(TimeControlOf(kCommon, bot),
            (TimeControl{.movetime_ms = 30, .margin_ms = 20, .charges_cpu = true}));
  bot.limits.clock = ClockSpec{.base_ms = 1000};
  bot.options["depth"] = "2";
  EXPECT_EQ(TimeControlOf(kCommon, bot), (TimeControl{.depth = 2,
                                                      .movetime_ms = 30,
                                                      .clock = ClockSpec{.base_ms = 1000},
                                                      .margin_ms = 20,
                                                      .charges_cpu = true}));
}

}  // namespace
}  // namespace triarch
