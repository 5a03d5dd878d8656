#include "core/base/portable_math.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "core/base/check.h"

namespace triarch {
namespace {

// Returns the sum of coefficients[k] x^k.
template <size_t kCount>
double Polynomial(const std::array<double, kCount>& coefficients, double x) {
  double sum = 0;
  for (size_t k = kCount; k-- > 0;) sum = sum * x + coefficients[k];
  return sum;
}

// The coefficients of artanh(s) / s in s²: 1, 1/3, 1/5, …
constexpr auto kArtanh = [] {
  std::array<double, 12> all = {};
  for (size_t k = 0; k < all.size(); ++k) all[k] = 1 / static_cast<double>(2 * k + 1);
  return all;
}();

// The coefficients of e^x: 1, 1, 1/2, 1/6, … Up to 18! they are quotients of exact numbers.
constexpr auto kExp = [] {
  std::array<double, 18> all = {};
  double factorial = 1;
  for (size_t k = 0; k < all.size(); ++k) {
    all[k] = 1 / factorial;
    factorial *= static_cast<double>(k + 1);
  }
  return all;
}();

// The coefficients of cos x and of sin(x) / x in x²: every second one of e^x, with alternate signs.
template <size_t kFirst>
constexpr std::array<double, 9> Alternate() {
  std::array<double, 9> all = {};
  for (size_t k = 0; k < all.size(); ++k) all[k] = (k % 2 == 0 ? 1 : -1) * kExp[2 * k + kFirst];
  return all;
}
constexpr std::array<double, 9> kCos = Alternate<0>();
constexpr std::array<double, 9> kSin = Alternate<1>();

}  // namespace

double PortableLog(double x) {
  CHECK(x > 0 && x <= 0x1.fffffffffffffp1023);
  int exponent = 0;
  double mantissa = std::frexp(x, &exponent);  // [0.5, 1), exactly
  if (mantissa < std::numbers::sqrt2 / 2) {
    mantissa *= 2;
    --exponent;
  }
  const double s = (mantissa - 1) / (mantissa + 1);
  return exponent * std::numbers::ln2 + 2 * s * Polynomial(kArtanh, s * s);
}

double PortableExp(double x) {
  CHECK(x <= 700);
  if (x < -745) return 0;
  // The upper part of ln 2 ends in 17 zero bits, so the multiple of it is exact.
  constexpr double kLn2High = 0x1.62e42fefap-1;
  constexpr double kLn2Low = 0x1.cf79abc9e3b3ap-40;
  const double exponent = std::floor(x / std::numbers::ln2 + 0.5);
  const double rest = (x - exponent * kLn2High) - exponent * kLn2Low;
  return std::ldexp(Polynomial(kExp, rest), static_cast<int>(exponent));
}

double PortableCosOfTurns(double x) {
  CHECK(x >= 0 && x <= 1);
  const double quarters = std::floor(4 * x + 0.5);
  const double angle = 2 * std::numbers::pi * (x - quarters / 4);  // at most an eighth of a turn
  const double square = angle * angle;
  switch (static_cast<int>(quarters)) {
    case 1:
      return -angle * Polynomial(kSin, square);
    case 2:
      return -Polynomial(kCos, square);
    case 3:
      return angle * Polynomial(kSin, square);
    default:
      return Polynomial(kCos, square);
  }
}

}  // namespace triarch
