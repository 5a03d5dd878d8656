#include "bots/llm/curl_client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <thread>

#include "tests/llm/odd_chat_server.h"

// Tests the client against a server that misbehaves in all the usual ways.
namespace triarch::llm {
namespace {

using Clock = std::chrono::steady_clock;
using Reply = OddChatServer::Reply;
using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::HasSubstr;
using testing::Not;

class CurlClientTest : public testing::Test {
 protected:
  CurlClientTest() : client_(MakeCurlClient()) { setenv("no_proxy", "*", 1); }

  absl::StatusOr<HttpReply> Post(const std::string& url, milliseconds time = seconds(20)) {
    return client_->Post({.url = url + "/chat/completions",
                          .key = "sk-secret",
                          .body = "{}",
                          .end = Clock::now() + time,
                          .stop = &stop_});
  }
  // Returns the result of a request to a server that sends this reply.
  absl::StatusOr<HttpReply> PostTo(const Reply& reply, milliseconds time = seconds(20)) {
    const OddChatServer server([&](const auto&) { return reply; });
    return Post(server.url(), time);
  }

  std::atomic<bool> stop_ = false;
  const std::unique_ptr<HttpClient> client_;
};

TEST_F(CurlClientTest, SendsARequestAndReadsTheReply) {
  OddChatServer::Request seen;
  const OddChatServer server([&](const OddChatServer::Request& request) {
    seen = request;
    return Reply{.bytes = ChatText("E2-E4")};
  });
  for (int i = 0; i < 3; ++i) {
    const absl::StatusOr<HttpReply> reply = Post(server.url());
    ASSERT_TRUE(reply.ok()) << reply.status();
    EXPECT_EQ(reply->status, 200);
    EXPECT_EQ(reply->body, ChatBody("E2-E4"));
    EXPECT_FALSE(reply->retry_after.has_value());
  }
  EXPECT_THAT(seen.head, HasSubstr("POST /v1/chat/completions HTTP/1.1\r\n"));
  EXPECT_THAT(seen.head, HasSubstr("Content-Type: application/json\r\n"));
  EXPECT_THAT(seen.head, HasSubstr("Authorization: Bearer sk-secret\r\n"));
  EXPECT_EQ(seen.body, "{}");
  EXPECT_EQ(server.requests(), 3);
}

TEST_F(CurlClientTest, SendsNoEmptyKey) {
  std::string head;
  const OddChatServer server([&](const OddChatServer::Request& request) {
    head = request.head;
    return Reply{.bytes = ChatText("x")};
  });
  ASSERT_TRUE(client_
                  ->Post({.url = server.url(),
                          .key = {},
                          .body = "{}",
                          .end = Clock::now() + seconds(20),
                          .stop = &stop_})
                  .ok());
  EXPECT_THAT(head, Not(HasSubstr("Authorization")));
}

TEST_F(CurlClientTest, ReturnsTheServersErrors) {
  const auto busy = PostTo({.bytes = HttpText(429, "{}", "Retry-After: 7\r\n")});
  ASSERT_TRUE(busy.ok()) << busy.status();
  EXPECT_EQ(busy->status, 429);
  EXPECT_EQ(busy->retry_after, seconds(7));
  const auto broken = PostTo({.bytes = HttpText(503, "no model is loaded")});
  ASSERT_TRUE(broken.ok()) << broken.status();
  EXPECT_EQ(broken->status, 503);
  EXPECT_EQ(broken->body, "no model is loaded");
}

TEST_F(CurlClientTest, ReadsChunks) {
  const auto reply = PostTo({.bytes = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                                      "3\r\n{\"a\r\n4\r\n\":1}\r\n0\r\n\r\n"});
  ASSERT_TRUE(reply.ok()) << reply.status();
  EXPECT_EQ(reply->body, "{\"a\":1}");
}

TEST_F(CurlClientTest, DoesNotFollowRedirections) {
  const OddChatServer other([](const auto&) { return Reply{.bytes = ChatText("E2-E4")}; });
  for (const int status : {301, 302, 303, 307, 308}) {
    const auto reply =
        PostTo({.bytes = HttpText(status, "", "Location: " + other.url() + "/steal\r\n")});
    ASSERT_TRUE(reply.ok()) << reply.status();
    EXPECT_EQ(reply->status, status);
  }
  EXPECT_EQ(other.requests(), 0);
}

TEST_F(CurlClientTest, ReportsABrokenServer) {
  const std::string whole = ChatText("E2-E4");
  for (const std::string& bytes :
       {std::string(), std::string("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"choices\""),
        whole.substr(0, whole.size() - 1), std::string("this is no HTTP at all\r\n\r\n"),
        std::string(1000, '\0'),
        std::string("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"),
        std::string("HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nabc")}) {
    const auto reply = PostTo({.bytes = bytes});
    EXPECT_EQ(reply.status().code(), absl::StatusCode::kUnavailable)
        << bytes << reply.status() << (reply.ok() ? reply->body : "");
    EXPECT_FALSE(reply.status().message().empty());
    EXPECT_THAT(std::string(reply.status().message()), Not(HasSubstr("sk-secret")));
  }
}

TEST_F(CurlClientTest, ReportsAMissingServer) {
  std::string url;
  {
    const OddChatServer server([](const auto&) { return Reply{}; });
    url = server.url();
  }
  const auto refused = Post(url);
  EXPECT_EQ(refused.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(refused.status().message()), HasSubstr("connect"));
  // It may take a while to find out that the name does not exist.
  EXPECT_FALSE(Post("http://no-such-host.invalid/v1", seconds(2)).ok());
  EXPECT_EQ(Post("file:///etc/passwd").status().code(), absl::StatusCode::kUnavailable);
}

TEST_F(CurlClientTest, RejectsRepliesThatAreTooLong) {
  const auto fits = PostTo({.bytes = HttpText(200, std::string(kBodyBytesMax, 'a'))});
  ASSERT_TRUE(fits.ok()) << fits.status();
  EXPECT_EQ(fits->body.size(), kBodyBytesMax);
  const auto large = PostTo({.bytes = HttpText(200, std::string(kBodyBytesMax + 1, 'a'))});
  EXPECT_EQ(large.status().code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(large.status().message(), "the response is longer than 1048576 bytes");
  // An endless reply without a length.
  const auto endless = PostTo(
      {.bytes = "HTTP/1.1 200 OK\r\n\r\n" + std::string(4 << 20, 'a'), .is_left_open = true});
  EXPECT_EQ(endless.status().code(), absl::StatusCode::kResourceExhausted);
  const auto head =
      PostTo({.bytes = "HTTP/1.1 200 OK\r\nX: " + std::string(4 << 20, 'a'), .is_left_open = true});
  EXPECT_EQ(head.status().code(), absl::StatusCode::kUnavailable);
}

TEST_F(CurlClientTest, EndsInTimeWhateverTheServerDoes) {
  const std::string whole = ChatText("E2-E4");
  for (const Reply& reply :
       {Reply{.bytes = whole, .delay = seconds(60)},                // late
        Reply{.bytes = "", .is_left_open = true},                   // silent
        Reply{.bytes = whole.substr(0, 30), .is_left_open = true},  // stuck in its header
        Reply{.bytes = whole.substr(0, whole.size() - 1), .is_left_open = true},
        Reply{.bytes = whole, .drip = milliseconds(100)}}) {  // one byte at a time
    const auto begin = Clock::now();
    const auto answer = PostTo(reply, milliseconds(150));
    EXPECT_EQ(answer.status().code(), absl::StatusCode::kDeadlineExceeded) << answer.status();
    EXPECT_GE(Clock::now() - begin, milliseconds(150));
    EXPECT_LT(Clock::now() - begin, seconds(20));
  }
  EXPECT_EQ(PostTo({.bytes = whole}, milliseconds(0)).status().code(),
            absl::StatusCode::kDeadlineExceeded);
}

TEST_F(CurlClientTest, StopsOnRequest) {
  const OddChatServer server([](const auto&) { return Reply{.bytes = "", .is_left_open = true}; });
  std::jthread stopper([this] {
    std::this_thread::sleep_for(milliseconds(100));
    stop_ = true;
  });
  EXPECT_EQ(Post(server.url(), seconds(600)).status().code(), absl::StatusCode::kCancelled);
}

TEST_F(CurlClientTest, RecoversFromEveryFault) {
  const OddChatServer server([](const OddChatServer::Request& request) {
    switch (request.number) {
      case 0:
        return Reply{.bytes = "junk"};
      case 1:
        return Reply{.bytes = "", .is_left_open = true};
      case 2:
        return Reply{.bytes = HttpText(200, std::string(2 << 20, 'a'))};
      default:
        return Reply{.bytes = ChatText("E2-E4")};
    }
  });
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(Post(server.url(), milliseconds(300)).ok());
  EXPECT_TRUE(Post(server.url()).ok());
}

}  // namespace
}  // namespace triarch::llm
