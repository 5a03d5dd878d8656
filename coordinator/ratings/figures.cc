#include "coordinator/ratings/figures.h"

#include <cmath>
#include <cstddef>

#include "absl/strings/str_format.h"

namespace triarch {

std::string Grouped(int64_t number) {
  std::string text = std::to_string(number);
  for (std::ptrdiff_t i = static_cast<std::ptrdiff_t>(text.size()) - 3; i > (number < 0 ? 1 : 0);
       i -= 3) {
    text.insert(static_cast<size_t>(i), " ");
  }
  return text;
}

std::string Short(double value) {
  if (value == 0) return "0";
  if (value >= 1e6) return absl::StrFormat("%.1fM", value / 1e6);
  if (value >= 9999.5) return absl::StrFormat("%.1fk", value / 1e3);
  if (value >= 99.95) return absl::StrFormat("%.0f", value);
  if (value >= 9.995) return absl::StrFormat("%.1f", value);
  if (value >= 0.9995) return absl::StrFormat("%.2f", value);
  return absl::StrFormat("%.3f", value);
}

int64_t Rounded(double elo, const ratings::Estimate& estimate) {
  double step = 1;
  while (step * 10 <= estimate.margin() / 5) step *= 10;
  return static_cast<int64_t>(std::lround(elo / step) * std::lround(step));
}
std::string Signed(const ratings::Estimate& estimate) {
  return absl::StrFormat("%+d", Rounded(estimate.value, estimate));
}

std::string Margin(const ratings::Estimate& estimate) {
  return absl::StrFormat("±%d", Rounded(estimate.margin(), estimate));
}

int64_t Roughly(int64_t number) {
  int64_t scale = 1;
  while (number / scale >= 100) scale *= 10;
  return (number + scale / 2) / scale * scale;
}

std::string Percent(double share, bool is_probability) {
  const double percent = 100 * share;
  if (!is_probability && (share == 0 || share == 1)) return absl::StrFormat("%.0f%%", percent);
  if (percent > 99.9) return ">99.9%";
  if (percent < 0.1) return "<0.1%";
  return absl::StrFormat(percent < 1 || percent > 99 ? "%.1f%%" : "%.0f%%", percent);
}

}  // namespace triarch
