#include "coordinator/service/replay_games.h"

#include <string>
#include <utility>

#include "core/record/replay.h"

namespace triarch {

absl::Status ReplayGames(const Schedule& schedule, const std::vector<PlannedMatch>& matches,
                         bool are_trusted, std::vector<GameRecord>& games) {
  for (GameRecord& game : games) {
    game.event = schedule.spec().name;
    const PlannedMatch* const match = FindMatch(matches, game.index);
    const GameSpec spec =
        match == nullptr ? schedule.Game(game.index) : schedule.PlannedGame(*match, game.index);
    absl::StatusOr<GameRecord> replayed =
        are_trusted ? CompleteRecord(spec, std::move(game)) : ReplayRecord(spec, game);
    if (!replayed.ok()) {
      return absl::InvalidArgumentError("game " + std::to_string(game.index + 1) + ": " +
                                        std::string(replayed.status().message()));
    }
    game = *std::move(replayed);
  }
  return absl::OkStatus();
}

}  // namespace triarch
