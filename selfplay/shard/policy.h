#ifndef TRIARCH_SELFPLAY_SHARD_POLICY_H_
#define TRIARCH_SELFPLAY_SHARD_POLICY_H_

#include <cstdint>
#include <span>

namespace triarch {

// What the shares of a policy add up to in a sample.
inline constexpr int kPolicySum = 255;

// Shares (visits, probabilities: any numbers that are finite and not negative) as parts of 255, by
// largest remainder; of equal ones the first is served first. All become 0 if no share is above 0:
// there is no policy. `parts` is as long as `shares`.
void QuantizePolicy(std::span<const float> shares, std::span<uint8_t> parts);

}  // namespace triarch

#endif  // TRIARCH_SELFPLAY_SHARD_POLICY_H_
