#ifndef TRIARCH_HTTP_PROCESS_METRICS_H_
#define TRIARCH_HTTP_PROCESS_METRICS_H_

#include <vector>

#include "prometheus/collectable.h"

namespace triarch {

// The standard process_* metrics of this process, read from /proc when they are collected. What
// cannot be read is left out.
class ProcessMetrics final : public prometheus::Collectable {
 public:
  std::vector<prometheus::MetricFamily> Collect() const override;
};

}  // namespace triarch

#endif  // TRIARCH_HTTP_PROCESS_METRICS_H_
