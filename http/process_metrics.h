// Exports the standard process_* metrics of this process, and the memory that is left.

#ifndef TRIARCH_HTTP_PROCESS_METRICS_H_
#define TRIARCH_HTTP_PROCESS_METRICS_H_

#include <vector>

#include "prometheus/collectable.h"

namespace triarch {

// Reads /proc at each collection and omits what it cannot read.
class ProcessMetrics final : public prometheus::Collectable {
 public:
  std::vector<prometheus::MetricFamily> Collect() const override;
};

}  // namespace triarch

#endif  // TRIARCH_HTTP_PROCESS_METRICS_H_
