// A chat endpoint that sends whatever bytes a test wants, at any pace.

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

// Listens on a free port of 127.0.0.1. Each connection carries one request.
class OddChatServer {
 public:
  struct Request {
    std::string head;  // "POST /v1/chat/completions HTTP/1.1\r\n…"
    std::string body;
    int64_t number = 0;  // counts from 0
  };
  struct Reply {
    std::string bytes;                  // the response, including its head
    std::chrono::milliseconds delay{};  // before the first byte
    std::chrono::milliseconds drip{};   // between two bytes; 0 sends all at once
    bool is_left_open = false;          // keep the connection open afterwards
  };
  using Handler = std::function<Reply(const Request&)>;

  // Many threads call the handler, but only one at a time.
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
  Mutex mutex_;  // held while the handler runs
  std::list<std::jthread> connections_;
  std::jthread acceptor_;  // declared last, because it uses all other members
};

// Returns a response. `head` holds additional header lines, each ending in "\r
// ".
std::string HttpText(int status, std::string_view body, std::string_view head = "");
// Returns the body of a completion with that text.
std::string ChatBody(std::string_view content);
// Returns a complete response with that text.
std::string ChatText(std::string_view content);

// Returns the legal moves listed in the last prompt of a request's body.
std::vector<std::string> LegalMovesIn(std::string_view body);

}  // namespace triarch

#endif  // TRIARCH_TESTS_LLM_ODD_CHAT_SERVER_H_
