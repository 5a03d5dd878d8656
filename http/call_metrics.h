// Counts and times gRPC calls for Prometheus.

#ifndef TRIARCH_HTTP_CALL_METRICS_H_
#define TRIARCH_HTTP_CALL_METRICS_H_

#include <chrono>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "absl/base/thread_annotations.h"
#include "core/base/mutex.h"
#include "prometheus/counter.h"
#include "prometheus/family.h"
#include "prometheus/histogram.h"
#include "prometheus/registry.h"

namespace triarch {

// Exports PREFIX_calls_total{method,code} and PREFIX_call_seconds{method} for one side of the
// connection. Thread-safe.
class CallMetrics {
 public:
  // `side` is "server" or "client" and appears in the help text.
  CallMetrics(prometheus::Registry& registry, const std::string& prefix, const std::string& side);

  // Records one call, e.g. of method "Lease" with code "OK". Both must come from small fixed sets.
  void Called(std::string_view method, std::string_view code, std::chrono::duration<double> time)
      ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  struct Method {
    prometheus::Histogram* seconds;
    std::map<std::string, prometheus::Counter*, std::less<>> calls;  // by code
  };

  prometheus::Family<prometheus::Counter>& calls_;
  prometheus::Family<prometheus::Histogram>& seconds_;
  Mutex mutex_;
  std::map<std::string, Method, std::less<>> methods_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace triarch

#endif  // TRIARCH_HTTP_CALL_METRICS_H_
