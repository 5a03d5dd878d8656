// A real S3 server (s3rver, from npm) for tests.

#ifndef TRIARCH_TESTS_S3_S3_SERVER_H_
#define TRIARCH_TESTS_S3_S3_SERVER_H_

#include <sys/types.h>

#include <string>

#include "core/base/temporary_folder.h"

namespace triarch {

// Runs in a temporary folder on a free port of 127.0.0.1, with the bucket "games". It ends with
// this object and with the process, however that ends. Aborts the process if the server cannot be
// started. Starting takes about a second.
class S3Server {
 public:
  S3Server();
  ~S3Server();
  S3Server(const S3Server&) = delete;
  S3Server& operator=(const S3Server&) = delete;

  // Its only access key, which is also the secret.
  static constexpr const char* kKey = "S3RVER";

  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }

 private:
  TemporaryFolder folder_;
  pid_t process_ = 0;
  int port_ = 0;
};

}  // namespace triarch

#endif  // TRIARCH_TESTS_S3_S3_SERVER_H_
