#include "cli/bench/bench_library.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "capi/triarch.h"
#include "core/base/check.h"
#include "core/base/random.h"

namespace triarch {
namespace {

triarch_position StartOf(const GameInfo& game) {
  triarch_game number = 0;
  triarch_position position;
  CHECK(triarch_find_game(std::string(game.name).c_str(), &number, nullptr) == TRIARCH_OK);
  CHECK(triarch_start(number, "", &position, nullptr) == TRIARCH_OK);
  return position;
}

// Counts as Perft does: the last ply is counted, but not played. `moves` has room for the others.
uint64_t CountByMoves(const triarch_position& position, int depth, triarch_move* moves) {
  if (depth == 1) return triarch_count_legal_moves(&position);
  const size_t count = triarch_legal_moves(&position, moves);
  uint64_t nodes = 0;
  for (size_t i = 0; i < count; ++i) {
    triarch_position next = position;
    triarch_play(&next, moves[i]);
    nodes += CountByMoves(next, depth - 1, moves + TRIARCH_MOVES_MAX);
  }
  return nodes;
}

void SetRate(benchmark::State& state, const char* name, double count) {
  state.counters[name] = benchmark::Counter(count, benchmark::Counter::kIsRate);
}

}  // namespace

void BenchLibraryPerft(benchmark::State& state, const GameInfo& game, int depth) {
  const triarch_position start = StartOf(game);
  double nodes = 0;
  for (auto _ : state) {
    nodes += static_cast<double>(triarch_perft(&start, static_cast<uint32_t>(depth)));
  }
  SetRate(state, "nodes", nodes);
}

void BenchLibraryMoves(benchmark::State& state, const GameInfo& game, int depth) {
  const triarch_position start = StartOf(game);
  std::vector<triarch_move> moves(static_cast<size_t>(depth) * TRIARCH_MOVES_MAX);
  double nodes = 0;
  for (auto _ : state) {
    nodes += static_cast<double>(CountByMoves(start, depth, moves.data()));
  }
  SetRate(state, "nodes", nodes);
}

void BenchLibraryBatch(benchmark::State& state, const GameInfo& game) {
  constexpr size_t kGames = 1024;
  const triarch_position start = StartOf(game);
  triarch_batch* made = nullptr;
  CHECK(triarch_batch_create(&start, kGames, nullptr, &made, nullptr) == TRIARCH_OK);
  const std::unique_ptr<triarch_batch, decltype(&triarch_batch_destroy)> batch(
      made, triarch_batch_destroy);
  std::vector<uint32_t> offsets(kGames + 1);
  std::vector<uint16_t> legal(kGames * TRIARCH_MOVES_MAX);
  std::vector<uint16_t> actions(kGames);
  triarch_batch_arrays arrays = {};
  arrays.size = sizeof(arrays);
  arrays.legal_offsets = offsets.data();
  arrays.legal = legal.data();
  CHECK(triarch_batch_observe(batch.get(), &arrays, nullptr) == TRIARCH_OK);
  Random random(1);
  double plies = 0;
  for (auto _ : state) {
    for (size_t i = 0; i < kGames; ++i) {
      actions[i] = legal[offsets[i] + random.Below(offsets[i + 1] - offsets[i])];
    }
    CHECK(triarch_batch_step(batch.get(), actions.data(), &arrays, nullptr) == TRIARCH_OK);
    plies += kGames;
  }
  SetRate(state, "plies", plies);
}

}  // namespace triarch
