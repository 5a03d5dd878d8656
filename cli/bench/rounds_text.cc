#include "cli/bench/rounds_text.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "absl/strings/str_format.h"

namespace triarch {
namespace {

// Returns "102.3 M", "4.57 M" or "0.152".
std::string ShortNumber(double value) {
  const auto digits = [](double x) { return x >= 100 ? 1 : x >= 10 ? 2 : 3; };
  if (value >= 1e6) return absl::StrFormat("%.*f M", digits(value / 1e6), value / 1e6);
  if (value >= 1e3) return absl::StrFormat("%.*f k", digits(value / 1e3), value / 1e3);
  return absl::StrFormat("%.*f", digits(value), value);
}

// Returns "102.3 M (101.9 M to 102.6 M)".
std::string WithInterval(const MedianEstimate& median) {
  return ShortNumber(median.value) + " (" + ShortNumber(median.low) + " to " +
         ShortNumber(median.high) + ")";
}

std::string RatioText(const std::optional<MedianEstimate>& ratio) {
  if (!ratio) return "-";
  return absl::StrFormat("%.4g (%.4g to %.4g)", ratio->value, ratio->low, ratio->high);
}

std::string VerdictOf(const RoundsRow& row) {
  if (!row.ratio) return row.theirs ? "" : "only here";
  if (!row.is_real()) return "no real difference";
  return row.is_better() ? "better" : "worse";
}

nlohmann::ordered_json JsonOf(const std::optional<MedianEstimate>& median) {
  if (!median) return nullptr;
  return {{"median", median->value}, {"low", median->low}, {"high", median->high}};
}

}  // namespace

std::string RoundsText(const RoundsPlan& plan, const std::vector<RoundsRow>& rows) {
  std::string text = absl::StrFormat(
      "Medians of %d rounds with 95 %% intervals. Rates are per second of CPU time, and those of\n"
      "tournaments per second.\n\n",
      plan.rounds);
  for (const RoundsRow& row : rows) {
    text += absl::StrFormat("%-32s %-14s %s\n", row.name, row.unit, WithInterval(row.ours));
    if (plan.against && row.theirs) {
      text += absl::StrFormat("%-47s %s\n", "  other build", WithInterval(*row.theirs));
      text +=
          absl::StrFormat("%-47s %s  %s\n", "  this / other", RatioText(row.ratio), VerdictOf(row));
    } else if (plan.against && !row.is_other) {
      text += "  the other build has no such figure\n";
    }
    if (row.to_stockfish) {
      text +=
          absl::StrFormat("%-47s %s\n", "  this / stockfish/perft", RatioText(row.to_stockfish));
    }
  }
  return text;
}

std::string RoundsJson(const RoundsPlan& plan, const std::vector<RoundsRow>& rows) {
  nlohmann::ordered_json json;
  json["rounds"] = plan.rounds;
  json["benchmarks"] = nlohmann::ordered_json::array();
  for (const RoundsRow& row : rows) {
    nlohmann::ordered_json entry = {
        {"name", row.name},           {"unit", row.unit},
        {"this", JsonOf(row.ours)},   {"other", JsonOf(row.theirs)},
        {"ratio", JsonOf(row.ratio)}, {"to_stockfish", JsonOf(row.to_stockfish)}};
    entry["is_real"] = row.is_real();
    json["benchmarks"].push_back(std::move(entry));
  }
  return json.dump(2) + "\n";
}

}  // namespace triarch
