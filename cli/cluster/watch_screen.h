// Lays out what `triarch watch` shows on a terminal.

#ifndef TRIARCH_CLI_CLUSTER_WATCH_SCREEN_H_
#define TRIARCH_CLI_CLUSTER_WATCH_SCREEN_H_

#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "cli/progress.h"

namespace triarch {

struct WatchView {
  int64_t id = 0;
  ProgressFigures figures;
  std::string state;    // "active", "paused", "cancelled", "done"; empty if unknown
  int64_t workers = 0;  // alive
  int64_t slots = 0;    // of these workers
  int64_t busy_slots = 0;
  std::string refusal;   // why no worker can play the tournament; empty if one can
  bool is_away = false;  // no coordinator answers
  double away_seconds = 0;
  std::string away_why;
  std::optional<DataFigures> data;  // only for self-play
  std::string standings;            // output of `triarch standings`; empty if unknown
};

// Combines workers' refusals: "no worker can play it: w1: no python3; 2 more". Returns "" if there
// are no refusals.
std::string RefusalText(const std::vector<std::string>& refusals);

// Returns the lines of WatchBar and the standings. Every line is narrower than the terminal, and
// there is at least one line fewer than the terminal has rows.
std::vector<std::string> WatchLines(const WatchView& view, TerminalSize size);
// Returns the progress bar, a line with the speed or the problem and, for self-play, a line about
// the data. If nothing is known yet, returns only the problem.
std::vector<std::string> WatchBar(const WatchView& view, TerminalSize size);

// Draws lines at the bottom of a terminal and updates them in place. The cursor stays below them.
class LiveLines {
 public:
  explicit LiveLines(std::FILE* stream) : stream_(stream) {}

  // Replaces the previously drawn lines. Requires: WatchLines or WatchBar made `lines` for `size`.
  void Draw(const std::vector<std::string>& lines, TerminalSize size);

 private:
  std::FILE* const stream_;
  TerminalSize size_;
  size_t drawn_ = 0;
};

}  // namespace triarch

#endif  // TRIARCH_CLI_CLUSTER_WATCH_SCREEN_H_
