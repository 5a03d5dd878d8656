#include "http/http_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "httplib.h"

namespace triarch {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

HttpServer::Handlers Healthy() {
  return {.metrics = [] { return std::string("triarch_slots 2\n"); },
          .is_healthy = [] { return absl::OkStatus(); },
          .is_ready = [] { return absl::UnavailableError("the store\nis away"); }};
}

std::unique_ptr<HttpServer> Started(HttpServer::Handlers handlers = Healthy()) {
  auto server = HttpServer::Start("127.0.0.1:0", std::move(handlers));
  EXPECT_TRUE(server.ok()) << server.status();
  return *std::move(server);
}

// Sends raw bytes, and reads until the server closes the connection.
class RawClient {
 public:
  explicit RawClient(int port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    is_connected_ = ::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
  }
  ~RawClient() { ::close(socket_); }
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;

  bool is_connected() const { return is_connected_; }
  void Send(const std::string& bytes) {
    (void)::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
  }
  std::string ReadAll() {
    std::string all;
    char data[4096];
    for (ssize_t got = 0; (got = ::recv(socket_, data, sizeof data, 0)) > 0;) {
      all.append(data, static_cast<size_t>(got));
    }
    return all;
  }

 private:
  const int socket_;
  bool is_connected_ = false;
};

TEST(HttpServer, ServesItsThreePages) {
  const auto server = Started();
  httplib::Client client("127.0.0.1", server->port());
  const auto metrics = client.Get("/metrics");
  ASSERT_TRUE(metrics);
  EXPECT_EQ(metrics->status, 200);
  EXPECT_EQ(metrics->body, "triarch_slots 2\n");
  EXPECT_EQ(metrics->get_header_value("Content-Type"), "text/plain; version=0.0.4; charset=utf-8");
  const auto health = client.Get("/healthz");
  ASSERT_TRUE(health);
  EXPECT_EQ(health->status, 200);
  EXPECT_EQ(health->body, "ok\n");
  const auto ready = client.Get("/readyz");
  ASSERT_TRUE(ready);
  EXPECT_EQ(ready->status, 503);
  EXPECT_EQ(ready->body, "the store is away\n");
}

TEST(HttpServer, AnswersHeadWithoutABody) {
  const auto server = Started();
  httplib::Client client("127.0.0.1", server->port());
  const auto head = client.Head("/metrics");
  ASSERT_TRUE(head);
  EXPECT_EQ(head->status, 200);
  EXPECT_EQ(head->body, "");
  EXPECT_EQ(head->get_header_value("Content-Length"), "16");
}

TEST(HttpServer, RejectsOtherPagesAndMethods) {
  const auto server = Started();
  httplib::Client client("127.0.0.1", server->port());
  for (const char* path : {"/", "/metrics/", "/metrics2", "/../etc/passwd", "/%2e%2e/x"}) {
    const auto page = client.Get(path);
    ASSERT_TRUE(page) << path;
    EXPECT_EQ(page->status, 404) << path;
    EXPECT_THAT(page->body, StartsWith("no such page")) << path;
  }
  const auto post = client.Post("/metrics", "x", "text/plain");
  ASSERT_TRUE(post);
  EXPECT_EQ(post->status, 405);
  EXPECT_EQ(post->get_header_value("Allow"), "GET, HEAD");
  EXPECT_EQ(client.Delete("/metrics")->status, 405);
  EXPECT_EQ(client.Options("/metrics")->status, 405);
}

TEST(HttpServer, RejectsALargeBodyWithoutReadingIt) {
  const auto server = Started();
  RawClient client(server->port());
  client.Send("POST /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 32768\r\n\r\n" +
              std::string(32768, 'x'));
  EXPECT_THAT(client.ReadAll(), StartsWith("HTTP/1.1 405 "));
}

TEST(HttpServer, RejectsMalformedRequests) {
  const auto server = Started();
  for (const std::string& bytes :
       {std::string("nonsense\r\n\r\n"), std::string("GET /metrics HTTP/9.9\r\n\r\n"),
        "GET /" + std::string(20'000, 'a') + " HTTP/1.1\r\n\r\n",
        "GET /metrics HTTP/1.1\r\nX: " + std::string(20'000, 'a') + "\r\n\r\n"}) {
    RawClient client(server->port());
    client.Send(bytes);
    EXPECT_THAT(client.ReadAll(), StartsWith("HTTP/1.1 4")) << bytes.substr(0, 40);
  }
  httplib::Client client("127.0.0.1", server->port());
  EXPECT_EQ(client.Get("/healthz")->status, 200);
}

TEST(HttpServer, ClosesTheConnectionAfterEachResponse) {
  const auto server = Started();
  RawClient client(server->port());
  client.Send("GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: keep-alive\r\n\r\n");
  EXPECT_THAT(client.ReadAll(), HasSubstr("Connection: close"));
}

TEST(HttpServer, SlowConnectionsDelayOthersOnlyBriefly) {
  const auto server = Started();
  std::vector<std::unique_ptr<RawClient>> slow;
  for (int i = 0; i < 8; ++i) {
    slow.push_back(std::make_unique<RawClient>(server->port()));
    slow.back()->Send("GET /healthz HT");
  }
  std::atomic<bool> is_over = false;
  // Sending a byte now and then gains no more time than sending nothing.
  std::thread dripping([&] {
    while (!is_over) {
      for (const auto& client : slow) client->Send("T");
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
  });
  httplib::Client client("127.0.0.1", server->port());
  client.set_read_timeout(std::chrono::seconds(30));
  const auto began = std::chrono::steady_clock::now();
  EXPECT_TRUE(client.Get("/healthz"));
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(8));
  is_over = true;
  dripping.join();
}

TEST(HttpServer, StopsAtOnceWithOpenConnections) {
  auto server = Started();
  std::vector<std::unique_ptr<RawClient>> open;
  for (int i = 0; i < 30; ++i) {
    open.push_back(std::make_unique<RawClient>(server->port()));
    open.back()->Send("GET /metr");
  }
  const auto began = std::chrono::steady_clock::now();
  server.reset();
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(4));
}

TEST(HttpServer, CanStopBeforeItServedAnything) {
  for (int i = 0; i < 20; ++i) Started();
}

TEST(HttpServer, ServesManyConcurrentClients) {
  std::atomic<int> calls = 0;
  HttpServer::Handlers handlers = Healthy();
  handlers.metrics = [&calls] { return std::to_string(++calls); };
  const auto server = Started(std::move(handlers));
  std::vector<std::thread> clients;
  std::atomic<int> answers = 0;
  for (int i = 0; i < 8; ++i) {
    clients.emplace_back([&] {
      for (int j = 0; j < 20; ++j) {
        httplib::Client client("127.0.0.1", server->port());
        const auto page = client.Get("/metrics");
        if (page && page->status == 200) ++answers;
      }
    });
  }
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(answers, 160);
  EXPECT_EQ(calls, 160);
}

TEST(HttpServer, RejectsMalformedAddresses) {
  for (const char* address :
       {"", "9090", "127.0.0.1", "127.0.0.1:", "127.0.0.1:x", "127.0.0.1:65536", "127.0.0.1:-1",
        ":9090", "::1:9090", "256.0.0.1:9090", "[]:1"}) {
    const auto server = HttpServer::Start(address, Healthy());
    EXPECT_TRUE(absl::IsInvalidArgument(server.status())) << address << ": " << server.status();
  }
}

TEST(HttpServer, ReportsAnAddressInUse) {
  const auto server = Started();
  const std::string address = "127.0.0.1:" + std::to_string(server->port());
  const auto second = HttpServer::Start(address, Healthy());
  EXPECT_TRUE(absl::IsUnavailable(second.status())) << second.status();
  EXPECT_THAT(std::string(second.status().message()), HasSubstr("in use"));
  // An address reserved for documentation, which no machine has.
  const auto foreign = HttpServer::Start("192.0.2.1:0", Healthy());
  EXPECT_TRUE(absl::IsUnavailable(foreign.status())) << foreign.status();
}

}  // namespace
}  // namespace triarch
