// Finds a process bot's slips in the bot protocol.

#ifndef TRIARCH_WORKER_HOST_PROTOCOL_WATCH_H_
#define TRIARCH_WORKER_HOST_PROTOCOL_WATCH_H_

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/game/position.h"
#include "worker/host/bot_report.h"
#include "worker/host/transcript.h"

namespace triarch {

// Watches every line that passes between Triarch and one seat's process (docs/bot-protocol.md). It
// reports what ProcessPlayer tolerates; the faults come from ProcessPlayer itself.
class ProtocolWatch {
 public:
  using Clock = std::chrono::steady_clock;

  // `margin` is the time in which the bot must answer after `stop`. The report must outlive this.
  ProtocolWatch(const GameInfo& game, Seat seat, std::chrono::milliseconds margin,
                BotReport* report)
      : game_(game), seat_(seat), margin_(margin), report_(*report) {}

  // Tells it where the game is: the number of the game and of the ply, from 1, or ply 0 before the
  // first move.
  void SetPlace(int64_t game, int64_t ply) {
    game_number_ = game;
    ply_ = ply;
  }
  void Take(Transcript::Stream stream, std::string_view line);

  // Returns "game 1, ply 3, White: DETAIL".
  std::string Where(std::string_view detail = "") const;
  // Returns what was sent and received last, for a fault.
  std::string LastLines() const;

 private:
  void TakeSent(std::string_view line);
  void TakeOutput(std::string_view line);
  void TakeInfo(std::string_view line);
  void TakeBestMove(std::string_view line);
  void Warn(const std::string& what, std::string_view detail);

  const GameInfo& game_;
  const Seat seat_;
  const std::chrono::milliseconds margin_;
  BotReport& report_;
  int64_t game_number_ = 1;
  int64_t ply_ = 0;
  std::string sent_;      // the last line
  std::string received_;  // the last line of its output
  // The turn.
  bool is_asked_ = false;
  bool can_claim_ = false;
  std::string limits_;
  std::optional<int64_t> nodes_;
  std::string pv_;  // the first move of the last principal variation
  std::optional<Clock::time_point> stopped_;
};

}  // namespace triarch

#endif  // TRIARCH_WORKER_HOST_PROTOCOL_WATCH_H_
