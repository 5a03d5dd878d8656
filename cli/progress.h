// Formats and shows the progress of a tournament.

#ifndef TRIARCH_CLI_PROGRESS_H_
#define TRIARCH_CLI_PROGRESS_H_

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

namespace triarch {

struct ProgressFigures {
  int64_t games_done = 0;  // including earlier runs
  int64_t games_total = 0;
  double games_per_second = 0;
  double plies_per_second = 0;  // 0 if unknown
  std::string state;            // "paused"; empty during play
  std::string leader;           // "p3 81%": most points per game; empty before the first game
  // Where the results decide when the tournament ends: how far it is, as in "round 2 of 5".
  // `games_total` is then the expected number, or `games_done` if that is unknown.
  std::string stage = {};
  std::string_view unit = "games";  // what is counted
};

// The recorded self-play data.
struct DataFigures {
  int64_t shards = 0;
  int64_t samples = 0;
  int64_t bytes = 0;              // total size of all shards
  double samples_per_second = 0;  // recently
  std::string error = {};         // why the manifest cannot be written; empty if it can
};

// Returns "2401234 samples in 12 shards, 123.4 MB  1.20k samples/s", without the rate if it is 0.
std::string DataText(const DataFigures& data);

// Returns "312/600 games  52%  0:20 left  leader p3 81%  15.0 games/s  6.00k plies/s"
std::string ProgressText(const ProgressFigures& figures);

// Return parts of it: "312/600 games  52%  0:20 left", and "15.0 games/s  6.00k plies/s" or ""
// while nothing is played.
std::string CountText(const ProgressFigures& figures);
std::string SpeedText(const ProgressFigures& figures);
// Returns "0:20" or "1:02:00".
std::string ClockText(double seconds);

// Shows progress on a stream: on a terminal one line that is updated, elsewhere a new line every 10
// s.
class ProgressLine {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  // `columns` is the width of the terminal, or nullopt if the stream is not a terminal.
  ProgressLine(std::FILE* stream, std::optional<int> columns, TimePoint now)
      : stream_(stream), columns_(columns), last_shown_(now) {}
  ~ProgressLine() { Clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // Cheap unless a new line is due.
  void Update(const ProgressFigures& figures, TimePoint now);
  // Removes the line; call it before writing anything else to the terminal.
  void Clear();

 private:
  std::FILE* const stream_;
  const std::optional<int> columns_;
  TimePoint last_shown_;
  bool is_visible_ = false;
};

struct TerminalSize {
  int columns = 80;
  int rows = 24;
  bool operator==(const TerminalSize&) const = default;
};
// Returns the size of the stream's terminal, or nullopt if it is not a terminal that can move its
// cursor.
std::optional<TerminalSize> SizeOfTerminal(std::FILE* stream);
std::optional<int> TerminalColumns(std::FILE* stream);

}  // namespace triarch

#endif  // TRIARCH_CLI_PROGRESS_H_
