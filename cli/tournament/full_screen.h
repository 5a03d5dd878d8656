// Takes over a terminal for a program that draws the whole screen and reads single keys.

#ifndef TRIARCH_CLI_TOURNAMENT_FULL_SCREEN_H_
#define TRIARCH_CLI_TOURNAMENT_FULL_SCREEN_H_

#include <termios.h>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace triarch {

// Uses standard input and output, which must be a terminal. During an object's lifetime, the
// alternate screen is shown and keys are read without echo. Ctrl-C still sends its signal.
class FullScreen {
 public:
  FullScreen();
  // Restores the terminal and what it showed.
  ~FullScreen();
  FullScreen(const FullScreen&) = delete;
  FullScreen& operator=(const FullScreen&) = delete;

  // Replaces what is shown. The text has at most as many lines as the screen
  // and does not end with a line break.
  void Draw(std::string_view text);
  // Returns the bytes of typed keys; "" if none came in this time or a signal did, and nullopt if
  // the terminal is gone.
  std::optional<std::string> Read(std::chrono::milliseconds wait);

 private:
  termios before_{};
};

}  // namespace triarch

#endif  // TRIARCH_CLI_TOURNAMENT_FULL_SCREEN_H_
