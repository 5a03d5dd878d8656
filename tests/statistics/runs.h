// Runs an experiment many times on several threads; the seed alone determines the results.

#ifndef TRIARCH_TESTS_STATISTICS_RUNS_H_
#define TRIARCH_TESTS_STATISTICS_RUNS_H_

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

#include "core/base/random.h"

namespace triarch::statistics {

struct Runs {
  int runs = 0;
  uint64_t seed = 1;
  int threads = 1;
};

// Returns a fraction of the runs, at least two.
inline Runs OneIn(int share, Runs runs) {
  runs.runs = std::max(2, runs.runs / share);
  return runs;
}

// Returns run(seed) for each run in order. `setting` numbers the rows of a table, so that each has
// games of its own.
template <class Run>
auto RunAll(const Runs& runs, uint64_t setting, Run run) {
  using Result = decltype(run(uint64_t{}));
  std::vector<Result> results(static_cast<size_t>(runs.runs));
  std::atomic<size_t> next = 0;
  const uint64_t seed = DeriveSeed(runs.seed, setting);
  const auto work = [&] {
    for (size_t i = next++; i < results.size(); i = next++) results[i] = run(DeriveSeed(seed, i));
  };
  std::vector<std::jthread> threads;
  for (int i = 1; i < runs.threads; ++i) threads.emplace_back(work);
  work();
  threads.clear();  // joins them
  return results;
}

// Returns one member of each result.
template <class Result, class Value>
std::vector<Value> Column(const std::vector<Result>& results, Value Result::*member) {
  std::vector<Value> column;
  for (const Result& result : results) column.push_back(result.*member);
  return column;
}

}  // namespace triarch::statistics

#endif  // TRIARCH_TESTS_STATISTICS_RUNS_H_
