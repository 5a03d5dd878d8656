#ifndef TRIARCH_CORE_BASE_RANGE_SET_H_
#define TRIARCH_CORE_BASE_RANGE_SET_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace triarch {

// The indices [first, last).
struct Range {
  int64_t first = 0;
  int64_t last = 0;

  int64_t size() const { return last - first; }
  bool contains(int64_t index) const { return first <= index && index < last; }
  friend bool operator==(const Range&, const Range&) = default;
};

// A set of indices, kept as disjoint ranges that do not touch: as small as it has gaps, however
// many indices it holds. Every operation takes time logarithmic in the ranges, and linear in those
// that it joins or cuts.
class RangeSet {
 public:
  RangeSet() = default;
  explicit RangeSet(const std::vector<Range>& ranges) {
    for (const Range& range : ranges) Add(range);
  }

  // How many indices were not in it before.
  int64_t Add(Range range);
  // How many indices were in it.
  int64_t Remove(Range range);

  int64_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  bool contains(int64_t index) const;
  size_t range_count() const { return last_of_.size(); }
  // Ascending.
  std::vector<Range> ranges() const;
  // The first of them; empty if the set is.
  std::optional<Range> first() const;
  // The indices of `range` that are (or are not) in the set.
  RangeSet Within(Range range) const;
  RangeSet MissingFrom(Range range) const;

  // "0-4 7 9-12" (both ends inclusive), "" if empty: for messages and tests.
  std::string ToString() const;

  friend bool operator==(const RangeSet&, const RangeSet&) = default;

 private:
  std::map<int64_t, int64_t> last_of_;  // by first; disjoint, not touching, none empty
  int64_t size_ = 0;
};

}  // namespace triarch

#endif  // TRIARCH_CORE_BASE_RANGE_SET_H_
