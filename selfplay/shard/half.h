// Implements half-precision floating-point numbers (IEEE 754 binary16).

#ifndef TRIARCH_SELFPLAY_SHARD_HALF_H_
#define TRIARCH_SELFPLAY_SHARD_HALF_H_

#include <bit>
#include <cstdint>

namespace triarch {

// A half-precision number (NumPy's float16), stored as its bits.
struct Half {
  uint16_t bits = 0;
  friend constexpr bool operator==(Half, Half) = default;  // bitwise: a NaN equals itself
};

inline constexpr Half kHalfNan{0x7e00};

constexpr bool IsNan(Half half) { return (half.bits & 0x7fff) > 0x7c00; }

// Rounds to the nearest half, ties to even. Returns infinity for 65 520 and above.
constexpr Half ToHalf(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  const auto sign = static_cast<uint16_t>((bits >> 16) & 0x8000);
  const uint32_t magnitude = bits & 0x7fffffff;
  const auto half = [sign](uint32_t rest) { return Half{static_cast<uint16_t>(sign | rest)}; };
  if (magnitude > 0x7f800000) return half(kHalfNan.bits);
  if (magnitude >= 0x477ff000) return half(0x7c00);
  if (magnitude < 0x33000000) return half(0);  // below half of the smallest subnormal
  const uint32_t exponent = magnitude >> 23;
  const uint32_t mantissa = (magnitude & 0x7fffff) | 0x800000;
  // Number of bits dropped: 13, or more where the result is subnormal.
  const uint32_t dropped = exponent >= 113 ? 13 : 126 - exponent;
  const uint32_t kept = mantissa >> dropped;
  const uint32_t rest = mantissa & ((1u << dropped) - 1);
  const uint32_t middle = 1u << (dropped - 1);
  const uint32_t up = rest > middle || (rest == middle && (kept & 1) != 0) ? 1 : 0;
  // Adding the leading bit of a normal number, or a carry, increments the exponent.
  const uint32_t base = exponent >= 113 ? (exponent - 113) << 10 : 0;
  return half(base + kept + up);
}

// Converts exactly.
constexpr float ToFloat(Half half) {
  const uint32_t sign = static_cast<uint32_t>(half.bits & 0x8000) << 16;
  const uint32_t exponent = (half.bits >> 10) & 31;
  const uint32_t mantissa = half.bits & 0x3ff;
  if (exponent == 0) {
    const float magnitude = static_cast<float>(mantissa) * 0x1p-24f;
    return std::bit_cast<float>(sign | std::bit_cast<uint32_t>(magnitude));
  }
  const uint32_t wide = exponent == 31 ? 255 : exponent + 112;
  return std::bit_cast<float>(sign | wide << 23 | mantissa << 13);
}

}  // namespace triarch

#endif  // TRIARCH_SELFPLAY_SHARD_HALF_H_
