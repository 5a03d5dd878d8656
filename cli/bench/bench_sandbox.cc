#include "cli/bench/bench_sandbox.h"

#include <poll.h>

#include <chrono>
#include <memory>
#include <thread>

#include "absl/status/statusor.h"
#include "worker/sandbox/sandbox.h"

namespace triarch {

void BenchSandboxStart(benchmark::State& state) {
  constexpr std::chrono::milliseconds kPause{60};
  constexpr int kPatienceMs = 10'000;
  const BotSpec bot = {.name = "bench", .bot = "", .command = {"echo", "ready"}, .dir = "/usr"};
  for (auto _ : state) {
    std::this_thread::sleep_for(kPause);
    const auto began = std::chrono::steady_clock::now();
    const absl::StatusOr<std::unique_ptr<BotProcess>> process = BotProcess::Start(bot);
    if (!process.ok()) {
      state.SkipWithError(std::string(process.status().message()).c_str());
      return;
    }
    pollfd output = {.fd = (*process)->output(), .events = POLLIN, .revents = 0};
    if (poll(&output, 1, kPatienceMs) != 1) {
      state.SkipWithError("the program prints nothing");
      return;
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    state.SetIterationTime(took.count());
  }
  state.counters["starts"] =
      benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

}  // namespace triarch
