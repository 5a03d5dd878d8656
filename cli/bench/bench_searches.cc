#include "cli/bench/bench_searches.h"

#include <bit>
#include <memory>

#include "bots/bots.h"
#include "core/any_state.h"
#include "core/base/random.h"
#include "core/play/player.h"

namespace triarch {
namespace {

std::unique_ptr<SyncPlayer> PlayerOf(const GameInfo& game, const SearchCase& what) {
  return *MakePlayer(game, {.name = std::string(what.bot),
                            .bot = std::string(what.bot),
                            .options = {{std::string(kNetOption), std::string(what.net)}}});
}

Decision Decide(SyncPlayer& player, const AnyState& state, const SearchCase& what) {
  player.NewGame(state.to_move(), 1);
  return player.Choose(state, state.LegalMoves(), {.nodes = what.nodes, .is_fast = true});
}

}  // namespace

void BenchSearch(benchmark::State& state, const GameInfo& game,
                 std::span<const std::string_view> positions, const SearchCase& what) {
  const std::unique_ptr<SyncPlayer> player = PlayerOf(game, what);
  int64_t nodes = 0;
  for (auto _ : state) {
    for (const std::string_view position : positions) {
      nodes += Decide(*player, *AnyState::Parse(game.name, position), what).nodes;
    }
  }
  state.counters["nodes"] =
      benchmark::Counter(static_cast<double>(nodes), benchmark::Counter::kIsRate);
}

uint64_t SearchSignature(const GameInfo& game, std::span<const std::string_view> positions) {
  uint64_t signature = 0;
  for (const SearchCase& what : kSearchCases) {
    if (what.net != kNoNet) continue;
    const std::unique_ptr<SyncPlayer> player = PlayerOf(game, what);
    for (const std::string_view position : positions) {
      const Decision decision = Decide(*player, *AnyState::Parse(game.name, position), what);
      signature = Mix64(signature ^ decision.move);
      signature = Mix64(signature ^ static_cast<uint64_t>(decision.nodes));
      if (!decision.eval) continue;
      for (const double share : *decision.eval) {
        signature = Mix64(signature ^ std::bit_cast<uint64_t>(share));
      }
    }
  }
  return signature;
}

}  // namespace triarch
