#include "cli/cluster/watch_screen.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "absl/strings/str_format.h"
#include "coordinator/ratings/display_width.h"
#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/record/tournament_state.h"

namespace triarch {
namespace {

constexpr size_t kBarMax = 40;
constexpr size_t kBarMin = 10;

// Leaves the last column free: after a full line, terminals disagree about the cursor's position.
size_t WidthOf(TerminalSize size) { return static_cast<size_t>(std::max(size.columns - 1, 1)); }

// Cuts a line to the width. What could control the terminal is escaped before.
std::string Cut(std::string_view text, size_t width) {
  const std::string line = PrintableLine(text);
  std::string cut;
  for (const Glyph& glyph : Glyphs(line)) {
    if (glyph.width > width) break;
    width -= glyph.width;
    cut += glyph.bytes;
  }
  return cut;
}

std::string BarLine(const ProgressFigures& figures, size_t width) {
  const std::string text = CountText(figures);
  const size_t room = std::min(width - std::min(width, text.size() + 4), kBarMax);
  if (room < kBarMin) return text;
  const double share = static_cast<double>(figures.games_done) /
                       static_cast<double>(std::max<int64_t>(figures.games_total, 1));
  const auto full = static_cast<size_t>(share * static_cast<double>(room));
  return "[" + std::string(full, '#') + std::string(room - full, '-') + "]  " + text;
}

std::string WorkersText(const WatchView& view) {
  if (view.workers == 0) return "no workers";
  return absl::StrFormat("%s, %d of %d slots busy", Counted(view.workers, "worker"),
                         view.busy_slots, view.slots);
}

std::string DataLine(const DataFigures& data) {
  return DataText(data) + (data.error.empty() ? "" : "  manifest error: " + data.error);
}

std::string StateLine(const WatchView& view) {
  if (view.is_away) {
    std::string text =
        absl::StrFormat("no coordinator for %s, retrying", ClockText(view.away_seconds));
    if (!view.away_why.empty()) text += ": " + view.away_why;
    return text;
  }
  std::string text = view.state;
  if (view.state == ToString(TournamentState::kPaused)) {
    text += absl::StrFormat(" (triarch resume %d)", view.id);
  }
  if (!view.refusal.empty()) return text + "  " + view.refusal;
  if (const std::string speed = SpeedText(view.figures); !speed.empty()) text += "  " + speed;
  return text + "  " + WorkersText(view);
}

}  // namespace

std::string RefusalText(const std::vector<std::string>& refusals) {
  if (refusals.empty()) return "";
  std::string text = "no worker can play it: " + refusals[0];
  if (refusals.size() > 1) text += absl::StrFormat("; %d more", refusals.size() - 1);
  return text;
}

std::vector<std::string> WatchBar(const WatchView& view, TerminalSize size) {
  const size_t width = WidthOf(size);
  if (view.state.empty()) return {Cut(StateLine(view), width)};
  std::vector<std::string> lines = {Cut(BarLine(view.figures, width), width),
                                    Cut(StateLine(view), width)};
  if (view.data) lines.push_back(Cut(DataLine(*view.data), width));
  return lines;
}

std::vector<std::string> WatchLines(const WatchView& view, TerminalSize size) {
  std::vector<std::string> lines = WatchBar(view, size);
  if (!view.standings.empty()) {
    lines.emplace_back();
    for (const std::string_view line : Split(Trim(view.standings), '\n')) {
      lines.push_back(Cut(line, WidthOf(size)));
    }
  }
  const auto rows = static_cast<size_t>(std::max(size.rows - 1, 1));
  if (lines.size() <= rows) return lines;
  const size_t hidden = lines.size() - rows + 1;
  lines.resize(rows);
  if (rows > 2) lines.back() = Cut("… " + Counted(hidden, "more line"), WidthOf(size));
  return lines;
}

void LiveLines::Draw(const std::vector<std::string>& lines, TerminalSize size) {
  std::string text = "\r";
  if (drawn_ > 0 && size != size_) {
    text = "\x1b[H\x1b[2J";  // terminals differ in where the lines are now
  } else if (drawn_ > 0) {
    text = absl::StrFormat("\r\x1b[%dA", drawn_);
  }
  for (const std::string& line : lines) text += line + "\x1b[K\n";
  text += "\x1b[J";
  std::fwrite(text.data(), 1, text.size(), stream_);
  std::fflush(stream_);
  size_ = size;
  drawn_ = lines.size();
}

}  // namespace triarch
