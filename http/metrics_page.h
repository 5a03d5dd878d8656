#ifndef TRIARCH_HTTP_METRICS_PAGE_H_
#define TRIARCH_HTTP_METRICS_PAGE_H_

#include <string>

#include "http/process_metrics.h"
#include "prometheus/registry.h"

namespace triarch {

// What /metrics shows: a registry and the process. Everything may be called from any thread.
class MetricsPage {
 public:
  prometheus::Registry& registry() { return registry_; }

  // In the text format of Prometheus, families by name.
  std::string Text() const;

 private:
  prometheus::Registry registry_;
  ProcessMetrics process_;
};

}  // namespace triarch

#endif  // TRIARCH_HTTP_METRICS_PAGE_H_
