#include "spec/suggestion.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace triarch {

size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = std::exchange(row[0], i + 1);
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t changed = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

std::string_view NearestOf(std::string_view word, std::span<const std::string_view> known) {
  // A short word is similar to too many others. Among equals the same first letter decides.
  const size_t distance_max = word.size() < 4 ? 1 : std::max<size_t>(2, word.size() / 3);
  std::string_view nearest;
  size_t least = 2 * distance_max + 2;
  for (const std::string_view candidate : known) {
    const size_t distance = EditDistance(word.substr(0, 60), candidate);
    const size_t cost = 2 * distance + (word.substr(0, 1) == candidate.substr(0, 1) ? 0 : 1);
    if (distance > distance_max || cost >= least) continue;
    least = cost;
    nearest = candidate;
  }
  return nearest;
}

std::string ExpectedOneOf(std::string_view word, std::span<const std::string_view> known) {
  const std::string_view nearest = NearestOf(word, known);
  if (!nearest.empty()) return "; did you mean \"" + std::string(nearest) + "\"?";
  std::string list;
  for (const std::string_view candidate : known) {
    list += (list.empty() ? "" : ", ");
    list += candidate;
  }
  return "; expected one of " + list;
}

}  // namespace triarch
