// Asks another program for the legal moves of positions.

#ifndef TRIARCH_CLI_RULES_RULES_ENGINE_H_
#define TRIARCH_CLI_RULES_RULES_ENGINE_H_

#include <chrono>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/game/position.h"
#include "worker/sandbox/sandbox.h"

namespace triarch {

// A program that speaks the bot protocol and answers `go perft 1` (docs/formats.md). An error says
// what it did wrong; it must not be used afterwards.
class RulesEngine {
 public:
  // Runs the command line in a shell, as this process's user, and tells it the game. It has
  // `patience` for each answer.
  static absl::StatusOr<RulesEngine> Start(const GameInfo& game, const std::string& command,
                                           std::chrono::seconds patience);

  // Returns the legal moves as the program writes them.
  absl::StatusOr<std::set<std::string>> LegalMoves(const std::string& position);

 private:
  RulesEngine(std::unique_ptr<BotProcess> process, std::chrono::seconds patience)
      : process_(std::move(process)), patience_(patience) {}

  absl::Status Begin(const GameInfo& game);
  absl::Status Write(std::string_view text);
  // Waits for output and reads it. Fails if the program ends or the time is up.
  absl::Status ReadMore(std::chrono::steady_clock::time_point deadline);
  void ReadErrors();
  // Returns the output up to the line `readyok`.
  absl::StatusOr<std::string> ReadUntilReady();
  absl::Status Ended();

  std::unique_ptr<BotProcess> process_;
  std::chrono::seconds patience_;
  std::string output_;  // not yet used
  std::string errors_;  // the end of its standard error
};

}  // namespace triarch

#endif  // TRIARCH_CLI_RULES_RULES_ENGINE_H_
