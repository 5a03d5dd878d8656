#include "core/record/clock_text.h"

#include <cstdint>
#include <optional>

#include "absl/strings/str_format.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"

namespace triarch {
namespace {

constexpr int64_t kMovesMax = 1000;
constexpr int64_t kSecondsMax = 1'000'000;

// Formats 1500 as "1.5".
std::string Seconds(int64_t ms) {
  std::string text = std::to_string(ms / 1000);
  if (ms % 1000 == 0) return text;
  text += '.' + std::to_string(1000 + ms % 1000).substr(1);
  while (text.back() == '0') text.pop_back();
  return text;
}

// Reads digits only.
std::optional<int64_t> ReadDigits(std::string_view text, int64_t max) {
  const std::optional<uint64_t> number = ParseUint64(text);
  if (!number || *number > static_cast<uint64_t>(max)) return std::nullopt;
  return static_cast<int64_t>(*number);
}

// Reads "1.5" as 1500.
std::optional<int64_t> ReadSeconds(std::string_view text) {
  const size_t point = text.find('.');
  const std::optional<int64_t> whole = ReadDigits(text.substr(0, point), kSecondsMax);
  if (!whole) return std::nullopt;
  if (point == std::string_view::npos) return *whole * 1000;
  std::string decimals(text.substr(point + 1));
  if (decimals.empty() || decimals.size() > 3) return std::nullopt;
  decimals.resize(3, '0');
  const std::optional<int64_t> ms = ReadDigits(decimals, 999);
  if (!ms) return std::nullopt;
  return *whole * 1000 + *ms;
}

// Reads seconds, or minutes and seconds.
std::optional<int64_t> ReadTime(std::string_view text) {
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos) return ReadSeconds(text);
  const std::optional<int64_t> minutes = ReadDigits(text.substr(0, colon), kSecondsMax / 60);
  const std::optional<int64_t> ms = ReadSeconds(text.substr(colon + 1));
  if (!minutes || !ms || *ms >= 60'000) return std::nullopt;
  return *minutes * 60'000 + *ms;
}

absl::Status PartError(std::string_view part, std::string_view text, std::string_view expected) {
  return absl::InvalidArgumentError(
      absl::StrFormat("%s %s is not %s; expected %s", part, Quote(text), expected, kClockForms));
}

}  // namespace

absl::StatusOr<ClockSpec> ParseClock(std::string_view text) {
  ClockSpec clock;
  const size_t slash = text.find('/');
  if (slash != std::string_view::npos) {
    const std::string_view moves = text.substr(0, slash);
    clock.moves = ReadDigits(moves, kMovesMax).value_or(0);
    if (clock.moves == 0) return PartError("MOVES", moves, "a whole number from 1 to 1000");
    text.remove_prefix(slash + 1);
  }
  const size_t plus = text.find('+');
  const std::string_view time = text.substr(0, plus);
  clock.base_ms = ReadTime(time).value_or(0);
  if (clock.base_ms < 1 || clock.base_ms > kSecondsMax * 1000) {
    return PartError("TIME", time, "from 0.001 to 1000000 seconds");
  }
  if (plus == std::string_view::npos) return clock;
  const std::string_view increment = text.substr(plus + 1);
  clock.increment_ms = ReadSeconds(increment).value_or(-1);
  if (clock.increment_ms < 0 || clock.increment_ms > kSecondsMax * 1000) {
    return PartError("INCREMENT", increment, "from 0 to 1000000 seconds");
  }
  return clock;
}

std::string ClockText(const ClockSpec& clock) {
  std::string text = clock.moves == 0 ? "" : std::to_string(clock.moves) + "/";
  text += Seconds(clock.base_ms);
  if (clock.increment_ms != 0) text += '+' + Seconds(clock.increment_ms);
  return text;
}

}  // namespace triarch
