// A game in progress, as a worker reported it.

#ifndef TRIARCH_CORE_RECORD_LIVE_GAME_H_
#define TRIARCH_CORE_RECORD_LIVE_GAME_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "core/any_state.h"
#include "core/record/game_record.h"
#include "core/record/game_spec.h"

namespace triarch {

// Its moves are legal, but whether they were played is not confirmed before the game is recorded.
struct LiveGame {
  int64_t tournament = 0;
  std::string name;   // of the tournament
  GameRecord record;  // not finished
  AnyState before;    // the position before the last event; before the first one, the start
  AnyState after;
};

// Replays a report about a game. Fails as ReplayUnfinished does.
absl::StatusOr<LiveGame> ReplayLive(int64_t tournament, const std::string& name,
                                    const GameSpec& spec, const GameRecord& claimed);

// Returns the games in progress that are known now. Calling it means that someone watches.
using LiveSource = std::function<std::vector<std::shared_ptr<const LiveGame>>()>;

}  // namespace triarch

#endif  // TRIARCH_CORE_RECORD_LIVE_GAME_H_
