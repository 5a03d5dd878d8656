#ifndef TRIARCH_HTTP_SERIES_H_
#define TRIARCH_HTTP_SERIES_H_

#include <optional>
#include <utility>

#include "prometheus/counter.h"
#include "prometheus/family.h"
#include "prometheus/gauge.h"
#include "prometheus/histogram.h"
#include "prometheus/labels.h"
#include "prometheus/registry.h"

namespace triarch {

inline prometheus::Family<prometheus::Counter>& CounterFamily(prometheus::Registry& registry,
                                                              const char* name, const char* help) {
  return prometheus::BuildCounter().Name(name).Help(help).Register(registry);
}

inline prometheus::Family<prometheus::Gauge>& GaugeFamily(prometheus::Registry& registry,
                                                          const char* name, const char* help) {
  return prometheus::BuildGauge().Name(name).Help(help).Register(registry);
}

inline prometheus::Family<prometheus::Histogram>& HistogramFamily(prometheus::Registry& registry,
                                                                  const char* name,
                                                                  const char* help) {
  return prometheus::BuildHistogram().Name(name).Help(help).Register(registry);
}

// One series of a family, which leaves it with this object. Requires: no two for the same labels;
// the family outlives it.
template <class T>
class Series {
 public:
  // `metric`: what T is made from, the bounds of a histogram's buckets say.
  template <class... Args>
  explicit Series(prometheus::Family<T>& family, const prometheus::Labels& labels,
                  const Args&... metric)
      : family_(&family), metric_(&family.Add(labels, metric...)) {}
  ~Series() {
    if (metric_ != nullptr) family_->Remove(metric_);
  }
  Series(Series&& other) noexcept
      : family_(other.family_), metric_(std::exchange(other.metric_, nullptr)) {}
  Series(const Series&) = delete;
  Series& operator=(const Series&) = delete;
  Series& operator=(Series&&) = delete;

  T* operator->() const { return metric_; }
  T& operator*() const { return *metric_; }

 private:
  prometheus::Family<T>* family_;
  T* metric_;
};

// A counter that shows a total which is counted elsewhere. Where that begins anew, so does this.
class FollowingCounter {
 public:
  FollowingCounter(prometheus::Family<prometheus::Counter>& family, prometheus::Labels labels)
      : family_(family), labels_(std::move(labels)), series_(std::in_place, family_, labels_) {}

  void Follow(double total) {
    if (total < (*series_)->Value()) {
      series_.reset();  // first, as the new one has the same labels
      series_.emplace(family_, labels_);
    }
    (*series_)->Increment(total - (*series_)->Value());
  }

 private:
  prometheus::Family<prometheus::Counter>& family_;
  const prometheus::Labels labels_;
  std::optional<Series<prometheus::Counter>> series_;
};

}  // namespace triarch

#endif  // TRIARCH_HTTP_SERIES_H_
