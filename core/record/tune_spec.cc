#include "core/record/tune_spec.h"

#include "absl/strings/str_format.h"

namespace triarch {

std::string TunedValueText(const TunedOption& option, double value) {
  // Zero may be negative.
  const double plain = value == 0 ? 0 : value;
  return option.is_integer ? absl::StrFormat("%.0f", plain) : absl::StrFormat("%.6g", plain);
}

}  // namespace triarch
