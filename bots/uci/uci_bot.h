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

// The bot's side of docs/bot-protocol.md for a bundled bot: lines in, lines out. It searches in its
// own thread, so it can handle `stop` and `isready` during a search.
//
// It answers an invalid line with `info string error: …` and otherwise ignores it.
class UciBot {
 public:
  // `write` receives whole lines including the newline, and is never called concurrently. Requires:
  // CheckBot(spec) is OK. The spec's options are the initial values of the bot's options.
  UciBot(BotSpec spec, std::function<void(std::string_view)> write);
  // Stops a running search, whose answer is still written.
  ~UciBot();
  UciBot(const UciBot&) = delete;
  UciBot& operator=(const UciBot&) = delete;

  // Returns false after `quit`.
  bool TakeLine(std::string_view line);
  // Ends the input: waits for a running search, and stops it if it is infinite.
  void Finish();

 private:
  // The parameters of one `go`.
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
  absl::Status ListMoves(const std::vector<std::string_view>& words);
  absl::Status PreparePlayer();
  void Search(const AnyState& state, const Asked& asked);
  std::string Answer(const AnyState& state, const Asked& asked);
  void StopSearch();

  const std::function<void(std::string_view)> write_;
  Mutex write_mutex_;

  const BundledBot* const bot_;

  // Used by the thread that calls TakeLine.
  BotSpec spec_;
  const GameInfo* game_;
  uint64_t seed_ = 0;
  bool is_debug_ = false;
  std::string position_text_;      // text of the last `position`
  std::optional<AnyState> state_;  // state after it; empty if it was invalid
  std::unique_ptr<SyncPlayer> player_;
  std::optional<Seat> seat_;  // seat of the player's current game; empty if a new game must
                              // be announced to it

  std::thread search_;
  bool is_infinite_ = false;  // whether the last search is infinite
  std::atomic<bool> is_searching_ = false;
  std::atomic<bool> stop_ = false;
};

}  // namespace triarch

#endif  // TRIARCH_BOTS_UCI_UCI_BOT_H_
