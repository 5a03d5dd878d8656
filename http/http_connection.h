#ifndef TRIARCH_HTTP_HTTP_CONNECTION_H_
#define TRIARCH_HTTP_HTTP_CONNECTION_H_

#include <atomic>
#include <chrono>
#include <string>

#include "httplib.h"

namespace triarch {

// One accepted connection, with one deadline for everything that is read and written: a peer that
// sends a byte now and then holds a thread no longer than one that sends nothing. The library's own
// stream starts its timeout again with each byte, and its select() ends at descriptor 1023.
class HttpConnection final : public httplib::Stream {
 public:
  // Owns `socket`. `is_ending`: give up at once when it becomes true; it must outlive this.
  HttpConnection(int socket, std::chrono::milliseconds timeout, const std::atomic<bool>* is_ending);
  ~HttpConnection() override;
  HttpConnection(const HttpConnection&) = delete;
  HttpConnection& operator=(const HttpConnection&) = delete;

  // Says that nothing more comes and lets the peer read that before the connection goes: closing
  // with bytes unread would reset it, and the answer be lost.
  void Finish();

  bool is_readable() const override;
  bool is_writable() const override;
  ssize_t read(char* data, size_t size) override;
  ssize_t write(const char* data, size_t size) override;
  // Asked for the log only, and there is none.
  void get_remote_ip_and_port(std::string& address, int& port) const override;
  void get_local_ip_and_port(std::string& address, int& port) const override;
  socket_t socket() const override { return socket_; }

 private:
  bool WaitFor(short events) const;

  const int socket_;
  const std::chrono::steady_clock::time_point deadline_;
  const std::atomic<bool>* const is_ending_;
};

}  // namespace triarch

#endif  // TRIARCH_HTTP_HTTP_CONNECTION_H_
