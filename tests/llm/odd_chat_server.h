#ifndef TRIARCH_TESTS_LLM_ODD_CHAT_SERVER_H_
#define TRIARCH_TESTS_LLM_ODD_CHAT_SERVER_H_

#include <atomic>
#include <chrono>
#include <functional>
#include <list>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "core/base/mutex.h"

namespace triarch {

// A chat endpoint on a free port of 127.0.0.1 that sends whatever bytes the test wants, at whatever
// pace. Each connection has one request.
class OddChatServer {
 public:
  struct Request {
    std::string head;  // "POST /v1/chat/completions HTTP/1.1\r\n…"
    std::string body;
    int64_t number = 0;  // from 0
  };
  struct Reply {
    std::string bytes;                  // of the response, with its head
    std::chrono::milliseconds delay{};  // before the first of them
    std::chrono::milliseconds drip{};   // between each of them; 0: all at once
    bool is_left_open = false;          // then; else the connection ends
  };
  using Handler = std::function<Reply(const Request&)>;

  // The handler is called by many threads, one call at a time.
  explicit OddChatServer(Handler handler);
  ~OddChatServer();
  OddChatServer(const OddChatServer&) = delete;
  OddChatServer& operator=(const OddChatServer&) = delete;

  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_) + "/v1"; }
  int64_t requests() const { return requests_.load(); }

 private:
  void Accept();
  void Serve(int fd);
  bool WaitReadable(int fd);
  bool Pause(std::chrono::milliseconds time);
  void Send(int fd, const Reply& reply);

  const Handler handler_;
  int listener_ = -1;
  int port_ = 0;
  std::atomic<bool> is_ending_ = false;
  std::atomic<int64_t> requests_ = 0;
  Mutex mutex_;  // one call of the handler
  std::list<std::jthread> connections_;
  std::jthread acceptor_;  // last: it uses all of the above
};

// A response with that status and body; `head` are more lines of its head, each with its "\r\n".
std::string HttpText(int status, std::string_view body, std::string_view head = "");
// The body of a completion in which the model says that.
std::string ChatBody(std::string_view content);
// A response with it.
std::string ChatText(std::string_view content);

// The legal moves that the last prompt in a request's body lists.
std::vector<std::string> LegalMovesIn(std::string_view body);

}  // namespace triarch

#endif  // TRIARCH_TESTS_LLM_ODD_CHAT_SERVER_H_
