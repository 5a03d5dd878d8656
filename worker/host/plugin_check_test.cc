#include "worker/host/plugin_check.h"

#include <algorithm>
#include <chrono>
#include <string>

#include "core/any_state.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace triarch {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* kFitBot = TRIARCH_EXAMPLE_BOTS "/random_bot.so";
constexpr const char* kUnfitBot = TRIARCH_TEST_PLUGIN;
constexpr std::chrono::milliseconds kPatience{500};

BotReport Check(const std::string& does, int64_t games = 3) {
  return CheckPlugin(kUnfitBot, **FindGame("three-way"), {{"does", does}}, {.games = games},
                     kPatience)
      .value();
}

// Returns the only finding.
BotFinding FindingOf(const std::string& does, int64_t games = 3) {
  const BotReport report = Check(does, games);
  EXPECT_EQ(report.findings.size(), 1u) << does;
  return report.findings.empty() ? BotFinding() : report.findings.front();
}

TEST(PluginCheckTest, DescribesThePlugin) {
  const PluginDescription description = DescribePlugin(kUnfitBot).value();
  EXPECT_EQ(description.name, "odd");
  EXPECT_THAT(description.games, ElementsAre("triumvirate", "three-way", "tri-d"));
  EXPECT_TRUE(description.has_policy);
  ASSERT_EQ(description.options.size(), 1u);
  EXPECT_EQ(description.options[0].default_value, "nothing");
  EXPECT_EQ(DescribePlugin("/no/such.so").status().code(), absl::StatusCode::kNotFound);
}

TEST(PluginCheckTest, FindsNothingWrongWithAGoodBot) {
  for (const GameInfo* game : AllGames()) {
    const BotReport report = CheckPlugin(kFitBot, *game, {}, {.games = 2}).value();
    EXPECT_THAT(report.findings, IsEmpty()) << game->name << ": " << report.findings[0].what;
    EXPECT_EQ(report.games, 4);
    EXPECT_GT(report.plies, 20);
  }
}

TEST(PluginCheckTest, NamesTheGameAndPlyOfACrash) {
  // The second process plays game 3 and the one with a clock.
  const BotReport report = Check("crash");
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0],
            (BotFinding{.is_fault = true,
                        .what = "it crashed with signal 11 (segmentation fault) in choose_move",
                        .count = 2,
                        .first = "game 2, ply 7, White"}));
  EXPECT_EQ(report.games, 4) << "the others are still played";
}

TEST(PluginCheckTest, NamesTheGameAndPlyOfAHang) {
  const BotFinding hang = FindingOf("hang");
  EXPECT_EQ(hang.what, "it did not return for 0.5 s in choose_move");
  EXPECT_EQ(hang.first, "game 2, ply 7, White");
  EXPECT_EQ(FindingOf("exit").what, "it ended the process with exit code 5 in choose_move");
}

TEST(PluginCheckTest, AnExitWithCode0IsAFault) {
  const BotFinding exit = FindingOf("exit_with_0");
  EXPECT_TRUE(exit.is_fault);
  EXPECT_EQ(exit.what, "it ended the process with exit code 0 in choose_move");
  EXPECT_EQ(exit.first, "game 2, ply 7, White");
}

TEST(PluginCheckTest, TriesToCreateAnInstance) {
  const auto error_of = [](const std::string& does) {
    const BotSpec spec = {
        .name = "odd", .bot = std::string(kPluginBot), .options = {{"does", does}}};
    return std::string(TryPlugin(kUnfitBot, **FindGame("tri-d"), spec).message());
  };
  EXPECT_EQ(error_of("nothing"), "");
  EXPECT_THAT(error_of("not_be_made"), HasSubstr("this one cannot be made"));
  EXPECT_THAT(error_of("exit_in_create"),
              HasSubstr("odd_bot.so ended the process with exit code 0 in create"));
  EXPECT_THAT(error_of("throw_in_create"), HasSubstr("create threw an exception"));
}

TEST(PluginCheckTest, StopsAfterAFewCrashes) {
  const BotReport report = Check("crash", 9);
  ASSERT_EQ(report.findings.size(), 2u);
  EXPECT_EQ(report.findings[0].count, kCrashesMax);
  EXPECT_EQ(report.findings[1].what, "games left out because of the crashes");
  EXPECT_EQ(report.findings[1].count, 4);
}

TEST(PluginCheckTest, GroupsFindings) {
  const BotFinding fault = FindingOf("fail");
  EXPECT_TRUE(fault.is_fault);
  EXPECT_EQ(fault.what, "choose_move did not return 0");
  EXPECT_EQ(fault.count, 5) << "of three games, the repeated one and the one with a clock";
  EXPECT_EQ(fault.first, "game 1, ply 1, White: it returned 3");
  EXPECT_EQ(FindingOf("play_illegally").what, "an illegal move");
  EXPECT_EQ(FindingOf("answer_nonsense").what, "an invalid kind of answer");
  EXPECT_EQ(FindingOf("claim").what, "it claimed a draw that it may not claim");
  EXPECT_THAT(FindingOf("throw").what, HasSubstr("an exception left the plugin"));
  EXPECT_THAT(FindingOf("fail_policy").what, HasSubstr("policy failed"));
}

TEST(PluginCheckTest, FindsLateAnswersInAGameWithAClock) {
  const BotReport report = CheckPlugin(kUnfitBot, **FindGame("tri-d"), {{"does", "think_70_ms"}},
                                       {.games = 1, .clock = {.base_ms = 100}})
                               .value();
  const auto late =
      std::find_if(report.findings.begin(), report.findings.end(), [](const BotFinding& one) {
        return one.what ==
               "a late answer in the game with a clock: it must call should_stop more often";
      });
  ASSERT_NE(late, report.findings.end());
  EXPECT_TRUE(late->is_fault);
  EXPECT_GE(late->worst_ms, 70);
  EXPECT_THAT(late->first, HasSubstr("game 3, ply "));
  EXPECT_THAT(late->first, HasSubstr(" ms, but the clock had "));
}

TEST(PluginCheckTest, StopsAtAnInterrupt) {
  const BotReport report = CheckPlugin(kUnfitBot, **FindGame("tri-d"), {{"does", "hang"}},
                                       {.games = 2, .is_interrupted = [] { return true; }})
                               .value();
  EXPECT_THAT(report.findings, IsEmpty());
}

TEST(PluginCheckTest, RefusesOptions) {
  EXPECT_THAT(
      std::string(CheckPlugin(kUnfitBot, **FindGame("tri-d"), {{"x", "1"}}, {}).status().message()),
      HasSubstr("no option \"x\""));
}

}  // namespace
}  // namespace triarch
