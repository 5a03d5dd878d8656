#include "worker/host/declared_option.h"

#include <filesystem>
#include <fstream>
#include <string>

#include "core/base/temporary_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace triarch {
namespace {

using ::testing::HasSubstr;
using ::testing::Optional;

BotSpec Named(const std::string& bot) { return {.name = bot, .bot = bot}; }

std::string ErrorOf(const BotSpec& bot, const std::string& option) {
  const auto declared = FindDeclaredOption("tri-d", bot, option);
  EXPECT_EQ(declared.status().code(), absl::StatusCode::kInvalidArgument);
  return std::string(declared.status().message());
}

TEST(DeclaredOptionTest, BundledBotsDeclareAll) {
  const DeclaredOption risk = FindDeclaredOption("tri-d", Named("smart"), "risk").value();
  EXPECT_THAT(risk.default_value, Optional(1));
  EXPECT_THAT(risk.min, Optional(0));
  EXPECT_THAT(risk.max, Optional(10));
  EXPECT_FALSE(risk.is_integer);
  EXPECT_TRUE(FindDeclaredOption("tri-d", Named("paranoid"), "depth").value().is_integer);
  EXPECT_THAT(ErrorOf(Named("smart"), "speed"),
              HasSubstr("bot \"smart\" has no option \"speed\"; its options are material"));
  EXPECT_THAT(ErrorOf(Named("torch"), "model"), HasSubstr("option model are not numbers"));
}

TEST(DeclaredOptionTest, PluginsDeclareDefaults) {
  BotSpec bot = Named(std::string(kPluginBot));
  bot.library = TRIARCH_EXAMPLE_BOTS "/search_bot.so";
  const DeclaredOption depth = FindDeclaredOption("tri-d", bot, "usual_depth").value();
  EXPECT_TRUE(depth.default_value.has_value());
  EXPECT_FALSE(depth.min.has_value());
  EXPECT_THAT(ErrorOf(bot, "speed"), HasSubstr("has no option \"speed\"; expected usual_depth"));
}

TEST(DeclaredOptionTest, ProcessesListTheirOptions) {
  const TemporaryFolder folder;
  // In the sandbox the bot runs as another user.
  std::filesystem::permissions(folder.path(), std::filesystem::perms(0755));
  std::ofstream(folder / "bot.py") << R"(
import sys
for line in sys.stdin:
    if line.startswith("uci\n"):
        print("option name UCI_Variant type combo default tri-d var tri-d")
        print("option name Skill type spin default 5 min 1 max 20")
        print("option name Risk type string default 0.5")
        print("option name Ponder type check default false")
        print("uciok", flush=True)
    elif line.startswith("isready"):
        print("readyok", flush=True)
)";
  BotSpec bot = Named(std::string(kProcessBot));
  bot.command = {"python3", "-B", "bot.py"};
  bot.dir = folder.path();
  const DeclaredOption skill = FindDeclaredOption("tri-d", bot, "Skill").value();
  EXPECT_THAT(skill.default_value, Optional(5));
  EXPECT_THAT(skill.min, Optional(1));
  EXPECT_THAT(skill.max, Optional(20));
  EXPECT_TRUE(skill.is_integer);
  const DeclaredOption risk = FindDeclaredOption("tri-d", bot, "Risk").value();
  EXPECT_THAT(risk.default_value, Optional(0.5));
  EXPECT_FALSE(risk.min.has_value());
  EXPECT_FALSE(risk.is_integer);
  EXPECT_THAT(ErrorOf(bot, "Ponder"), HasSubstr("option Ponder are not numbers"));
  EXPECT_THAT(ErrorOf(bot, "speed"),
              HasSubstr("no option \"speed\"; expected one of Ponder, Risk, Skill, UCI_Variant"));
}

TEST(DeclaredOptionTest, ABundleElsewhereDeclaresNothing) {
  BotSpec bot = Named(std::string(kProcessBot));
  bot.bundle = "mine@1";
  EXPECT_FALSE(FindDeclaredOption("tri-d", bot, "Skill").value().min.has_value());
}

}  // namespace
}  // namespace triarch
