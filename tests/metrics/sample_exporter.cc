// Serves the metrics of a simulated coordinator, worker and arena, to try dashboards and rules
// without a real run. Prints "COORDINATOR_PORT WORKER_PORT ARENA_PORT" and runs until its standard
// input ends.
#include <poll.h>
#include <unistd.h>

#include <chrono>
#include <iostream>

#include "http/http_server.h"
#include "tests/metrics/sample_arena.h"
#include "tests/metrics/sample_events.h"

namespace triarch {
namespace {

template <class Metrics>
absl::StatusOr<std::unique_ptr<HttpServer>> Serve(const Metrics& metrics) {
  return HttpServer::Start("127.0.0.1:0", {.metrics = [&metrics] { return metrics.Text(); },
                                           .is_healthy = [] { return absl::OkStatus(); },
                                           .is_ready = [] { return absl::OkStatus(); }});
}

int Run() {
  CoordinatorMetrics coordinator;
  WorkerMetrics worker;
  arena::ArenaMetrics arena;
  const auto coordinator_server = Serve(coordinator);
  const auto worker_server = Serve(worker);
  const auto arena_server = Serve(arena);
  if (!coordinator_server.ok() || !worker_server.ok() || !arena_server.ok()) {
    std::cerr << coordinator_server.status() << ' ' << worker_server.status() << ' '
              << arena_server.status() << '\n';
    return 1;
  }
  std::cout << (*coordinator_server)->port() << ' ' << (*worker_server)->port() << ' '
            << (*arena_server)->port() << std::endl;
  for (int64_t step = 0;; ++step) {
    RecordSampleEvents(step, coordinator, worker);
    arena::RecordSampleArena(step, arena);
    pollfd input{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
    if (::poll(&input, 1, 100) != 0) return 0;
  }
}

}  // namespace
}  // namespace triarch

int main() { return triarch::Run(); }
