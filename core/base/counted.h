// Formats a count with its noun in the singular or plural.

#ifndef TRIARCH_CORE_BASE_COUNTED_H_
#define TRIARCH_CORE_BASE_COUNTED_H_

#include <concepts>
#include <string>
#include <string_view>

namespace triarch {

// Returns "1 ply" or "3 plies".
template <std::integral T>
std::string Counted(T count, std::string_view singular, std::string_view plural) {
  return std::to_string(count) + " " + std::string(count == 1 ? singular : plural);
}

// Returns "1 game" or "3 games".
template <std::integral T>
std::string Counted(T count, std::string_view noun) {
  return Counted(count, noun, std::string(noun) + "s");
}

}  // namespace triarch

#endif  // TRIARCH_CORE_BASE_COUNTED_H_
