// Defines a half-open range of indices, and a compact set of indices.

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

// A set of indices, stored as disjoint ranges that do not touch. Memory grows with the number of
// gaps, not of indices. Every operation takes time logarithmic in the number of ranges and linear
// in the number of ranges that it joins or cuts.
class RangeSet {
 public:
  RangeSet() = default;
  explicit RangeSet(const std::vector<Range>& ranges) {
    for (const Range& range : ranges) Add(range);
  }

  // Returns how many of the indices were not in the set before.
  int64_t Add(Range range);
  // Returns how many of the indices were in the set.
  int64_t Remove(Range range);

  int64_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  bool contains(int64_t index) const;
  size_t range_count() const { return last_of_.size(); }
  // Returns the ranges in ascending order.
  std::vector<Range> ranges() const;
  // Returns the first range, or nullopt if the set is empty.
  std::optional<Range> first() const;
  // Return the indices of `range` that are, or are not, in the set.
  RangeSet Within(Range range) const;
  RangeSet MissingFrom(Range range) const;

  // Returns "0-4 7 9-12" (both ends inclusive), or "" if empty.
  std::string ToString() const;

  friend bool operator==(const RangeSet&, const RangeSet&) = default;

 private:
  std::map<int64_t, int64_t> last_of_;  // by first; disjoint, not touching, not empty
  int64_t size_ = 0;
};

}  // namespace triarch

#endif  // TRIARCH_CORE_BASE_RANGE_SET_H_
