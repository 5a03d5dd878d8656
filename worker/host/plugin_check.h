// Tests a plugin bot in games against itself, in a child process.

#ifndef TRIARCH_WORKER_HOST_PLUGIN_CHECK_H_
#define TRIARCH_WORKER_HOST_PLUGIN_CHECK_H_

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "core/game/position.h"
#include "core/record/game_spec.h"
#include "worker/host/bot_report.h"
#include "worker/host/check_plan.h"

namespace triarch {

// A call of the plugin that takes longer than this counts as a hang. The limits of the check's
// moves are far shorter.
inline constexpr std::chrono::milliseconds kPluginPatience{20'000};

// What a plugin says about itself.
struct PluginDescription {
  struct Option {
    std::string name;
    std::string description;
    std::string default_value;
  };
  std::string name;
  std::string version;
  int64_t abi = 0;
  bool has_policy = false;
  std::vector<std::string> games;
  std::vector<Option> options;
};

// Loads the plugin in a child process. Fails like Plugin::Load, or with InvalidArgument if it
// crashes or hangs.
absl::StatusOr<PluginDescription> DescribePlugin(
    const std::string& path, std::chrono::milliseconds patience = kPluginPatience);

// Checks in a child process that the plugin loads and makes a player for the game. Fails like
// Plugin::Load and Plugin::MakePlayer, or with InvalidArgument if it crashes or hangs.
absl::Status TryPlugin(const std::string& path, const GameInfo& game, const BotSpec& spec,
                       std::chrono::milliseconds patience = kPluginPatience);

// Plays the games of a plugin against itself, with one instance per seat. Checks more strictly than
// a game does that every answer is legal, stays within the node and time limits, obeys the stop
// flag and reports valid shares and policies, that the same seed produces the same game, and that
// every position is given back. The plugin runs in a child process: a crash or a hang ends only its
// game, and after kCrashesMax of them the remaining games are left out. Fails with InvalidArgument
// like Plugin::Check and Plugin::Create.
absl::StatusOr<BotReport> CheckPlugin(const std::string& path, const GameInfo& game,
                                      const std::map<std::string, std::string>& options,
                                      const CheckPlan& plan,
                                      std::chrono::milliseconds patience = kPluginPatience);
inline constexpr int kCrashesMax = 3;

}  // namespace triarch

#endif  // TRIARCH_WORKER_HOST_PLUGIN_CHECK_H_
