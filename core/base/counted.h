// Formats a count with its noun in the singular or plural.

#ifndef TRIARCH_CORE_BASE_COUNTED_H_
#define TRIARCH_CORE_BASE_COUNTED_H_

#include <concepts>
#include <string>
#include <string_view>

namespace triarch {

// Returns "1 game" or "3 games".
template <std::integral T>
std::string Counted(T count, std::string_view noun) {
  return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

}  // namespace triarch

#endif  // TRIARCH_CORE_BASE_COUNTED_H_
