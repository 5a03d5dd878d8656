#ifndef TRIARCH_CLI_TOURNAMENT_PROGRESS_H_
#define TRIARCH_CLI_TOURNAMENT_PROGRESS_H_

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>

// What a running tournament shows of itself.
namespace triarch {

struct ProgressFigures {
  int64_t games_done = 0;  // earlier runs included
  int64_t games_total = 0;
  double games_per_second = 0;
  double plies_per_second = 0;  // 0: not known
  std::string state;            // "paused"; empty while it is played
  std::string leader;  // "p3 81%": the bot with most points a game; empty before the first game
};

// What self-play has recorded.
struct DataFigures {
  int64_t shards = 0;
  int64_t samples = 0;
  int64_t bytes = 0;              // of the shards' files
  double samples_per_second = 0;  // of late
  std::string error = {};         // why their manifest cannot be written; empty if it can
};

// "2401234 samples in 12 shards, 123.4 MB", and while they are made "  1.20k samples/s"
std::string DataText(const DataFigures& data);

// "312/600 games  52%  0:20 left  leader p3 81%  15.0 games/s  6.00k plies/s"
std::string ProgressText(const ProgressFigures& figures);

// The parts of it. How far: "312/600 games  52%  0:20 left".
std::string FarText(const ProgressFigures& figures);
// How fast: "15.0 games/s  6.00k plies/s"; empty while nothing is played.
std::string FastText(const ProgressFigures& figures);
// "0:20", "1:02:00".
std::string ClockText(double seconds);

// Shows progress on a stream: on a terminal one line that changes, else a line now and then.
class ProgressLine {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  // `columns`: the width of the terminal; empty if the stream is none.
  ProgressLine(std::FILE* stream, std::optional<int> columns, TimePoint now)
      : stream_(stream), columns_(columns), last_shown_(now) {}
  ~ProgressLine() { Clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // Cheap where nothing is to be shown yet.
  void Update(const ProgressFigures& figures, TimePoint now);
  // Before something else is written to the terminal.
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
// Of the terminal that the stream is; empty if it is none, or one that cannot move its cursor.
std::optional<TerminalSize> SizeOfTerminal(std::FILE* stream);
std::optional<int> TerminalColumns(std::FILE* stream);

}  // namespace triarch

#endif  // TRIARCH_CLI_TOURNAMENT_PROGRESS_H_
