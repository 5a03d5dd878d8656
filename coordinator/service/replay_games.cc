#include "coordinator/service/replay_games.h"

#include <string>
#include <utility>

#include "core/record/replay.h"

namespace triarch {

absl::Status ReplayGames(const Schedule& schedule, const std::vector<PlannedMatch>& matches,
                         bool are_trusted, std::vector<GameRecord>& games) {
  GameSpec spec;
  const GameSpec* earlier = nullptr;
  for (GameRecord& game : games) {
    game.event = schedule.spec().name;
    const PlannedMatch* const match = FindMatch(matches, game.index);
    spec = match == nullptr ? schedule.Game(game.index, earlier)
                            : schedule.PlannedGame(*match, game.index, earlier);
    earlier = &spec;
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
