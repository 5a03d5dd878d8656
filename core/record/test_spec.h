// Describes a sequential test: the bounds, the errors and the games that it plays.

#ifndef TRIARCH_CORE_RECORD_TEST_SPEC_H_
#define TRIARCH_CORE_RECORD_TEST_SPEC_H_

#include <array>
#include <cstdint>

namespace triarch {

// The first bot of the tournament is the new one, the second the base, and others are the pool.
// core/record/spec_words.h names the values.
enum class TestField : uint8_t {
  kMirror,  // each bot alone against two of the other; with two seats, one against the other
  kPool,    // both bots at one table with a bot of the pool
};

enum class TestScore : uint8_t {
  kPoints,  // placement points
  kFirsts,  // only first places count
};

struct TestSpec {
  // The hypotheses H0 and H1, ascending: how much stronger the new bot is. {0, 0} if `nelo` is set.
  std::array<double, 2> elo = {0, 0};
  // The same in normalized Elo, which measures the strength in deviations of the score.
  std::array<double, 2> nelo = {0, 0};
  double alpha = 0.05;  // largest probability of passing under H0
  double beta = 0.05;   // largest probability of failing under H1
  TestField field = TestField::kMirror;
  TestScore score = TestScore::kPoints;

  bool is_normalized() const { return nelo[0] != nelo[1]; }
  const std::array<double, 2>& bounds() const { return is_normalized() ? nelo : elo; }
  friend bool operator==(const TestSpec&, const TestSpec&) = default;
};

}  // namespace triarch

#endif  // TRIARCH_CORE_RECORD_TEST_SPEC_H_
