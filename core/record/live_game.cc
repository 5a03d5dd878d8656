#include "core/record/live_game.h"

#include <utility>

#include "core/base/status_macros.h"
#include "core/record/game_steps.h"
#include "core/record/replay.h"

namespace triarch {

absl::StatusOr<LiveGame> ReplayLive(int64_t tournament, const std::string& name,
                                    const GameSpec& spec, const GameRecord& claimed) {
  ASSIGN_OR_RETURN(GameRecord record, ReplayUnfinished(spec, claimed));
  ASSIGN_OR_RETURN(AnyState state, StartOfGame(record));
  AnyState before = state;
  for (size_t i = 0; i < record.events.size(); ++i) {
    if (i + 1 == record.events.size()) before = state;
    RETURN_IF_ERROR(PlayEvent(record.events[i], &state));
  }
  return LiveGame{.tournament = tournament,
                  .name = name,
                  .record = std::move(record),
                  .before = std::move(before),
                  .after = std::move(state)};
}

}  // namespace triarch
