// Implements the UCI dialect of process bots, without the process.

#ifndef TRIARCH_WORKER_HOST_UCI_SESSION_H_
#define TRIARCH_WORKER_HOST_UCI_SESSION_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/game/position.h"
#include "core/game/seat.h"
#include "core/play/player.h"
#include "core/record/game_spec.h"

namespace triarch {

// One session of docs/bot-protocol.md: produces the text to write to a bot and interprets its
// output. It does no I/O and has no clock.
//
// Errors are faults of the bot: InvalidArgument means an illegal move, and any other error a crash.
// After an error the session must not be used.
class UciSession {
 public:
  static constexpr size_t kLineBytesMax = 64 << 10;
  static constexpr size_t kBytesPerAnswerMax = 1 << 20;

  struct Option {
    std::string type;  // check, spin, combo, string or button
    std::string default_value;
    std::optional<int64_t> min = {};  // for a spin
    std::optional<int64_t> max = {};
    std::vector<std::string> values = {};  // for a combo
  };
  // From the last "info" lines.
  struct Info {
    int64_t nodes = 0;
    std::optional<PerSeat<double>> shares;
    // Only if an explanation is wanted, and as the bot wrote them:
    int64_t depth = 0;
    std::vector<std::string> line = {};
    std::string explanation = {};  // the last "info string"

    void CopyTo(SearchInfo* info) const;
  };

  explicit UciSession(const GameInfo& game) : game_(game) {}

  // Returns the error about an option that a bot does not list.
  static absl::Status UnknownOption(const std::map<std::string, Option>& options,
                                    const std::string& name);

  // ---- Sending. After each call, call Receive until is_waiting() is false.
  std::string Begin();
  // Call after Begin. Fails with InvalidArgument, leaving nothing to send, if the bot does not play
  // the game or lacks an option or value; the message names the option.
  absl::StatusOr<std::string> SetOptions(const std::map<std::string, std::string>& options);
  std::string NewGame(uint64_t seed);
  // Replaces `lines` with the request for a move. `legal` holds the moves, each after a space, if
  // wants_legal_moves().
  void Go(const SearchLimits& limits, std::string_view legal, std::string* lines);

  // Processes the bot's output, in chunks of any size.
  absl::Status Receive(std::string_view bytes);
  bool is_waiting() const { return waiting_ != Waiting::kNothing; }

  // ---- The bot's output.
  const std::string& name() const { return name_; }
  const std::map<std::string, Option>& options() const { return options_; }
  bool wants_legal_moves() const { return wants_legal_moves_; }
  // The answer to Go: "a2W-a3W", "resign" or "claim".
  const std::string& answer() const { return answer_; }
  const Info& info() const { return info_; }

 private:
  enum class Waiting : uint8_t { kNothing, kUciOk, kReadyOk, kBestMove };

  absl::Status TakeLine(std::string_view line);
  absl::Status TakeBestMove(std::string_view rest);
  void TakeOption(std::string_view line);
  void ParseInfo(std::string_view text);
  void ParseShares(std::span<const std::string_view> words);
  absl::Status CheckOption(const std::string& name, const std::string& value) const;
  bool Offers(const std::string& name, std::string_view type) const;

  const GameInfo& game_;
  std::string name_;
  std::map<std::string, Option> options_;
  bool wants_legal_moves_ = false;
  bool wants_seed_ = false;

  Waiting waiting_ = Waiting::kNothing;
  std::string line_;  // an incomplete line
  size_t bytes_ = 0;  // received since the last request
  std::string answer_;
  bool wants_explanation_ = false;
  Info info_;
};

}  // namespace triarch

#endif  // TRIARCH_WORKER_HOST_UCI_SESSION_H_
