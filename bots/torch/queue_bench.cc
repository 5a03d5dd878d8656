// Measures how many positions per second a model evaluates: queue_bench MODEL GAME LEAVES GAMES
// BATCH [THREADS [SECONDS]] runs GAMES games in parallel, each of which requests LEAVES positions
// per round.

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "bots/torch/puct.h"
#include "bots/torch/torch_models.h"
#include "core/evaluate.h"
#include "core/games.h"
#include "core/sample.h"
#include "core/text.h"

namespace triarch {
namespace {

using std::chrono::steady_clock;

struct Arguments {
  std::string model;
  std::string game;
  int leaves = 8;
  int games = 8;
  int64_t batch = 64;
  int64_t threads = 1;
  int seconds = 5;
};

// Plays one game after another with 200 simulations per move until the time is up.
template <Position P>
void Play(const std::shared_ptr<EvalQueue>& queue, int leaves, uint64_t seed,
          steady_clock::time_point end) {
  Puct<P> bot({.leaves = leaves}, queue);
  while (steady_clock::now() < end) {
    bot.NewGame(Seat::kFirst, seed++);
    GameState<P> state(*Start(kGame<P>, ""));
    while (!state.outcome() && steady_clock::now() < end) {
      state.Play(bot.Search(state, {.nodes_max = 200, .deadline = end}).move);
    }
  }
}

template <Position P>
int Run(const Arguments& args) {
  const auto queue = FindTorchModel(
      {.model = args.model, .batch = args.batch, .threads = args.threads}, ShapeOf<P>(), "");
  if (!queue.ok()) {
    std::fprintf(stderr, "error: %s\n", queue.status().ToString().c_str());
    return 1;
  }
  const auto began = steady_clock::now();
  const auto end = began + std::chrono::seconds(args.seconds);
  std::vector<std::jthread> threads;
  for (int i = 0; i < args.games; ++i) {
    threads.emplace_back(
        [&, i] { Play<P>(*queue, args.leaves, static_cast<uint64_t>(i) << 32, end); });
  }
  threads.clear();
  const std::chrono::duration<double> took = steady_clock::now() - began;
  const EvalQueue::Counts counts = (*queue)->counts();
  std::printf("%d games, %d leaves, batch %ld: %.0f positions/s, %.1f a batch\n", args.games,
              args.leaves, static_cast<long>(args.batch),
              static_cast<double>(counts.positions) / took.count(),
              static_cast<double>(counts.positions) / static_cast<double>(counts.batches));
  return 0;
}

int Main(int argc, char** argv) {
  if (argc < 6) {
    std::fprintf(stderr, "usage: queue_bench MODEL GAME LEAVES GAMES BATCH [THREADS [SECONDS]]\n");
    return 2;
  }
  const Arguments args = {.model = argv[1],
                          .game = argv[2],
                          .leaves = std::atoi(argv[3]),
                          .games = std::atoi(argv[4]),
                          .batch = std::atoi(argv[5]),
                          .threads = argc > 6 ? std::atoi(argv[6]) : 1,
                          .seconds = argc > 7 ? std::atoi(argv[7]) : 5};
  int code = 2;
  ForEachGame(Games(), [&]<Position P>() {
    if (P::kInfo.name != args.game) return false;
    code = Run<P>(args);
    return true;
  });
  return code;
}

}  // namespace
}  // namespace triarch

int main(int argc, char** argv) { return triarch::Main(argc, argv); }
