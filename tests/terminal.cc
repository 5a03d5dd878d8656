#include "tests/terminal.h"

#include <gtest/gtest.h>
#include <pty.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

namespace triarch {
namespace {

struct winsize WindowSize(int columns, int rows) {
  struct winsize size {};
  size.ws_col = static_cast<unsigned short>(columns);
  size.ws_row = static_cast<unsigned short>(rows);
  return size;
}

size_t LengthOf(char lead) {
  const auto byte = static_cast<unsigned char>(lead);
  return byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
}

}  // namespace

Terminal::Terminal(const std::vector<std::string>& arguments, int columns, int rows)
    : columns_(static_cast<size_t>(columns)), screen_(static_cast<size_t>(rows)) {
  // Allocate everything before the fork, because other threads may hold locks then.
  std::vector<std::string> words = {TRIARCH_SETPRIV, "--pdeathsig", "KILL", TRIARCH_BINARY};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  std::array<char, 12> term = {"TERM=xterm"};
  std::array<char*, 2> environment = {term.data(), nullptr};
  struct winsize size = WindowSize(columns, rows);
  process_ = forkpty(&descriptor_, nullptr, nullptr, &size);
  if (process_ == 0) {
    execve(pointers[0], pointers.data(), environment.data());
    _exit(127);
  }
  EXPECT_GT(process_, 0);
  reader_ = std::thread([this] { Read(); });
}

Terminal::~Terminal() {
  if (exit_code_ >= 0) return;
  kill(process_, SIGKILL);
  Wait();
}

void Terminal::Type(const std::string& keys) {
  EXPECT_EQ(write(descriptor_, keys.data(), keys.size()), static_cast<ssize_t>(keys.size()));
}

void Terminal::Signal(int number) { EXPECT_EQ(kill(process_, number), 0); }

// Like xterm, does not rewrap lines.
void Terminal::Resize(int columns, int rows) {
  {
    MutexLock lock(&mutex_);
    columns_ = static_cast<size_t>(columns);
    screen_.resize(static_cast<size_t>(rows));
    for (Line& line : screen_) line.resize(std::min(line.size(), columns_));
    row_ = std::min(row_, screen_.size() - 1);
    column_ = std::min(column_, columns_ - 1);
  }
  struct winsize size = WindowSize(columns, rows);
  EXPECT_EQ(ioctl(descriptor_, TIOCSWINSZ, &size), 0);
}

std::string Terminal::Screen() const {
  MutexLock lock(&mutex_);
  std::string text;
  for (const Line& line : screen_) {
    for (const std::string& character : line) text += character;
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  }
  text.erase(text.find_last_not_of('\n') + 1);
  return text + '\n';
}

bool Terminal::is_alternate() const {
  MutexLock lock(&mutex_);
  return is_alternate_;
}

bool Terminal::is_cooked() const {
  if (exit_code_ >= 0) return was_cooked_;
  termios modes{};
  EXPECT_EQ(tcgetattr(descriptor_, &modes), 0);
  return (modes.c_lflag & ICANON) != 0 && (modes.c_lflag & ECHO) != 0;
}

int Terminal::Wait() {
  if (reader_.joinable()) reader_.join();
  int status = 0;
  waitpid(process_, &status, 0);
  was_cooked_ = is_cooked();
  close(descriptor_);
  exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return exit_code_;
}

// Runs until the program ends, when reading from its terminal fails.
void Terminal::Read() {
  std::array<char, 65536> some;
  while (true) {
    const ssize_t got = read(descriptor_, some.data(), some.size());
    if (got <= 0) return;
    MutexLock lock(&mutex_);
    Take(std::string(some.data(), static_cast<size_t>(got)));
  }
}

void Terminal::Take(const std::string& text) {
  rest_ += text;
  while (!rest_.empty()) {
    size_t length = LengthOf(rest_[0]);
    if (rest_[0] == '\x1b') {
      const size_t end = rest_.find_first_not_of("[0123456789;?", 1);
      if (end == std::string::npos) return;
      length = end + 1;
      const size_t number = rest_.find_first_of("0123456789");
      Obey(rest_[end], number < end ? static_cast<size_t>(std::atoi(rest_.c_str() + number)) : 0);
    } else if (rest_[0] == '\n') {
      NewLine();
    } else if (rest_[0] == '\r') {
      column_ = 0;
    } else if (rest_.size() < length) {
      return;
    } else {
      Put(rest_.substr(0, length));
    }
    rest_.erase(0, length);
  }
}

void Terminal::Put(const std::string& character) {
  if (column_ == columns_) {
    column_ = 0;
    NewLine();
  }
  Line& line = screen_[row_];
  line.resize(std::max(line.size(), column_ + 1), " ");
  line[column_++] = character;
}

// Knows the modes "cursor is visible", which changes nothing here, and "alternate screen".
void Terminal::SetMode(bool is_on, size_t number) {
  if (number == 25) return;
  if (number != 1049 || is_on == is_alternate_) ADD_FAILURE() << "mode " << number;
  is_alternate_ = is_on;
  std::swap(screen_, hidden_);
  screen_.resize(std::max(screen_.size(), hidden_.size()));
  if (is_on) std::fill(screen_.begin(), screen_.end(), Line{});
}

void Terminal::Obey(char command, size_t number) {
  if (command == 'A') {
    row_ -= std::min(row_, std::max<size_t>(number, 1));
  } else if (command == 'H') {
    row_ = column_ = 0;
  } else if (command == 'K') {
    screen_[row_].resize(std::min(screen_[row_].size(), column_));
  } else if (command == 'J') {
    const size_t first = number == 2 ? 0 : row_ + 1;
    for (size_t row = first; row < screen_.size(); ++row) screen_[row].clear();
    if (number != 2) screen_[row_].resize(std::min(screen_[row_].size(), column_));
  } else if (command == 'h' || command == 'l') {
    SetMode(command == 'h', number);
  } else if (command != 'm') {  // colours
    ADD_FAILURE() << "an unknown escape sequence: " << command;
  }
}

void Terminal::NewLine() {
  if (row_ + 1 < screen_.size()) {
    ++row_;
    return;
  }
  screen_.erase(screen_.begin());
  screen_.emplace_back();
}

}  // namespace triarch
