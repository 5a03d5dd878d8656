#include "tests/llm/odd_chat_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "core/base/check.h"
#include "core/base/text.h"

namespace triarch {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kLook{10};

// Returns the request once it is complete.
std::optional<OddChatServer::Request> ReadRequest(const std::string& bytes) {
  constexpr std::string_view kEnd = "\r\n\r\n";
  constexpr std::string_view kLength = "Content-Length: ";
  const size_t end = bytes.find(kEnd);
  if (end == std::string::npos) return std::nullopt;
  OddChatServer::Request request{.head = bytes.substr(0, end + 2), .body = {}};
  const size_t length = request.head.find(kLength);
  const size_t size =
      length == std::string::npos ? 0 : std::stoul(request.head.substr(length + kLength.size()));
  if (bytes.size() < end + kEnd.size() + size) return std::nullopt;
  request.body = bytes.substr(end + kEnd.size());
  return request;
}

bool SendAll(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(sent));
  }
  return true;
}

}  // namespace

OddChatServer::OddChatServer(Handler handler) : handler_(std::move(handler)) {
  listener_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  auto* const generic = reinterpret_cast<sockaddr*>(&address);
  CHECK(bind(listener_, generic, size) == 0);
  CHECK(listen(listener_, 64) == 0);
  CHECK(getsockname(listener_, generic, &size) == 0);
  port_ = ntohs(address.sin_port);
  acceptor_ = std::jthread([this] { Accept(); });
}

OddChatServer::~OddChatServer() {
  is_ending_ = true;
  acceptor_.join();
  connections_.clear();
  close(listener_);
}

void OddChatServer::Accept() {
  while (WaitReadable(listener_)) {
    const int fd = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (fd >= 0) connections_.emplace_back([this, fd] { Serve(fd); });
  }
}

// Returns false if the server stops in the meantime.
bool OddChatServer::WaitReadable(int fd) {
  while (!is_ending_) {
    pollfd waiting{.fd = fd, .events = POLLIN, .revents = 0};
    if (poll(&waiting, 1, static_cast<int>(kLook.count())) > 0) return true;
  }
  return false;
}

bool OddChatServer::Pause(milliseconds time) {
  for (; time > milliseconds(0) && !is_ending_; time -= kLook) {
    std::this_thread::sleep_for(std::min(time, kLook));
  }
  return !is_ending_;
}

void OddChatServer::Serve(int fd) {
  std::string bytes;
  std::optional<Request> request;
  while (!request && WaitReadable(fd)) {
    char piece[65536];
    const ssize_t size = recv(fd, piece, sizeof(piece), 0);
    if (size <= 0) break;
    bytes.append(piece, static_cast<size_t>(size));
    request = ReadRequest(bytes);
  }
  if (request) {
    Reply reply;
    {
      MutexLock lock(&mutex_);
      request->number = requests_.fetch_add(1);
      reply = handler_(*request);
    }
    Send(fd, reply);
  }
  shutdown(fd, SHUT_RDWR);
  close(fd);
}

void OddChatServer::Send(int fd, const Reply& reply) {
  if (!Pause(reply.delay)) return;
  if (reply.drip == milliseconds(0)) {
    SendAll(fd, reply.bytes);
  } else {
    for (const char byte : reply.bytes) {
      if (!SendAll(fd, {&byte, 1}) || !Pause(reply.drip)) return;
    }
  }
  char ignored[1];
  while (reply.is_left_open && WaitReadable(fd) && recv(fd, ignored, 1, 0) > 0) {
  }
}

std::string HttpText(int status, std::string_view body, std::string_view head) {
  return "HTTP/1.1 " + std::to_string(status) + " Odd\r\nContent-Type: application/json\r\n" +
         std::string(head) + "Content-Length: " + std::to_string(body.size()) +
         "\r\nConnection: close\r\n\r\n" + std::string(body);
}

std::string ChatBody(std::string_view content) {
  const nlohmann::json message = {{"role", "assistant"}, {"content", std::string(content)}};
  nlohmann::json body;
  body["choices"] = {{{"index", 0}, {"message", message}, {"finish_reason", "stop"}}};
  return body.dump();
}

std::string ChatText(std::string_view content) { return HttpText(200, ChatBody(content)); }

std::vector<std::string> LegalMovesIn(std::string_view body) {
  std::vector<std::string> moves;
  const nlohmann::json json = nlohmann::json::parse(body.begin(), body.end());
  for (const nlohmann::json& message : json.at("messages")) {
    const auto content = message.at("content").get<std::string>();
    const size_t begin = content.find("Legal moves (");
    if (begin == std::string::npos) continue;
    const size_t colon = content.find(": ", begin) + 2;
    const std::string line = content.substr(colon, content.find('\n', begin) - colon);
    moves.clear();
    for (const std::string_view move : Split(line, ' ')) moves.emplace_back(move);
  }
  return moves;
}

}  // namespace triarch
