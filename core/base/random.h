// Generates random numbers that are the same on every machine and with every standard library.

#ifndef TRIARCH_CORE_BASE_RANDOM_H_
#define TRIARCH_CORE_BASE_RANDOM_H_

#include <cstdint>

// Games are replayed from their seeds, so the distributions of <random> will not do: the standard
// does not specify them to the bit.
namespace triarch {

// One step of SplitMix64 (Steele, Lea, Flood 2014). Also a good hash of a 64-bit value.
constexpr uint64_t Mix64(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

// Returns an independent seed for part `index` of something seeded with `seed`.
constexpr uint64_t DeriveSeed(uint64_t seed, uint64_t index) {
  return Mix64(Mix64(seed) ^ Mix64(~index));
}

// A SplitMix64 generator. A regular value type.
class Random {
 public:
  constexpr explicit Random(uint64_t seed) : state_(seed) {}

  constexpr uint64_t Next() {
    const uint64_t value = Mix64(state_);
    state_ += 0x9e3779b97f4a7c15u;
    return value;
  }
  // Returns a uniform number in [0, bound); bound > 0. The bias is below 2⁻³² for the bounds we
  // use.
  constexpr uint32_t Below(uint32_t bound) {
    return static_cast<uint32_t>(((Next() >> 32) * bound) >> 32);
  }
  // Returns a uniform number in [0, 1).
  constexpr double Unit() { return static_cast<double>(Next() >> 11) * 0x1p-53; }

 private:
  uint64_t state_;
};

}  // namespace triarch

#endif  // TRIARCH_CORE_BASE_RANDOM_H_
