#ifndef TRIARCH_WORKER_HOST_PROCESS_PLAYER_H_
#define TRIARCH_WORKER_HOST_PROCESS_PLAYER_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/game/position.h"
#include "core/play/player.h"
#include "core/record/game_spec.h"
#include "worker/host/uci_session.h"
#include "worker/match/event_loop.h"
#include "worker/sandbox/sandbox.h"

namespace triarch {

// A process bot in a seat (docs/bot-protocol.md). The process is started for its first game, kept
// for the games to come and started anew after a fault. No thread waits for it: the loop says when
// its pipes, its end (pidfd) or a deadline want attention, and nothing else is asked of it, no ping
// and no sleep.
class ProcessPlayer final : public AsyncPlayer {
 public:
  // A line about a bot's fault: for the worker's log.
  using Log = std::function<void(const std::string&)>;

  ProcessPlayer(const GameInfo& game, BotSpec spec, Log log);
  ~ProcessPlayer() override;

  // Starts the process and begins a game, in a loop of its own. InvalidArgument: it does not play
  // the game, or has no such options. Anything else: it cannot be started, or does not answer. The
  // message ends with what it wrote to its standard error.
  absl::Status Check();

  absl::Status Prepare() override;
  void BeginGame(EventLoop& loop, Seat seat, uint64_t seed,
                 std::function<void(bool)> done) override;
  void BeginTurn(const AnyState& state, const AnyState::Moves& moves, const SearchLimits& limits,
                 std::function<void(Decision)> done) override;
  std::optional<std::chrono::nanoseconds> CpuOfGame() override;
  void EndGame() override;

 private:
  using Clock = EventLoop::Clock;

  // What its answer is waited for.
  enum class Step : uint8_t { kNothing, kUci, kOptions, kNewGame, kMove };
  // What it is asked in its turn.
  struct Turn {
    const AnyState* state = nullptr;
    Clock::time_point began = {};
    std::optional<std::chrono::nanoseconds> allowed = {};  // "stop" is written when it is used
    std::optional<std::chrono::nanoseconds> late = {};
    bool charges_cpu = false;
    bool is_told_to_stop = false;
  };
  struct Wires;

  void Ask(Step step, std::string_view lines);
  // It has answered.
  void GoOn();
  Decision TakeDecision(absl::Status* fault) const;
  absl::Status Charge(Decision* decision);
  absl::StatusOr<size_t> FindMove(std::string_view text) const;
  // It did wrong, or is gone: the process is ended, and what is waited for fails.
  void Fault(const absl::Status& fault);
  // For what fault_ says.
  void Forfeit();
  // The message, and the last line that the process wrote to its standard error.
  absl::Status WithItsWords(const absl::Status& fault);

  void NoteCpuAtBegin();
  void EndProcess();
  void StopWires();
  void OnOutput();
  // False if there is nothing to be read now.
  bool ReadOutput();
  void OnEnd();
  void OnTimer();
  void WriteLegal(const AnyState& state, const AnyState::Moves& moves);
  // What it has used of its time in this turn; the wall's, or its processors' since its last
  // answer.
  absl::StatusOr<std::chrono::nanoseconds> Used() const;
  void OnErrors();
  void ReadErrors();
  // At once as far as that goes, the rest when the process has read.
  void Write(std::string_view bytes);
  void OnInput();
  // What is left of them.
  std::string_view WriteSome(std::string_view bytes);

  const GameInfo& game_;
  const BotSpec spec_;
  const Log log_;

  std::unique_ptr<BotProcess> process_;  // null: to be started
  std::unique_ptr<BotProcess> ended_;    // killed, and not waited for yet
  std::optional<UciSession> session_;    // empty: its process was not spoken to yet
  std::string unwritten_;
  std::string errors_;      // the end of what it wrote to its standard error
  size_t error_bytes_ = 0;  // written there since it was asked

  std::unique_ptr<Wires> wires_;  // in the loop of the game
  Step step_ = Step::kNothing;
  uint64_t seed_ = 0;
  Turn turn_;
  std::string legal_;                        // the moves that it is told, each after a space
  std::vector<uint16_t> legal_ends_;         // in that, by number
  int turns_unexpected_ = 0;                 // until an answer is expected at once
  Clock::time_point patience_;               // until when an answer is waited for
  std::chrono::nanoseconds cpu_charged_{0};  // of the process, in earlier turns or before
  std::optional<std::chrono::nanoseconds> cpu_at_begin_;  // of the game
  std::optional<std::chrono::nanoseconds> cpu_of_game_;   // of a process that is gone
  bool is_closed_ = false;                                // its output
  absl::Status fault_;  // what it did in this game, until it is told
  std::function<void(bool)> on_begun_;
  std::function<void(Decision)> on_decision_;
};

}  // namespace triarch

#endif  // TRIARCH_WORKER_HOST_PROCESS_PLAYER_H_
