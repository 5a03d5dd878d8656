#include "tests/e2e/binary_runner.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <sstream>

namespace triarch {
namespace {

std::vector<char*> Pointers(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

std::vector<std::string> Environment() {
  std::vector<std::string> kept;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    if (!text.starts_with("NO_COLOR=") && !text.starts_with("TERM=")) kept.emplace_back(text);
  }
  return kept;
}

int WaitFor(pid_t process) {
  int status = 0;
  while (waitpid(process, &status, 0) < 0) {
    if (errno != EINTR) return -1;
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

Ran RunProgram(const std::string& program, const std::vector<std::string>& arguments,
               std::string_view input) {
  const TemporaryFolder folder;
  const std::string in = folder / "in";
  const std::string out = folder / "out";
  const std::string err = folder / "err";
  WriteWholeFile(in, input);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  const int created = O_WRONLY | O_CREAT | O_TRUNC;
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, in.c_str(), O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, out.c_str(), created, 0600);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, err.c_str(), created, 0600);
  std::vector<std::string> words = {program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<std::string> environment = Environment();
  pid_t process = 0;
  const int error = posix_spawn(&process, program.c_str(), &files, nullptr, Pointers(words).data(),
                                Pointers(environment).data());
  posix_spawn_file_actions_destroy(&files);
  EXPECT_EQ(error, 0) << "cannot start " << program;
  if (error != 0) return {};
  const int exit_code = WaitFor(process);
  return {exit_code, ReadWholeFile(out), ReadWholeFile(err)};
}

std::string ReadWholeFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << "cannot read " << path;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

void WriteWholeFile(const std::string& path, std::string_view text) {
  std::ofstream file(path, std::ios::binary);
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  EXPECT_TRUE(file.flush()) << "cannot write " << path;
}

}  // namespace triarch
