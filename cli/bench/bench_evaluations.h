// Measures the evaluations of the searchers, by hand and with a network.

#ifndef TRIARCH_CLI_BENCH_BENCH_EVALUATIONS_H_
#define TRIARCH_CLI_BENCH_BENCH_EVALUATIONS_H_

#include <benchmark/benchmark.h>

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "bots/nnue/net_evaluator.h"
#include "bots/nnue/networks.h"
#include "core/evaluate.h"
#include "core/features.h"
#include "core/text.h"

namespace triarch {

// Returns positions in the order in which a search of two plies meets them.
template <Position P>
std::vector<P> PositionsOfSearches(std::span<const std::string_view> texts) {
  constexpr size_t kPositionsMax = 20'000;
  std::vector<P> positions;
  for (const std::string_view text : texts) {
    const P root = *Parse(kGame<P>, text);
    for (const auto move : root.LegalMoves()) {
      P child = root;
      child.Play(move);
      if (positions.size() >= kPositionsMax) return positions;
      if (child.outcome()) continue;
      positions.push_back(child);
      for (const auto reply : child.LegalMoves()) {
        P grandchild = child;
        grandchild.Play(reply);
        if (!grandchild.outcome()) positions.push_back(grandchild);
      }
    }
  }
  return positions;
}

// Evaluates such positions again and again. Sets the counter "evaluations" (per second).
template <Position P, class Evaluator>
void BenchEvaluator(benchmark::State& state, std::span<const std::string_view> texts,
                    Evaluator evaluate) {
  const std::vector<P> positions = PositionsOfSearches<P>(texts);
  for (auto _ : state) {
    for (const P& position : positions) benchmark::DoNotOptimize(evaluate(position));
  }
  state.counters["evaluations"] = benchmark::Counter(
      static_cast<double>(state.iterations()) * static_cast<double>(positions.size()),
      benchmark::Counter::kIsRate);
}

template <Position P>
void BenchHandMade(benchmark::State& state, std::span<const std::string_view> texts) {
  BenchEvaluator<P>(state, texts, [](const P& position) { return Evaluate(position); });
}

// Requires: the game has a bundled network.
template <Position P>
void BenchNetwork(benchmark::State& state, std::span<const std::string_view> texts) {
  nnue::NetEvaluator<P> evaluator(nnue::BundledNetwork(P::kInfo.name));
  BenchEvaluator<P>(state, texts, [&](const P& position) {
    return evaluator.Leads(position, position.to_move());
  });
}

}  // namespace triarch

#endif  // TRIARCH_CLI_BENCH_BENCH_EVALUATIONS_H_
