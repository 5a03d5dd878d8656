# A separate library, so that only the coordinator and the tests see prometheus-cpp.
triarch_library(triarch_coordinator_metrics
  SOURCES coordinator_metrics.cc tournament_series.cc worker_series.cc
  DEPS triarch_http triarch_game triarch_record absl::time)
triarch_test(coordinator_metrics_test SOURCES coordinator_metrics_test.cc
  DEPS triarch_coordinator_metrics)
