// Keeps the last lines that a process bot and Triarch have sent each other.

#ifndef TRIARCH_WORKER_HOST_TRANSCRIPT_H_
#define TRIARCH_WORKER_HOST_TRANSCRIPT_H_

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace triarch {

// A bot's lines in one game, each with the time since the game began. Keeps the last kLinesKept
// lines, the long ones without their middles. Cheap enough for every turn of every game.
class Transcript {
 public:
  using Clock = std::chrono::steady_clock;
  enum class Stream : uint8_t { kSent, kOutput, kErrors };
  // Receives each complete line at once.
  using Sink = std::function<void(Stream stream, std::string_view line)>;

  static constexpr size_t kLinesKept = 40;
  static constexpr size_t kLineBytesKept = 1000;

  explicit Transcript(Sink sink) : sink_(std::move(sink)) {}

  // Begins a game: forgets the lines of the last one.
  void Begin(Clock::time_point now);
  // Adds lines written to the bot. Requires: `lines` ends with a line break.
  void AddSent(std::string_view lines, Clock::time_point now);
  // Adds bytes that the bot wrote to its standard output, in chunks of any size.
  void AddReceived(std::string_view bytes, Clock::time_point now);
  // Passes bytes that the bot wrote to its standard error to the sink.
  void AddErrors(std::string_view bytes);

  // Passes unfinished lines to the sink, at the end of a game.
  void Flush();

  // Returns ">", "<" or "!".
  static char MarkOf(Stream stream) { return "><!"[static_cast<size_t>(stream)]; }

  // Returns the lines in the form of FaultReport::protocol.
  std::string Text() const;

 private:
  struct Line {
    Clock::duration time = {};
    Stream stream = Stream::kSent;
    std::string text = {};  // without its middle if the line is long
    size_t bytes = 0;       // of the whole line
  };

  void Add(Stream stream, std::string_view text, Clock::time_point now);
  static void Keep(std::string_view text, Line* line);
  static std::string Shown(const Line& line);

  const Sink sink_;  // may be null
  Clock::time_point began_ = {};
  std::array<Line, kLinesKept> lines_;  // a ring
  size_t count_ = 0;                    // lines added in this game
  std::string received_;                // an incomplete line
  std::string errors_;                  // likewise, for the sink
};

}  // namespace triarch

#endif  // TRIARCH_WORKER_HOST_TRANSCRIPT_H_
