// The `triarch` of a package for x86: starts the build that fits the processor. Copies of the whole
// program cost only disk space, while choosing inside it would slow down every inlined function.

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>

int main(int /*argc*/, char** argv) {
  // For tests and bug reports: "x86-64-v2" or "x86-64-v3".
  const char* level = std::getenv("TRIARCH_CPU");
  if (level == nullptr) {
    if (!__builtin_cpu_supports("x86-64-v2")) {
      std::fputs("error: this processor is too old: Triarch needs x86-64-v2 (SSE 4.2, POPCNT)\n",
                 stderr);
      return 1;
    }
    level = __builtin_cpu_supports("x86-64-v3") ? "x86-64-v3" : "x86-64-v2";
  }
  std::error_code error;
  std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) self = "/usr/bin/triarch";  // /proc is not mounted
  const std::string program =
      self.parent_path().parent_path() / "libexec/triarch" / (std::string("triarch-") + level);
  execv(program.c_str(), argv);
  std::fprintf(stderr, "error: cannot start %s: %s\n", program.c_str(), std::strerror(errno));
  return 1;
}
