#include "tests/fault/started_program.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <thread>

namespace triarch {
namespace {

constexpr auto kPollPause = std::chrono::milliseconds(1);

}  // namespace

StartedProgram::StartedProgram(const std::string& program,
                               const std::vector<std::string>& arguments) {
  std::vector<std::string> words = {program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  WriteWholeFile(folder_ / "err", "");
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  const int created = O_WRONLY | O_CREAT | O_TRUNC;
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, (folder_ / "out").c_str(), created, 0600);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, (folder_ / "err").c_str(), created, 0600);
  const int error =
      posix_spawn(&process_, program.c_str(), &files, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  EXPECT_EQ(error, 0) << "cannot start " << program;
  has_ended_ = error != 0;
}

StartedProgram::~StartedProgram() {
  if (has_ended_) return;
  Signal(SIGKILL);
  Wait();
}

void StartedProgram::Signal(int signal_number) { kill(process_, signal_number); }

bool StartedProgram::EndsWithin(std::chrono::milliseconds time) {
  const auto deadline = std::chrono::steady_clock::now() + time;
  while (!has_ended_) {
    int status = 0;
    if (waitpid(process_, &status, WNOHANG) == process_) {
      has_ended_ = true;
      exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    } else if (std::chrono::steady_clock::now() >= deadline) {
      return false;
    } else {
      std::this_thread::sleep_for(kPollPause);
    }
  }
  return true;
}

bool StartedProgram::WaitForError(std::string_view text) {
  while (ReadWholeFile(folder_ / "err").find(text) == std::string::npos) {
    if (EndsWithin(kPollPause)) return false;
  }
  return true;
}

Ran StartedProgram::Wait() {
  while (!EndsWithin(std::chrono::hours(1))) {
  }
  return {exit_code_, ReadWholeFile(folder_ / "out"), ReadWholeFile(folder_ / "err")};
}

}  // namespace triarch
