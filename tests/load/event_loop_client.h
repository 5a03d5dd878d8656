// Sends HTTP requests and reads WebSockets from one thread, cheaply enough to load a server that
// shares the machine.

#ifndef TRIARCH_TESTS_LOAD_EVENT_LOOP_CLIENT_H_
#define TRIARCH_TESTS_LOAD_EVENT_LOOP_CLIENT_H_

#include <netinet/in.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace triarch {

using LoadClock = std::chrono::steady_clock;

// Waits for sockets and times.
class LoadLoop {
 public:
  // A socket; the loop deletes it when `OnReady` returns false.
  class Socket {
   public:
    explicit Socket(int fd) : fd_(fd) {}
    virtual ~Socket();
    Socket(const Socket&) = delete;
    Socket& operator=(const Socket&) = delete;
    int fd() const { return fd_; }
    virtual bool OnReady(bool can_write) = 0;

   private:
    int fd_;
  };

  // `port` is that of a server on loopback.
  explicit LoadLoop(uint16_t port);
  ~LoadLoop();

  // Begins to connect, and returns the socket's number; exits if there are no sockets left.
  int Connect() const;
  void Add(std::unique_ptr<Socket> socket);
  void At(LoadClock::time_point time, std::function<void()> due);
  void After(std::chrono::milliseconds time, std::function<void()> due) {
    At(LoadClock::now() + time, std::move(due));
  }
  // Runs until that time, or until Stop.
  void RunUntil(LoadClock::time_point time);
  void Stop() { is_stopped_ = true; }

 private:
  const int epoll_;
  sockaddr_in server_{};
  bool is_stopped_ = false;
  std::map<int, std::unique_ptr<Socket>> sockets_;
  std::multimap<LoadClock::time_point, std::function<void()>> timers_;
};

// A response to a request on a connection of its own.
struct LoadResponse {
  int status = 0;  // 0: the connection failed
  std::string body;
  LoadClock::duration took{};  // since the connection was begun
};

// Sends a request; `token` and `body` may be empty.
void SendRequest(LoadLoop& loop, std::string_view method, std::string_view path,
                 std::string_view token, std::string_view body,
                 std::function<void(const LoadResponse&)> done);

// Opens a WebSocket and calls `message` for each text; `closed` when it ends.
void OpenLoadSocket(LoadLoop& loop, std::string_view path,
                    std::function<void(std::string_view)> message, std::function<void()> closed);

}  // namespace triarch

#endif  // TRIARCH_TESTS_LOAD_EVENT_LOOP_CLIENT_H_
