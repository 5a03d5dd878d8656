#include <string>
#include <vector>

#include "cli/command_tree.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace triarch {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

CommandNode Program() {
  const CommandNode show = {
      .name = "show",
      .options = {{.names = {"-h", "--help"}},
                  {.names = {"--svg"}, .value = "FILE"},
                  {.names = {"--color"}, .value = "WHEN", .words = {"auto", "never"}},
                  {.value = "MOVE", .is_list = true}}};
  const CommandNode verify = {.name = "verify",
                              .options = {{.value = "FILE", .is_required = true}}};
  const CommandNode bots = {.name = "bots", .commands = {{.name = "add"}, {.name = "list"}}};
  return {
      .name = "triarch", .options = {{.names = {"--version"}}}, .commands = {show, verify, bots}};
}

std::vector<std::string> Completed(std::vector<std::string> words) {
  return Complete(Program(), std::move(words));
}

TEST(CompletionTest, CompletesCommands) {
  EXPECT_THAT(Completed({""}), ElementsAre("show", "verify", "bots"));
  EXPECT_THAT(Completed({"s"}), ElementsAre("show"));
  EXPECT_THAT(Completed({"bots", ""}), ElementsAre("add", "list"));
  EXPECT_THAT(Completed({"bots", "x"}), IsEmpty());
  EXPECT_THAT(Completed({}), ElementsAre("show", "verify", "bots"));
}

TEST(CompletionTest, CompletesOptionsAndTheirValues) {
  EXPECT_THAT(Completed({"--v"}), ElementsAre("--version"));
  EXPECT_THAT(Completed({"show", "E2-E4", "-"}), ElementsAre("-h", "--help", "--svg", "--color"));
  EXPECT_THAT(Completed({"show", "--color", "n"}), ElementsAre("never"));
  EXPECT_THAT(Completed({"show", "--color", "="}), ElementsAre("auto", "never"));
  EXPECT_THAT(Completed({"show", "--color", "=", "n"}), ElementsAre("never"));
  EXPECT_THAT(Completed({"show", "--color", "auto", "--s"}), ElementsAre("--svg"));
  EXPECT_THAT(Completed({"show", "--help", "E"}), IsEmpty()) << "a move may be anything";
}

TEST(CompletionTest, LeavesFilesToTheShell) {
  EXPECT_THAT(Completed({"show", "--svg", "b"}), ElementsAre(kCompleteFiles));
  EXPECT_THAT(Completed({"verify", ""}), ElementsAre(kCompleteFiles));
  EXPECT_THAT(Completed({"verify", "a.tpgn", ""}), IsEmpty());
}

}  // namespace
}  // namespace triarch
