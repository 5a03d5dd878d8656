#include "cli/progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "absl/strings/str_format.h"

namespace triarch {
namespace {

constexpr int kColumnsDefault = 80;
constexpr auto kTerminalPause = std::chrono::milliseconds(200);
constexpr auto kLinePause = std::chrono::seconds(10);

// Three figures are enough: "8.94k", "312", "1.20M".
std::string Rate(double per_second) {
  const auto digits = [](double value) { return value < 10 ? 2 : value < 100 ? 1 : 0; };
  for (const char* unit : {"", "k", "M"}) {
    if (per_second < 999.5) return absl::StrFormat("%.*f%s", digits(per_second), per_second, unit);
    per_second /= 1000;
  }
  return absl::StrFormat("%.0fG", per_second);
}

// "0:20", "1:02:00".
std::string Clock(double seconds) {
  const auto total = static_cast<int64_t>(std::ceil(seconds));
  const std::string tail = absl::StrFormat("%02d", total % 60);
  if (total < 3600) return absl::StrFormat("%d:%s", total / 60, tail);
  return absl::StrFormat("%d:%02d:%s", total / 3600, total / 60 % 60, tail);
}

}  // namespace

std::string ProgressText(const ProgressFigures& figures) {
  std::string text = absl::StrFormat(
      "%d/%d games  %d%%", figures.games_done, figures.games_total,
      static_cast<int>(100 * static_cast<double>(figures.games_done) /
                       static_cast<double>(std::max<int64_t>(figures.games_total, 1))));
  const double seconds = figures.elapsed.count();
  const double games_per_s = seconds > 0 ? static_cast<double>(figures.games_now) / seconds : 0;
  if (games_per_s > 0) {
    const auto games_left = static_cast<double>(figures.games_total - figures.games_done);
    text += absl::StrFormat("  %s left", Clock(games_left / games_per_s));
  }
  if (!figures.leader.empty()) text += "  leader " + figures.leader;
  if (games_per_s > 0) {  // last: a narrow terminal cuts it off
    text += absl::StrFormat("  %s games/s  %s plies/s", Rate(games_per_s),
                            Rate(static_cast<double>(figures.plies_now) / seconds));
  }
  return text;
}

void ProgressLine::Update(const ProgressFigures& figures, TimePoint now) {
  const bool is_due = now - last_shown_ >= (columns_ ? TimePoint::duration(kTerminalPause)
                                                     : TimePoint::duration(kLinePause));
  if (!is_due && (is_visible_ || !columns_)) return;
  last_shown_ = now;
  std::string text = ProgressText(figures);
  if (columns_) {
    // A line that wraps could not be overwritten.
    text.resize(std::min(text.size(), static_cast<size_t>(std::max(*columns_ - 1, 0))));
    std::fprintf(stream_, "\r%s\x1b[K", text.c_str());
  } else {
    std::fprintf(stream_, "%s\n", text.c_str());
  }
  std::fflush(stream_);
  is_visible_ = true;
}

void ProgressLine::Clear() {
  if (!columns_ || !is_visible_) return;
  std::fputs("\r\x1b[K", stream_);
  std::fflush(stream_);
  is_visible_ = false;
}

std::optional<int> TerminalColumns(std::FILE* stream) {
  const int descriptor = fileno(stream);
  if (isatty(descriptor) == 0) return std::nullopt;
  struct winsize size {};
  const bool is_known = ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return is_known ? size.ws_col : kColumnsDefault;
}

}  // namespace triarch
