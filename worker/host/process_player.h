#ifndef TRIARCH_WORKER_HOST_PROCESS_PLAYER_H_
#define TRIARCH_WORKER_HOST_PROCESS_PLAYER_H_

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "core/game/position.h"
#include "core/record/game_spec.h"
#include "worker/host/sandbox.h"
#include "worker/host/uci_session.h"
#include "worker/match/player.h"

namespace triarch {

// A process bot in a seat (docs/bot-protocol.md). The process is started for its first game, kept
// for the games to come and started anew after a fault. The thread that asks it waits for its pipes
// and for nothing else: no ping, no sleep.
class ProcessPlayer final : public Player {
 public:
  // A line about a bot's fault: for the worker's log.
  using Log = std::function<void(const std::string&)>;

  ProcessPlayer(const GameInfo& game, BotSpec spec, Log log);
  ~ProcessPlayer() override;

  // Starts the process and reads what it says of itself. InvalidArgument: it does not play the
  // game, or has no such options. Anything else: it cannot be started, or does not answer. The
  // message ends with what it wrote to its standard error.
  absl::Status Check();

  bool wants_facts() const override { return true; }
  void NewGame(Seat seat, uint64_t seed) override;  // throws if it cannot be started or is silent
  Decision Choose(const AnyState& state, const AnyState::Moves& moves,
                  const SearchLimits& limits) override;

 private:
  using Clock = std::chrono::steady_clock;

  // Until when an answer is waited for.
  struct Patience {
    Clock::time_point end;                          // DeadlineExceeded then
    std::optional<Clock::time_point> stop_at = {};  // "stop" is written then
    const std::atomic<bool>* stop = nullptr;        // Cancelled when it is set
  };

  absl::Status Start();
  // The message, and the last line that the process wrote to its standard error.
  std::string WithItsWords(const absl::Status& fault);
  absl::Status Ask(std::string lines, const Patience& patience);
  absl::Status Exchange(const Patience& patience);
  // Waits until something can be read or written, or until that time.
  absl::Status WaitUntil(Clock::time_point time);
  absl::Status Write();
  absl::Status ReadOutput();
  void ReadErrors();
  absl::Status Gone();
  // What it wrote before it was asked.
  absl::Status Drain();
  Decision Forfeit(const absl::Status& fault);
  // Says what went wrong and ends the process.
  void Fail(const absl::Status& fault);

  const GameInfo& game_;
  const BotSpec spec_;
  const Log log_;

  std::unique_ptr<BotProcess> process_;  // null: to be started
  std::optional<UciSession> session_;
  std::string unwritten_;
  std::string errors_;  // the end of what it wrote to its standard error
  bool is_errors_closed_ = false;
};

}  // namespace triarch

#endif  // TRIARCH_WORKER_HOST_PROCESS_PLAYER_H_
