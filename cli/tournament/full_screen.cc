#include "cli/tournament/full_screen.h"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>

#include "core/base/text.h"

namespace triarch {
namespace {

void Send(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

}  // namespace

FullScreen::FullScreen() {
  tcgetattr(STDIN_FILENO, &before_);
  termios keys = before_;
  keys.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  keys.c_cc[VMIN] = 1;
  keys.c_cc[VTIME] = 0;
  // Ctrl-Z and Ctrl-\ would leave the terminal like this.
  keys.c_cc[VSUSP] = _POSIX_VDISABLE;
  keys.c_cc[VQUIT] = _POSIX_VDISABLE;
  tcsetattr(STDIN_FILENO, TCSAFLUSH, &keys);
  Send("\x1b[?1049h\x1b[?25l");  // the alternate screen, no cursor
}

FullScreen::~FullScreen() {
  Send("\x1b[?25h\x1b[?1049l");
  tcsetattr(STDIN_FILENO, TCSAFLUSH, &before_);
}

void FullScreen::Draw(std::string_view text) {
  std::string out = "\x1b[H";
  bool is_first = true;
  for (const std::string_view line : Split(text, '\n')) {
    if (!is_first) out += "\r\n";
    is_first = false;
    out += std::string(line) + "\x1b[K";
  }
  Send(out + "\x1b[J");
}

std::optional<std::string> FullScreen::Read(std::chrono::milliseconds wait) {
  pollfd input = {.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
  const int ready = poll(&input, 1, static_cast<int>(wait.count()));
  if (ready <= 0) return "";
  std::array<char, 256> some;
  const ssize_t got = read(STDIN_FILENO, some.data(), some.size());
  if (got < 0 && errno == EINTR) return "";
  if (got <= 0) return std::nullopt;
  return std::string(some.data(), static_cast<size_t>(got));
}

}  // namespace triarch
