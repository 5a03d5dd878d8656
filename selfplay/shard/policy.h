// Quantizes a policy to integer parts of 255.

#ifndef TRIARCH_SELFPLAY_SHARD_POLICY_H_
#define TRIARCH_SELFPLAY_SHARD_POLICY_H_

#include <cstdint>
#include <span>

namespace triarch {

// Sum of the parts of a policy.
inline constexpr int kPolicySum = 255;

// Converts shares (visits or probabilities: finite, not negative) to parts of 255 by largest
// remainder; ties go to the first. If no share is above 0 there is no policy, and all parts become
// 0. Requires: `parts` is as long as `shares`.
void QuantizePolicy(std::span<const float> shares, std::span<uint8_t> parts);

}  // namespace triarch

#endif  // TRIARCH_SELFPLAY_SHARD_POLICY_H_
