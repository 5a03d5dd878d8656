// Tests a process bot in games against itself.

#ifndef TRIARCH_WORKER_HOST_PROCESS_CHECK_H_
#define TRIARCH_WORKER_HOST_PROCESS_CHECK_H_

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
#include "worker/host/uci_session.h"

namespace triarch {

// How strict and how long a check is.
struct ProcessCheckLimits {
  std::chrono::milliseconds margin{50};  // to answer after `stop`, as in a tournament
  // Longest duration of a game without a clock, which then ends. One answer that takes half of it
  // is a fault.
  std::chrono::milliseconds game{30'000};
  std::chrono::milliseconds farewell{2'000};  // to exit after `quit`
};

// What a process bot says about itself.
struct ProcessDescription {
  std::string name;
  std::vector<std::string> games;  // of those that Triarch knows
  std::map<std::string, UciSession::Option> options;
};

// Starts the bot for each game that Triarch knows. Fails like ProcessPlayer::Check if it plays none
// of them with these options.
absl::StatusOr<ProcessDescription> DescribeProcess(const BotSpec& spec);

// Returns what is wrong with the options that the bot declares.
std::vector<BotFinding> CheckDeclaredOptions(const ProcessDescription& description);

// Plays the games of the bot against itself, with one process per seat: in turn with a few nodes,
// with a short time per move, and from a position other than the start; finally, with the same
// processes, the first game again and one with the clock. Then another process is told to quit.
// Fails if this machine cannot run the bot.
absl::StatusOr<BotReport> CheckProcess(const GameInfo& game, const BotSpec& spec,
                                       const CheckPlan& plan,
                                       const ProcessCheckLimits& limits = {});

}  // namespace triarch

#endif  // TRIARCH_WORKER_HOST_PROCESS_CHECK_H_
