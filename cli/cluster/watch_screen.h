#ifndef TRIARCH_CLI_CLUSTER_WATCH_SCREEN_H_
#define TRIARCH_CLI_CLUSTER_WATCH_SCREEN_H_

#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "cli/tournament/progress.h"

// What `triarch watch` shows on a terminal.
namespace triarch {

struct WatchView {
  int64_t id = 0;
  ProgressFigures figures;
  std::string state;    // "active", "paused", "cancelled", "done"; empty if not known yet
  int64_t workers = 0;  // alive
  int64_t slots = 0;    // theirs
  int64_t busy_slots = 0;
  std::string refusal;   // why no worker can play it; empty if one may
  bool is_away = false;  // no coordinator can be asked
  double away_seconds = 0;
  std::string away_why;
  std::optional<DataFigures> data;  // of self-play
  std::string standings;            // as `triarch standings` prints them; empty if not known yet
};

// Why no worker can play a tournament, of the lines for each: "no worker can play it: w1: no
// python3; 2 more"; empty if there are none.
std::string RefusalText(const std::vector<std::string>& refusals);

// The bar, how fast it goes or what is the matter, and beneath it the standings; no line as wide as
// the terminal, and at least one line fewer than it has.
std::vector<std::string> WatchLines(const WatchView& view, TerminalSize size);
// Of them the first two, of self-play three; only what is the matter if nothing is known yet.
std::vector<std::string> WatchBar(const WatchView& view, TerminalSize size);

// Lines at the bottom of a terminal that change in place. The cursor stays below them.
class LiveLines {
 public:
  explicit LiveLines(std::FILE* stream) : stream_(stream) {}

  // Instead of the lines drawn before. Requires: as WatchLines makes them for `size`.
  void Draw(const std::vector<std::string>& lines, TerminalSize size);

 private:
  std::FILE* const stream_;
  TerminalSize size_;
  size_t drawn_ = 0;
};

}  // namespace triarch

#endif  // TRIARCH_CLI_CLUSTER_WATCH_SCREEN_H_
