// Implements an accepted HTTP connection with one deadline for all its reads and writes.

#ifndef TRIARCH_HTTP_HTTP_CONNECTION_H_
#define TRIARCH_HTTP_HTTP_CONNECTION_H_

#include <atomic>
#include <chrono>
#include <string>

#include "httplib.h"

namespace triarch {

// A peer that occasionally sends a byte holds a thread no longer than a silent one. (The library's
// own stream restarts its timeout with each byte, and its select() fails from descriptor 1024 on.)
class HttpConnection final : public httplib::Stream {
 public:
  // Takes ownership of `socket`. Gives up as soon as `is_ending` becomes true; it must outlive this
  // object.
  HttpConnection(int socket, std::chrono::milliseconds timeout, const std::atomic<bool>* is_ending);
  ~HttpConnection() override;
  HttpConnection(const HttpConnection&) = delete;
  HttpConnection& operator=(const HttpConnection&) = delete;

  // Shuts down the sending side and drains the input, so that the peer can read the response:
  // closing with unread bytes would reset the connection.
  void Finish();

  bool is_readable() const override;
  bool is_writable() const override;
  ssize_t read(char* data, size_t size) override;
  ssize_t write(const char* data, size_t size) override;
  // Only the library's log calls this, and it is disabled.
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
