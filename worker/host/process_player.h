// Plays games with a process bot.

#ifndef TRIARCH_WORKER_HOST_PROCESS_PLAYER_H_
#define TRIARCH_WORKER_HOST_PROCESS_PLAYER_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/base/event_loop.h"
#include "core/game/position.h"
#include "core/play/player.h"
#include "core/record/game_spec.h"
#include "worker/host/answer_polls.h"
#include "worker/host/transcript.h"
#include "worker/host/uci_session.h"
#include "worker/sandbox/sandbox.h"

namespace triarch {

// A seat played by a process bot (docs/bot-protocol.md). It starts the process for its first game,
// keeps it for later games, and restarts it after a fault. No thread waits for the bot: the event
// loop reports events on its pipes, its exit (pidfd) and deadlines. There are no pings and no
// sleeps.
class ProcessPlayer final : public AsyncPlayer {
 public:
  // Receives a line about a bot's fault, for the worker's log.
  using Log = std::function<void(const std::string&)>;

  // Receives every line that the bot reads or writes. `label` names the bot and the game: "mine
  // 3.17".
  using Tap =
      std::function<void(std::string_view label, Transcript::Stream stream, std::string_view line)>;

  // `tap` may be null.
  ProcessPlayer(const GameInfo& game, BotSpec spec, Log log, Tap tap = nullptr);
  ~ProcessPlayer() override;

  // Starts the process and begins a game, in a separate loop. Fails with InvalidArgument if the bot
  // does not play the game or lacks these options, and with other codes if it cannot be started or
  // does not answer. The message ends with the last line of the bot's standard error.
  absl::Status Check();

  // Returns the options that the bot listed. Requires: Check succeeded.
  const std::map<std::string, UciSession::Option>& options() const { return session_->options(); }

  absl::Status Prepare() override;
  void BeginGame(EventLoop& loop, const GameSpec& spec, Seat seat,
                 std::function<void(bool)> done) override;
  void BeginTurn(const AnyState& state, const AnyState::Moves& moves, const SearchLimits& limits,
                 std::function<void(Decision)> done) override;
  std::optional<std::chrono::nanoseconds> CpuOfGame() override;
  void DescribeFault(FaultReport* report) override;
  void EndGame() override;

 private:
  using Clock = EventLoop::Clock;

  // The answer that the player is waiting for.
  enum class Step : uint8_t { kNothing, kUci, kOptions, kNewGame, kMove };
  // The bot's current turn.
  struct Turn {
    const AnyState* state = nullptr;
    Clock::time_point began = {};
    std::optional<std::chrono::nanoseconds> allowed = {};  // once this time is used up, "stop" is
                                                           // sent
    std::optional<std::chrono::nanoseconds> late = {};
    SearchInfo* info = nullptr;  // null if it is not wanted
    bool charges_cpu = false;
    bool is_told_to_stop = false;
  };
  struct Wires;

  // Starts the process unless it is running.
  absl::Status StartProcess();
  void Ask(Step step, std::string_view lines);
  // Continues after an answer.
  void Continue();
  Decision TakeDecision(absl::Status* fault) const;
  absl::Status Charge(Decision* decision);
  absl::StatusOr<size_t> FindMove(std::string_view text) const;
  // Handles a fault: ends the process and fails the pending request.
  void Fault(const absl::Status& fault);
  // Forfeits the game because of fault_.
  void Forfeit();
  // Returns what to say about a turn that has taken `used`, without an answer.
  std::string LateMessage(std::chrono::nanoseconds used) const;
  // Returns the error with the last line of the bot's standard error.
  absl::Status WithErrorOutput(const absl::Status& fault);

  void RecordCpuAtStart();
  void EndProcess();
  void StopWires();
  void OnOutput();
  // Returns false if there is nothing to read now.
  bool ReadOutput();
  void OnEnd();
  void OnTimer();
  void WriteLegal(const AnyState& state, const AnyState::Moves& moves);
  // Returns the time used in this turn: wall-clock time, or CPU time since its last answer.
  absl::StatusOr<std::chrono::nanoseconds> Used() const;
  void OnErrors();
  // Returns false if there is nothing to read now.
  bool ReadErrors();
  // Writes as much as possible immediately, and the rest as the process reads.
  void Write(std::string_view bytes);
  void OnInput();
  // Returns the part that was not written.
  std::string_view WriteSome(std::string_view bytes);

  const GameInfo& game_;
  const BotSpec spec_;
  const Log log_;
  std::string label_;  // "mine 1.1": the bot and its game

  std::unique_ptr<BotProcess> process_;  // null if not started
  std::unique_ptr<BotProcess> ended_;    // killed but not yet reaped
  std::optional<UciSession> session_;    // empty until something is sent
  std::string unwritten_;
  std::string errors_;      // tail of its standard error
  size_t error_bytes_ = 0;  // size of its standard error since the last request

  std::unique_ptr<Wires> wires_;  // in the game's event loop
  Step step_ = Step::kNothing;
  uint64_t seed_ = 0;
  Turn turn_;
  std::string legal_;                 // the legal moves sent to it, each after a space
  std::vector<uint16_t> legal_ends_;  // end of each move in legal_
  AnswerPolls polls_;
  Clock::time_point patience_;                            // deadline for an answer
  std::chrono::nanoseconds cpu_charged_{0};               // CPU time charged before this turn
  std::optional<std::chrono::nanoseconds> cpu_at_begin_;  // at the start of the game
  std::optional<std::chrono::nanoseconds> cpu_of_game_;   // CPU time of a process that has ended
  bool is_closed_ = false;                                // whether its output is closed
  absl::Status fault_;                                    // its fault in this game
  FaultReport report_;                                    // details of the fault
  Transcript transcript_;
  std::function<void(bool)> on_begun_;
  std::function<void(Decision)> on_decision_;
};

}  // namespace triarch

#endif  // TRIARCH_WORKER_HOST_PROCESS_PLAYER_H_
