#include "http/metrics_page.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "prometheus/text_serializer.h"

namespace triarch {

std::string MetricsPage::Text() const {
  std::vector<prometheus::MetricFamily> families = registry_.Collect();
  std::vector<prometheus::MetricFamily> process = process_.Collect();
  std::move(process.begin(), process.end(), std::back_inserter(families));
  std::sort(families.begin(), families.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  return prometheus::TextSerializer().Serialize(families);
}

}  // namespace triarch
