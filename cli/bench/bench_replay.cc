#include "cli/bench/bench_replay.h"

#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bots/bots.h"
#include "core/base/check.h"
#include "core/record/game_record.h"
#include "core/record/game_spec.h"
#include "core/record/replay.h"
#include "worker/match/match.h"

namespace triarch {
namespace {

constexpr uint64_t kGames = 50;

struct PlayedSpec {
  GameSpec spec;
  GameRecord record;
};

std::vector<PlayedSpec> PlayRandomGames(const GameInfo& game) {
  const BotSpec bot{.name = "random", .bot = "random", .options = {}};
  PerSeat<std::unique_ptr<SyncPlayer>> owned;
  PerSeat<PlayerRef> players;
  GameSpec spec;
  spec.game = game.name;
  for (size_t i = 0; i < game.seats; ++i) {
    const Seat seat = SeatAt(i);
    spec.seats[seat] = bot;
    owned[seat] = *MakePlayer(game, bot);
    players[seat] = owned[seat].get();
  }
  const std::atomic<bool> stop = false;
  std::vector<PlayedSpec> played;
  for (spec.seed = 1; spec.seed <= kGames; ++spec.seed) {
    played.push_back({spec, **PlayGame(spec, players, stop)});
  }
  return played;
}

}  // namespace

void BenchReplay(benchmark::State& state, const GameInfo& game) {
  const std::vector<PlayedSpec> games = PlayRandomGames(game);
  int64_t plies = 0;
  for (auto _ : state) {
    for (const PlayedSpec& played : games) {
      const absl::StatusOr<GameRecord> replayed = ReplayRecord(played.spec, played.record);
      CHECK(replayed.ok());
      plies += replayed->plies;
    }
  }
  state.counters["plies"] =
      benchmark::Counter(static_cast<double>(plies), benchmark::Counter::kIsRate);
}

}  // namespace triarch
