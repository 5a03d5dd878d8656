// Answers the bot protocol for a bundled bot.

#ifndef TRIARCH_BOTS_UCI_UCI_BOT_H_
#define TRIARCH_BOTS_UCI_UCI_BOT_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "bots/bots.h"
#include "core/any_state.h"
#include "core/base/mutex.h"
#include "core/play/player.h"
#include "core/record/game_spec.h"

namespace triarch {

// A bundled bot's side of docs/bot-protocol.md: lines in, lines out. It searches in a thread of its
// own, so that `stop` and `isready` are heard meanwhile.
//
// A line that makes no sense is answered with `info string error: …` and does nothing else.
class UciBot {
 public:
  // `write` is given whole lines, each with its newline, and is never called by two threads at
  // once. Requires: CheckBot(spec) is OK. The spec's options are what the bot's own begin with.
  UciBot(BotSpec spec, std::function<void(std::string_view)> write);
  // Stops a search; its answer is still written.
  ~UciBot();
  UciBot(const UciBot&) = delete;
  UciBot& operator=(const UciBot&) = delete;

  // False after `quit`.
  bool TakeLine(std::string_view line);
  // No more lines will come: waits for the search that runs, and stops one without an end.
  void Finish();

 private:
  // What one `go` asks for.
  struct Asked {
    SearchLimits limits = {};
    bool is_infinite = false;  // the answer waits for `stop`
    bool can_claim = false;
    bool is_explained = false;
  };

  void Write(std::string_view lines);
  void WriteError(std::string_view what);

  void TellWho();
  std::string OptionLine(const BotOption& option) const;
  absl::Status SetOption(const std::vector<std::string_view>& words);
  absl::Status SetValue(std::string_view name, const std::string& value);
  absl::Status SetPosition(std::string_view text);
  absl::StatusOr<AnyState> ReadStart(std::string_view text) const;
  Asked ReadLimits(const std::vector<std::string_view>& words);
  absl::Status Go(const std::vector<std::string_view>& words);
  absl::Status PreparePlayer();
  void Search(const AnyState& state, const Asked& asked);
  std::string Answer(const AnyState& state, const Asked& asked);
  void StopSearch();

  const std::function<void(std::string_view)> write_;
  Mutex write_mutex_;

  const BundledBot* const bot_;

  // Used by the thread that gives lines.
  BotSpec spec_;
  const GameInfo* game_;
  uint64_t seed_ = 0;
  bool is_debug_ = false;
  std::string position_text_;      // of the last `position`
  std::optional<AnyState> state_;  // after it; empty if it was none
  std::unique_ptr<Player> player_;
  std::optional<Seat> seat_;  // that the player was told of; empty: it has to be told of a new game

  std::thread search_;
  bool is_infinite_ = false;  // the search that was begun last
  std::atomic<bool> is_searching_ = false;
  std::atomic<bool> stop_ = false;
};

}  // namespace triarch

#endif  // TRIARCH_BOTS_UCI_UCI_BOT_H_
