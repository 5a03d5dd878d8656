#ifndef TRIARCH_CLI_PROGRESS_H_
#define TRIARCH_CLI_PROGRESS_H_

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>

// What a running tournament shows of itself.
namespace triarch {

struct ProgressFigures {
  int64_t games_done = 0;  // recorded, earlier runs included
  int64_t games_total = 0;
  int64_t games_now = 0;  // of this run
  int64_t plies_now = 0;
  std::chrono::duration<double> elapsed{};  // of this run
  std::string leader;  // "p3 81%": the bot with most points a game; empty before the first game
};

// "312/600 games  52%  0:20 left  leader p3 81%  15.0 games/s  6.00k plies/s"
std::string ProgressText(const ProgressFigures& figures);

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

// The width of the terminal that the stream is; empty if it is none.
std::optional<int> TerminalColumns(std::FILE* stream);

}  // namespace triarch

#endif  // TRIARCH_CLI_PROGRESS_H_
