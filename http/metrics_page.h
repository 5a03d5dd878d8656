// Holds the metrics registry of a process and renders it for /metrics.

#ifndef TRIARCH_HTTP_METRICS_PAGE_H_
#define TRIARCH_HTTP_METRICS_PAGE_H_

#include <string>

#include "http/process_metrics.h"
#include "prometheus/registry.h"

namespace triarch {

// Holds a registry and the process metrics. Thread-safe.
class MetricsPage {
 public:
  prometheus::Registry& registry() { return registry_; }

  // Returns all metrics in Prometheus text format, sorted by family name.
  std::string Text() const;

 private:
  prometheus::Registry registry_;
  ProcessMetrics process_;
};

}  // namespace triarch

#endif  // TRIARCH_HTTP_METRICS_PAGE_H_
