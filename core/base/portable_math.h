// Computes elementary functions to the same bits on every machine.

#ifndef TRIARCH_CORE_BASE_PORTABLE_MATH_H_
#define TRIARCH_CORE_BASE_PORTABLE_MATH_H_

// The last bits of std::log, std::exp and std::cos differ between C libraries. These functions use
// only operations that IEEE 754 rounds exactly, and are accurate to about 1e-15. The build forbids
// the compiler to fuse multiplications with additions (cmake/triarch.cmake).
namespace triarch {

// Returns the natural logarithm. Requires: x is positive and finite.
double PortableLog(double x);

// Returns e to the power of x, 0 below -745. Requires: x is at most 700.
double PortableExp(double x);

// Returns the cosine of a number of full turns, of 2πx. Requires: x is from 0 to 1.
double PortableCosOfTurns(double x);

}  // namespace triarch

#endif  // TRIARCH_CORE_BASE_PORTABLE_MATH_H_
