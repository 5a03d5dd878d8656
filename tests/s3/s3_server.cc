#include "tests/s3/s3_server.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "core/base/check.h"

namespace triarch {

S3Server::S3Server() {
  int ends[2];
  CHECK(pipe(ends) == 0);
  const std::string script = TRIARCH_S3_SERVER;
  process_ = fork();
  if (process_ == 0) {
    // The server stops as soon as its test has ended.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
    execl(script.c_str(), script.c_str(), folder_.path().c_str(), nullptr);
    _exit(127);
  }
  CHECK(process_ > 0);
  close(ends[1]);
  std::FILE* const output = fdopen(ends[0], "r");
  if (std::fscanf(output, "%d", &port_) != 1) {
    std::fprintf(stderr, "the test's S3 server: %s did not start\n", script.c_str());
    std::abort();
  }
  std::fclose(output);
}

S3Server::~S3Server() {
  kill(process_, SIGKILL);
  waitpid(process_, nullptr, 0);
}

}  // namespace triarch
