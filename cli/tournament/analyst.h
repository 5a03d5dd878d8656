// Asks a bot for its evaluation of positions in recorded games.

#ifndef TRIARCH_CLI_TOURNAMENT_ANALYST_H_
#define TRIARCH_CLI_TOURNAMENT_ANALYST_H_

#include <atomic>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "core/any_state.h"
#include "core/play/player.h"
#include "core/record/game_record.h"
#include "core/record/game_spec.h"

namespace triarch {

// A position and how the game came to it.
struct GamePoint {
  GameSpec spec;   // its start and the moves from there, as the opening
  AnyState state;  // after these moves
};

// Returns the position before an event of a record. Requires: the record was replayed by the rules.
absl::StatusOr<GamePoint> PointBefore(const GameRecord& record, size_t event);

// What a bot thinks of a position.
struct Assessment {
  Decision::Kind kind = Decision::Kind::kMove;
  std::string move = {};               // as in TPGN; of kMove
  PerSeat<double> points = {};         // that each seat expects
  std::vector<std::string> line = {};  // the expected moves, beginning with `move`
};

// A bot that judges positions. Each question is a new game to it, so that the answers depend
// neither on their order nor on the number of analysts. Used by one thread at a time.
class Analyst {
 public:
  // `stop` makes questions fail with Cancelled; it must outlive the analyst.
  Analyst(BotSpec bot, Player player, const std::atomic<bool>* stop)
      : bot_(std::move(bot)), player_(std::move(player)), stop_(stop) {}

  // Returns the bot's answer to a position in which the game goes on. FailedPrecondition: the bot
  // fails, or gives no evaluation.
  absl::StatusOr<Assessment> Assess(const GamePoint& point);

  // Returns the points that each seat expects after a legal move, given as in TPGN. If the bot can
  // weigh one move alone, it does, so the mover judges its own moves; otherwise the next player
  // judges the position after it. If the move ends the game, these are the points of its outcome.
  absl::StatusOr<PerSeat<double>> PointsAfter(const GamePoint& point, std::string_view move);

 private:
  struct Answer;

  // With `only`, the bot is to weigh just the legal move of that number.
  absl::StatusOr<Answer> Ask(const GamePoint& point, std::optional<size_t> only);
  absl::Status Failure(const GamePoint& point, const std::string& why) const;

  const BotSpec bot_;
  const Player player_;
  const std::atomic<bool>* const stop_;
  bool can_weigh_one_move_ = true;  // false once it has not
};

}  // namespace triarch

#endif  // TRIARCH_CLI_TOURNAMENT_ANALYST_H_
