#include "core/record/audit_text.h"

#include "gtest/gtest.h"

namespace triarch {
namespace {

TournamentSpec SpecWith(const BotSpec& bot) {
  TournamentSpec spec;
  spec.bots = {{.name = "first", .bot = "random"}, bot};
  return spec;
}

TEST(IsReproducible, BotsWithNodesAndDepthAre) {
  EXPECT_TRUE(IsReproducible(SpecWith({.name = "x", .bot = "mcts", .options = {{"nodes", "9"}}})));
  EXPECT_TRUE(IsReproducible(
      SpecWith({.name = "x", .bot = "process", .limits = {.nodes = 9, .depth = 2}})));
  TournamentSpec spec = SpecWith({.name = "x", .bot = "mcts"});
  spec.time_control.nodes = 1000;
  EXPECT_TRUE(IsReproducible(spec));
}

TEST(IsReproducible, TimeLimitsAreNot) {
  TournamentSpec spec = SpecWith({.name = "x", .bot = "mcts"});
  spec.time_control.movetime_ms = 100;
  EXPECT_FALSE(IsReproducible(spec));
  EXPECT_FALSE(
      IsReproducible(SpecWith({.name = "x", .bot = "process", .limits = {.movetime_ms = 100}})));
  EXPECT_FALSE(IsReproducible(
      SpecWith({.name = "x", .bot = "plugin", .limits = {.clock = ClockSpec{.base_ms = 1000}}})));
}

TEST(IsReproducible, NetworksAndLanguageModelsAreNot) {
  EXPECT_FALSE(IsReproducible(SpecWith({.name = "x", .bot = "torch"})));
  EXPECT_FALSE(IsReproducible(SpecWith({.name = "x", .bot = "llm"})));
}

}  // namespace
}  // namespace triarch
