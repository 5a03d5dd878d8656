#ifndef TRIARCH_TESTS_S3_S3_SERVER_H_
#define TRIARCH_TESTS_S3_S3_SERVER_H_

#include <sys/types.h>

#include <string>

#include "core/base/temporary_folder.h"

namespace triarch {

// An S3 server (s3rver, of npm) of its own in a temporary folder, on a free port of 127.0.0.1, with
// the bucket "games". It ends with this object, and with the process however that ends. The process
// ends if the server cannot be started. Making one takes about a second.
class S3Server {
 public:
  S3Server();
  ~S3Server();
  S3Server(const S3Server&) = delete;
  S3Server& operator=(const S3Server&) = delete;

  // The only one it knows, and its secret too.
  static constexpr const char* kKey = "S3RVER";

  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }

 private:
  TemporaryFolder folder_;
  pid_t process_ = 0;
  int port_ = 0;
};

}  // namespace triarch

#endif  // TRIARCH_TESTS_S3_S3_SERVER_H_
