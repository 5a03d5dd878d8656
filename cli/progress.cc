#include "cli/progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string_view>

#include "absl/strings/str_format.h"
#include "core/base/counted.h"
#include "core/base/text.h"

namespace triarch {
namespace {

constexpr auto kTerminalPause = std::chrono::milliseconds(200);
constexpr auto kLinePause = std::chrono::seconds(10);

// Formats three significant digits: "8.94k", "312", "1.20M".
std::string Rate(double per_second) {
  const auto digits = [](double value) { return value < 10 ? 2 : value < 100 ? 1 : 0; };
  for (const char* unit : {"", "k", "M"}) {
    if (per_second < 999.5) return absl::StrFormat("%.*f%s", digits(per_second), per_second, unit);
    per_second /= 1000;
  }
  return absl::StrFormat("%.0fG", per_second);
}

// Returns "312 games, about 400 left".
std::string ExpectedText(const ProgressFigures& figures) {
  std::string text = Counted(figures.games_done, "game");
  const int64_t left = figures.games_total - figures.games_done;
  if (left > 0) text += absl::StrFormat(", about %d left", left);
  return text;
}

}  // namespace

std::string ClockText(double seconds) {
  const auto total = static_cast<int64_t>(std::ceil(seconds));
  const std::string tail = absl::StrFormat("%02d", total % 60);
  if (total < 3600) return absl::StrFormat("%d:%s", total / 60, tail);
  return absl::StrFormat("%d:%02d:%s", total / 3600, total / 60 % 60, tail);
}

std::string DataText(const DataFigures& data) {
  std::string text =
      absl::StrFormat("%s in %s, %.1f MB", Counted(data.samples, "sample"),
                      Counted(data.shards, "shard"), static_cast<double>(data.bytes) / 1e6);
  if (data.samples_per_second > 0) text += "  " + Rate(data.samples_per_second) + " samples/s";
  return text;
}

std::string CountText(const ProgressFigures& figures) {
  std::string text = absl::StrFormat(
      "%d/%d %s  %d%%", figures.games_done, figures.games_total, std::string(figures.unit),
      static_cast<int>(100 * static_cast<double>(figures.games_done) /
                       static_cast<double>(std::max<int64_t>(figures.games_total, 1))));
  if (!figures.stage.empty()) text = ExpectedText(figures);
  const auto games_left = static_cast<double>(figures.games_total - figures.games_done);
  if (figures.state.empty() && figures.games_per_second > 0 && games_left > 0) {
    text += absl::StrFormat("  %s left", ClockText(games_left / figures.games_per_second));
  }
  return text;
}

std::string SpeedText(const ProgressFigures& figures) {
  if (figures.games_per_second <= 0) return "";
  std::string text = Rate(figures.games_per_second) + " " + std::string(figures.unit) + "/s";
  if (figures.plies_per_second > 0) text += "  " + Rate(figures.plies_per_second) + " plies/s";
  return text;
}

std::string ProgressText(const ProgressFigures& figures) {
  std::string text = CountText(figures);
  if (!figures.state.empty()) text += "  " + figures.state;
  if (!figures.stage.empty()) text += "  " + figures.stage;
  if (!figures.leader.empty()) text += "  leader " + figures.leader;
  // A narrow terminal truncates the line.
  if (const std::string speed = SpeedText(figures); !speed.empty()) text += "  " + speed;
  return text;
}

void ProgressLine::Update(const ProgressFigures& figures, TimePoint now) {
  const bool is_due = now - last_shown_ >= (columns_ ? TimePoint::duration(kTerminalPause)
                                                     : TimePoint::duration(kLinePause));
  if (!is_due && (is_visible_ || !columns_)) return;
  last_shown_ = now;
  std::string text = PrintableLine(ProgressText(figures));
  if (columns_) {
    // A wrapped line could not be overwritten.
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

std::optional<TerminalSize> SizeOfTerminal(std::FILE* stream) {
  const int descriptor = fileno(stream);
  const char* const terminal = std::getenv("TERM");
  if (isatty(descriptor) == 0 || terminal == nullptr || std::string_view(terminal) == "dumb") {
    return std::nullopt;
  }
  TerminalSize size;
  struct winsize known {};
  if (ioctl(descriptor, TIOCGWINSZ, &known) == 0 && known.ws_col > 0 && known.ws_row > 0) {
    size = {.columns = known.ws_col, .rows = known.ws_row};
  }
  return size;
}

std::optional<int> TerminalColumns(std::FILE* stream) {
  const std::optional<TerminalSize> size = SizeOfTerminal(stream);
  if (!size) return std::nullopt;
  return size->columns;
}

}  // namespace triarch
