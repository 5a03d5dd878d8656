// Describes what a bot says about one of its options.

#ifndef TRIARCH_CORE_RECORD_DECLARED_OPTION_H_
#define TRIARCH_CORE_RECORD_DECLARED_OPTION_H_

#include <optional>

namespace triarch {

// An option whose values are numbers. Many bots do not declare all of this.
struct DeclaredOption {
  std::optional<double> default_value = {};
  std::optional<double> min = {};
  std::optional<double> max = {};
  bool is_integer = false;
};

}  // namespace triarch

#endif  // TRIARCH_CORE_RECORD_DECLARED_OPTION_H_
