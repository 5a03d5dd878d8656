// Registers Prometheus families and owns single series of them.

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

// Owns one series of a family and removes it when destroyed. Requires: no other series of the
// family has the same labels; the family outlives this object.
template <class T>
class Series {
 public:
  // `metric` holds the constructor arguments of T, e.g. the bucket bounds of a histogram.
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

// A counter that mirrors a total counted elsewhere, and restarts when that total restarts.
class FollowingCounter {
 public:
  FollowingCounter(prometheus::Family<prometheus::Counter>& family, prometheus::Labels labels)
      : family_(family), labels_(std::move(labels)), series_(std::in_place, family_, labels_) {}

  void Follow(double total) {
    if (total < (*series_)->Value()) {
      series_.reset();  // before adding the new one, which has the same labels
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
