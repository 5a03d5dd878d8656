#include "selfplay/shard/policy.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include "core/base/check.h"

namespace triarch {

void QuantizePolicy(std::span<const float> shares, std::span<uint8_t> parts) {
  CHECK(shares.size() == parts.size());
  double sum = 0;
  for (const float share : shares) {
    CHECK(share >= 0 && std::isfinite(share));
    sum += share;
  }
  std::fill(parts.begin(), parts.end(), uint8_t{0});
  if (sum <= 0) return;
  int left = kPolicySum;
  std::vector<std::pair<double, size_t>> remainders;  // remainders of the shares above 0, with
                                                      // their indices
  remainders.reserve(shares.size());
  for (size_t i = 0; i < shares.size(); ++i) {
    if (shares[i] == 0) continue;
    const double exact = shares[i] / sum * kPolicySum;
    const double whole = std::min(std::floor(exact), static_cast<double>(left));
    parts[i] = static_cast<uint8_t>(whole);
    left -= parts[i];
    remainders.emplace_back(whole - exact, i);
  }
  // Rounding errors can leave slightly more or less than one part per remainder.
  const size_t more = std::min(static_cast<size_t>(left), remainders.size());
  std::nth_element(remainders.begin(), remainders.begin() + static_cast<ptrdiff_t>(more),
                   remainders.end());
  for (size_t i = 0; i < more; ++i) ++parts[remainders[i].second];
  left -= static_cast<int>(more);
  if (left > 0) {
    uint8_t& largest = *std::max_element(parts.begin(), parts.end());
    largest = static_cast<uint8_t>(largest + left);
  }
}

}  // namespace triarch
