#ifndef TRIARCH_WORKER_HOST_UCI_SESSION_H_
#define TRIARCH_WORKER_HOST_UCI_SESSION_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
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

// One process bot's side of docs/bot-protocol.md, without the process: what to write to it, and
// what it has said. Pure: no time, no I/O.
//
// Errors are the bot's faults: InvalidArgument is an illegal move, ResourceExhausted and others a
// crash. After one the session is of no use any more.
class UciSession {
 public:
  static constexpr size_t kLineBytesMax = 64 << 10;
  static constexpr size_t kBytesPerAnswerMax = 1 << 20;

  struct Option {
    std::string type;  // check, spin, combo, string, button
    std::string default_value;
    std::optional<int64_t> min = {};  // of a spin
    std::optional<int64_t> max = {};
    std::vector<std::string> values = {};  // of a combo
  };
  // What it thinks, as it said last.
  struct Thought {
    int64_t nodes = 0;
    std::optional<PerSeat<double>> shares;
  };

  explicit UciSession(const GameInfo& game) : game_(game) {}

  // ---- What to write. Each is to be followed by Take until is_waiting() is false.
  std::string Begin();
  // After Begin. InvalidArgument, and nothing is to be written, if the bot does not play the game
  // or has no such options or values; the message names the option.
  absl::StatusOr<std::string> SetOptions(const std::map<std::string, std::string>& options);
  std::string NewGame(uint64_t seed);
  // `legal`: the moves, each after a space, if wants_legal_moves(). `lines` become what to write.
  void Go(const SearchLimits& limits, std::string_view legal, std::string* lines);

  // What the bot has written, in any pieces.
  absl::Status Take(std::string_view bytes);
  bool is_waiting() const { return waiting_ != Waiting::kNothing; }

  // ---- What it said.
  const std::string& name() const { return name_; }
  const std::map<std::string, Option>& options() const { return options_; }
  bool wants_legal_moves() const { return wants_legal_moves_; }
  // After Go: "a2W-a3W", "resign", "claim".
  const std::string& answer() const { return answer_; }
  const Thought& thought() const { return thought_; }

 private:
  enum class Waiting : uint8_t { kNothing, kUciOk, kReadyOk, kBestMove };

  absl::Status TakeLine(std::string_view line);
  absl::Status TakeBestMove(std::string_view rest);
  void TakeOption(std::string_view line);
  void TakeInfo(const std::vector<std::string_view>& words);
  absl::Status CheckOption(const std::string& name, const std::string& value) const;
  bool Offers(const std::string& name, std::string_view type) const;

  const GameInfo& game_;
  std::string name_;
  std::map<std::string, Option> options_;
  bool wants_legal_moves_ = false;
  bool wants_seed_ = false;

  Waiting waiting_ = Waiting::kNothing;
  std::string line_;  // begun and not ended
  size_t bytes_ = 0;  // since something was asked
  std::string answer_;
  Thought thought_;
};

}  // namespace triarch

#endif  // TRIARCH_WORKER_HOST_UCI_SESSION_H_
