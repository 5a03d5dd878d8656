#include "http/call_metrics.h"

#include "http/histograms.h"

namespace triarch {

CallMetrics::CallMetrics(prometheus::Registry& registry, const std::string& prefix,
                         const std::string& side)
    : calls_(prometheus::BuildCounter()
                 .Name(prefix + "_calls_total")
                 .Help("Completed gRPC calls by status code, measured by the " + side + ".")
                 .Register(registry)),
      seconds_(prometheus::BuildHistogram()
                   .Name(prefix + "_call_seconds")
                   .Help("Duration of gRPC calls, measured by the " + side + ".")
                   .Register(registry)) {}

void CallMetrics::Called(std::string_view method, std::string_view code,
                         std::chrono::duration<double> time) {
  MutexLock lock(&mutex_);
  auto known = methods_.find(method);
  if (known == methods_.end()) {
    const std::string name(method);
    prometheus::Histogram& seconds = seconds_.Add({{"method", name}}, CallSecondsBuckets());
    known = methods_.emplace(name, Method{.seconds = &seconds, .calls = {}}).first;
  }
  auto& calls = known->second.calls;
  auto counter = calls.find(code);
  if (counter == calls.end()) {
    const std::string word(code);
    prometheus::Counter& added = calls_.Add({{"method", known->first}, {"code", word}});
    counter = calls.emplace(word, &added).first;
  }
  counter->second->Increment();
  known->second.seconds->Observe(time.count());
}

}  // namespace triarch
