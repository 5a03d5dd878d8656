#include "tests/statistics/figures.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_format.h"
#include "coordinator/ratings/text_table.h"

namespace triarch::statistics {
namespace {

using ratings::Estimate;

constexpr size_t kWidth = 200;

std::string Number(double value, int decimals) { return absl::StrFormat("%.*f", decimals, value); }

// Returns "to 6", "from 0.5" or "0.64 to 0.72".
std::string BarText(const Figure& figure) {
  const Bar& bar = figure.bar;
  const std::string low = Number(bar.low, figure.decimals);
  const std::string high = Number(bar.high, figure.decimals);
  if (std::isfinite(bar.low) && std::isfinite(bar.high)) return low + " to " + high;
  if (std::isfinite(bar.low)) return "from " + low;
  return std::isfinite(bar.high) ? "to " + high : "";
}

std::string Verdict(const Figure& figure) {
  if (!HasBar(figure)) return "";
  if (!IsMet(figure)) return "NO";
  const double value = figure.measured.value;
  return value >= figure.bar.low && value <= figure.bar.high ? "yes" : "yes ±";
}

}  // namespace

bool HasBar(const Figure& figure) {
  return std::isfinite(figure.bar.low) || std::isfinite(figure.bar.high);
}

Bar Within(double reference, double amount) {
  return {.reference = reference, .low = reference - amount, .high = reference + amount};
}
Bar WithinShare(double reference, double share) { return Within(reference, share * reference); }

Estimate MeanOf(const std::vector<double>& sample) {
  const auto size = static_cast<double>(sample.size());
  double sum = 0;
  for (const double value : sample) sum += value;
  const double mean = sum / size;
  double squares = 0;
  for (const double value : sample) squares += (value - mean) * (value - mean);
  return {mean, std::sqrt(squares / std::max(1.0, size - 1) / size)};
}

Estimate PercentageOf(const std::vector<bool>& sample) {
  const auto size = static_cast<double>(sample.size());
  const auto hits = static_cast<double>(std::count(sample.begin(), sample.end(), true));
  // Agresti and Coull (1998): with two more of each, the error of 0 % is not 0.
  const double share = (hits + 2) / (size + 4);
  return {100 * hits / size, 100 * std::sqrt(share * (1 - share) / (size + 4))};
}

bool IsMet(const Figure& figure) {
  const Estimate& measured = figure.measured;
  return measured.value + measured.margin() >= figure.bar.low &&
         measured.value - measured.margin() <= figure.bar.high;
}

std::string TableOf(const std::vector<Figure>& figures) {
  TextTable table;
  table.AddColumn("setting", TextTable::Align::kLeft);
  table.AddColumn("figure", TextTable::Align::kLeft);
  for (const char* heading : {"measured", "±95%", "reference", "bar"}) table.AddColumn(heading);
  table.AddColumn("met", TextTable::Align::kLeft);
  for (const Figure& figure : figures) {
    const auto& reference = figure.bar.reference;
    table.AddRow({figure.setting, figure.name, Number(figure.measured.value, figure.decimals),
                  Number(figure.measured.margin(), figure.decimals),
                  reference ? Number(*reference, figure.decimals) : "", BarText(figure),
                  Verdict(figure)});
  }
  return table.Render(kWidth, 0);
}

}  // namespace triarch::statistics
