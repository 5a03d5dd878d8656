// Tests event streams and WebSockets of the web server over real sockets.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "http/test_web.h"
#include "http/web_server.h"

namespace triarch {
namespace {

using std::chrono::milliseconds;
using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

// The key and its answer are those of RFC 6455.
constexpr std::string_view kHandshake =
    "GET /watch HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n";

// Begins a stream for each request, or a WebSocket if the client asks for one. Answers "/later"
// later.
class Streaming {
 public:
  explicit Streaming(WebLimits limits = {})
      : web_([this](std::shared_ptr<WebExchange> exchange) { Handle(std::move(exchange)); },
             limits) {}

  ServedWeb& web() { return web_; }
  // These wait for the server's thread.
  bool AwaitStreams(size_t count) {
    return web_.Await([this, count] { return web_.streams.size() == count; });
  }
  bool AwaitClosed(int count) {
    return web_.Await([this, count] { return closed_ == count; });
  }
  void Send(const std::string& text) {
    web_.Do([this, text] {
      for (const auto& stream : web_.streams) stream->Send(MakeWebText(text));
    });
  }
  void Close() {
    web_.Do([this] {
      for (const auto& stream : web_.streams) stream->Close();
    });
  }
  bool AnyIsOpen() {
    return web_.Do([this] {
      return std::any_of(web_.streams.begin(), web_.streams.end(),
                         [](const auto& stream) { return stream->is_open(); });
    });
  }
  // Begins the streams of requests that wait.
  void Begin() {
    web_.Do([this] {
      for (const auto& exchange : std::exchange(web_.held, {})) Begin(*exchange);
    });
  }

 private:
  void Handle(std::shared_ptr<WebExchange> exchange) {
    if (exchange->request().path == "/later") return web_.held.push_back(std::move(exchange));
    Begin(*exchange);
  }
  void Begin(WebExchange& exchange) {
    auto stream = exchange.request().is_upgrade ? exchange.BeginSocket() : exchange.BeginEvents();
    stream->OnClose([this] { ++closed_; });
    if (exchange.request().path == "/watch") stream->Send(MakeWebText("hello"));
    web_.streams.push_back(std::move(stream));
  }

  int closed_ = 0;
  ServedWeb web_;  // declared last, because its thread uses the others
};

// Sends to streams that nobody reads until they close. Returns whether they did.
bool Overflow(Streaming& streaming) {
  const std::string text(100'000, 'x');
  for (int i = 0; i < 2'000 && streaming.AnyIsOpen(); ++i) streaming.Send(text);
  return !streaming.AnyIsOpen();
}

// ---- Event streams.

TEST(EventStream, SendsTexts) {
  Streaming streaming;
  WebClient client(streaming.web());
  client.Get("/events");
  const std::string header = client.ReadUntil("\r\n\r\n");
  EXPECT_THAT(header, AllOf(StartsWith("HTTP/1.1 200 OK\r\n"),
                            HasSubstr("Content-Type: text/event-stream\r\n"),
                            HasSubstr("Cache-Control: no-store\r\n"),
                            HasSubstr("Connection: close\r\n"), Not(HasSubstr("Content-Length"))));
  ASSERT_TRUE(streaming.AwaitStreams(1));
  for (int i = 0; i < 10; ++i) {
    const std::string text = "data: " + std::to_string(i) + "\n\n";
    streaming.Send(text);
    EXPECT_EQ(client.ReadUntil("\n\n"), text);
  }
  EXPECT_EQ(streaming.web().Do([&] { return streaming.web().server().busy_count(); }), 0u);
}

TEST(EventStream, SendsManyTextsInOrder) {
  Streaming streaming;
  WebClient client(streaming.web());
  client.Get("/events");
  ASSERT_TRUE(streaming.AwaitStreams(1));
  client.ReadUntil("\r\n\r\n");
  std::string all;
  for (int i = 0; i < 500; ++i) {
    const std::string text = "data: " + std::to_string(i) + std::string(200, '.') + "\n\n";
    streaming.Send(text);
    all += text;
  }
  EXPECT_EQ(client.Read(all.size()), all);
}

TEST(EventStream, ClosesAndTellsOnce) {
  Streaming streaming;
  WebClient client(streaming.web());
  client.Get("/events");
  ASSERT_TRUE(streaming.AwaitStreams(1));
  client.ReadUntil("\r\n\r\n");
  EXPECT_TRUE(streaming.AnyIsOpen());
  streaming.Close();
  streaming.Close();
  streaming.Send("data: late\n\n");
  EXPECT_EQ(client.ReadAll(), "");
  EXPECT_FALSE(streaming.AnyIsOpen());
  EXPECT_TRUE(streaming.AwaitClosed(1));
  streaming.web().Do([&streaming] { streaming.web().streams.clear(); });
  EXPECT_TRUE(streaming.web().AwaitConnections(0));
}

TEST(EventStream, NoticesThatTheClientLeaves) {
  Streaming streaming;
  WebClient client(streaming.web());
  client.Get("/events");
  ASSERT_TRUE(streaming.AwaitStreams(1));
  client.Send("bytes that mean nothing");
  client.ReadUntil("\r\n\r\n");
  EXPECT_TRUE(streaming.AnyIsOpen());
  client.Close();
  EXPECT_TRUE(streaming.AwaitClosed(1));
}

TEST(EventStream, OutlivesTheTimeLimits) {
  WebLimits limits;
  limits.request_time = milliseconds(400);
  limits.idle_time = milliseconds(100);
  limits.write_time = milliseconds(100);
  Streaming streaming(limits);
  WebClient client(streaming.web());
  client.Get("/events");
  client.ReadUntil("\r\n\r\n");
  EXPECT_FALSE(client.HasInput(500));
  streaming.Send("data: 1\n\n");
  EXPECT_EQ(client.ReadUntil("\n\n"), "data: 1\n\n");
}

TEST(EventStream, ClosesIfItsClientReadsTooSlowly) {
  WebLimits limits;
  limits.stream_backlog_max = 200'000;
  Streaming streaming(limits);
  WebClient client(streaming.web().port(), 4'096);
  client.Get("/events");
  ASSERT_TRUE(streaming.AwaitStreams(1));
  EXPECT_TRUE(Overflow(streaming));
  EXPECT_TRUE(streaming.AwaitClosed(1));
}

TEST(EventStream, ClosesIfItsClientTakesNothingForTooLong) {
  WebLimits limits;
  limits.write_time = milliseconds(50);
  limits.stream_backlog_max = 100'000'000;
  Streaming streaming(limits);
  WebClient client(streaming.web().port(), 4'096);
  client.Get("/events");
  ASSERT_TRUE(streaming.AwaitStreams(1));
  streaming.Send(std::string(20'000'000, 'x'));
  EXPECT_TRUE(streaming.AwaitClosed(1));
}

TEST(EventStream, OneSlowReaderDoesNotCloseAnother) {
  WebLimits limits;
  limits.stream_backlog_max = 200'000;
  Streaming streaming(limits);
  WebClient slow(streaming.web().port(), 4'096);
  slow.Get("/events");
  ASSERT_TRUE(streaming.AwaitStreams(1));
  EXPECT_TRUE(Overflow(streaming));
  WebClient fast(streaming.web());
  fast.Get("/events");
  fast.ReadUntil("\r\n\r\n");
  streaming.Send("data: 1\n\n");
  EXPECT_EQ(fast.ReadUntil("\n\n"), "data: 1\n\n");
}

TEST(EventStream, BeginsLater) {
  Streaming streaming;
  WebClient client(streaming.web());
  client.Get("/later");
  ASSERT_TRUE(streaming.web().Await([&] { return !streaming.web().held.empty(); }));
  streaming.Begin();
  streaming.Send("data: 1\n\n");
  EXPECT_THAT(client.ReadUntil("\n\n"), StartsWith("HTTP/1.1 200 "));
  client.Close();
  EXPECT_TRUE(streaming.AwaitClosed(1));
}

TEST(EventStream, BeginsForAClientThatIsGone) {
  Streaming streaming;
  {
    WebClient client(streaming.web());
    client.Get("/later");
    ASSERT_TRUE(streaming.web().Await([&] { return !streaming.web().held.empty(); }));
  }
  ASSERT_TRUE(streaming.web().Await([&] { return streaming.web().held[0]->is_gone(); }));
  streaming.Begin();
  EXPECT_TRUE(streaming.AwaitClosed(1));
}

// ---- WebSockets.

std::string Frame(int opcode, const std::string& text) {
  std::string frame = {static_cast<char>(0x80 | opcode), static_cast<char>(0x80 | text.size())};
  const std::string mask = "\x01\x02\x03\x04";
  frame += mask;
  for (size_t i = 0; i < text.size(); ++i) {
    frame += static_cast<char>(text[i] ^ mask[i % mask.size()]);
  }
  return frame;
}

constexpr int kText = 1;
constexpr int kClose = 8;
constexpr int kPing = 9;
constexpr int kPong = 10;

struct Message {
  int opcode = -1;  // -1 at the end
  std::string text = {};
};
// Reads a message, which may come in several frames.
Message NextMessage(WebClient& client) {
  Message message;
  while (true) {
    const std::string head = client.Read(2);
    if (head.size() < 2) return {};
    size_t size = static_cast<unsigned char>(head[1]);
    if (size >= 126) {
      const size_t bytes = size == 126 ? 2 : 8;
      size = 0;
      for (const char byte : client.Read(bytes))
        size = size << 8 | static_cast<unsigned char>(byte);
    }
    if (message.opcode == -1) message.opcode = head[0] & 0x0f;
    message.text += client.Read(size);
    if ((head[0] & 0x80) != 0) return message;
  }
}

TEST(WebSocket, ShakesHands) {
  Streaming streaming;
  WebClient client(streaming.web());
  client.Send(kHandshake);
  EXPECT_THAT(client.ReadUntil("\r\n\r\n"),
              AllOf(StartsWith("HTTP/1.1 101 "),
                    HasSubstr("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n")));
  // A text that was sent before the handshake was over.
  const Message message = NextMessage(client);
  EXPECT_EQ(message.opcode, kText);
  EXPECT_EQ(message.text, "hello");
}

class WebSocketTest : public testing::Test {
 protected:
  explicit WebSocketTest(WebLimits limits = {}) : streaming_(limits), client_(streaming_.web()) {
    client_.Send(kHandshake);
    client_.ReadUntil("\r\n\r\n");
    EXPECT_EQ(NextMessage(client_).text, "hello");
  }

  Streaming streaming_;
  WebClient client_;
};

TEST_F(WebSocketTest, SendsTextsOfAllSizes) {
  for (const int length : {0, 1, 125, 126, 65'535, 65'536, 200'000}) {
    const auto size = static_cast<size_t>(length);
    const std::string text(size, 'x');
    streaming_.Send(text);
    const Message message = NextMessage(client_);
    EXPECT_EQ(message.opcode, kText);
    EXPECT_TRUE(message.text == text) << size;
  }
}

TEST_F(WebSocketTest, SendsManyTextsInOrder) {
  for (int i = 0; i < 300; ++i) streaming_.Send(std::to_string(i));
  for (int i = 0; i < 300; ++i) EXPECT_EQ(NextMessage(client_).text, std::to_string(i));
}

TEST_F(WebSocketTest, AnswersPings) {
  client_.Send(Frame(kPing, "are you there?"));
  const Message message = NextMessage(client_);
  EXPECT_EQ(message.opcode, kPong);
  EXPECT_EQ(message.text, "are you there?");
}

TEST_F(WebSocketTest, IgnoresWhatSpectatorsSay) {
  for (int i = 0; i < 50; ++i) client_.Send(Frame(kText, "hello"));
  streaming_.Send("text");
  EXPECT_EQ(NextMessage(client_).text, "text");
  EXPECT_TRUE(streaming_.AnyIsOpen());
}

TEST_F(WebSocketTest, AnswersACloseFrame) {
  client_.Send(Frame(kClose, "\x03\xe8"));
  EXPECT_EQ(NextMessage(client_).opcode, kClose);
  EXPECT_EQ(client_.ReadAll(), "");
  client_.Close();
  EXPECT_TRUE(streaming_.AwaitClosed(1));
}

TEST_F(WebSocketTest, NoticesThatTheClientLeaves) {
  client_.Close();
  EXPECT_TRUE(streaming_.AwaitClosed(1));
}

TEST_F(WebSocketTest, ClosesOnAnInvalidFrame) {
  client_.Send("\x81\x05hello");  // not masked
  EXPECT_EQ(NextMessage(client_).opcode, kClose);
  EXPECT_EQ(client_.ReadAll(), "");
  client_.Close();
  EXPECT_TRUE(streaming_.AwaitClosed(1));
}

TEST_F(WebSocketTest, ClosesOnALargeMessage) {
  std::string frame = {'\x81', '\xfe', '\x20', '\x00', 0, 0, 0, 0};
  client_.Send(frame + std::string(0x2000, 'x'));
  EXPECT_TRUE(streaming_.AwaitClosed(1));
}

TEST_F(WebSocketTest, ClosesAndTellsOnce) {
  streaming_.Close();
  streaming_.Close();
  streaming_.Send("late");
  EXPECT_TRUE(streaming_.AwaitClosed(1));
  EXPECT_EQ(NextMessage(client_).text, "");
  streaming_.web().Do([this] { streaming_.web().streams.clear(); });
  EXPECT_TRUE(streaming_.web().AwaitConnections(0));
}

TEST(WebSocket, ClosesIfItsClientReadsTooSlowly) {
  WebLimits limits;
  limits.stream_backlog_max = 200'000;
  Streaming streaming(limits);
  WebClient client(streaming.web().port(), 4'096);
  client.Send(kHandshake);
  ASSERT_TRUE(streaming.AwaitStreams(1));
  EXPECT_TRUE(Overflow(streaming));
  EXPECT_TRUE(streaming.AwaitClosed(1));
}

TEST(WebSocket, BeginsLater) {
  Streaming streaming;
  WebClient client(streaming.web());
  std::string handshake(kHandshake);
  handshake.replace(handshake.find("/watch"), 6, "/later");
  client.Send(handshake);
  ASSERT_TRUE(streaming.web().Await([&] { return !streaming.web().held.empty(); }));
  streaming.Begin();
  streaming.Send("text");
  EXPECT_THAT(client.ReadUntil("\r\n\r\n"), StartsWith("HTTP/1.1 101 "));
  EXPECT_EQ(NextMessage(client).text, "text");
}

TEST(WebSocket, NeedsAWholeHandshake) {
  Streaming streaming;
  for (const char* missing : {"Upgrade: websocket\r\n", "Connection: Upgrade\r\n"}) {
    std::string handshake(kHandshake);
    handshake.erase(handshake.find(missing), std::string_view(missing).size());
    WebClient client(streaming.web());
    client.Send(handshake);
    EXPECT_THAT(client.ReadUntil("\r\n\r\n"), HasSubstr("text/event-stream")) << missing;
  }
  std::string handshake(kHandshake);
  handshake.erase(handshake.find("Sec-WebSocket-Key"), 48);
  WebClient client(streaming.web());
  client.Send(handshake);
  EXPECT_THAT(client.ReadUntil("\r\n\r\n"), Not(StartsWith("HTTP/1.1 101 ")));
}

// ---- The end.

TEST(WebServerEnd, LeavesConnectionsInTheQueueAndEndsAnswersFirst) {
  const int socket = FreeSocket();
  const int kept = ::dup(socket);
  std::unique_ptr<WebClient> waiting;
  {
    ServedWeb web(Hold, {}, socket);
    WebClient asking(web);
    asking.Get("/1");
    ASSERT_TRUE(web.Await([&web] { return web.held.size() == 1; }));
    web.Do([&web] { web.server().StopAccepting(); });
    waiting = std::make_unique<WebClient>(web);
    waiting->Get("/2");
    EXPECT_EQ(web.Do([&web] { return web.server().busy_count(); }), 1u);
    web.Do([&web] {
      web.held[0]->Reply({.body = MakeWebText("end")});
      web.held.clear();
    });
    EXPECT_THAT(asking.ReadAll(), AllOf(HasSubstr("Connection: close\r\n"), EndsWith("end")));
    EXPECT_TRUE(web.Await([&web] { return web.server().busy_count() == 0; }));
    EXPECT_FALSE(waiting->HasInput(0));
  }
  EXPECT_FALSE(waiting->HasInput(0));
  ServedWeb next(
      [](const std::shared_ptr<WebExchange>& exchange) {
        exchange->Reply({.body = MakeWebText(exchange->request().path)});
      },
      {}, kept);
  EXPECT_THAT(waiting->ReadResponse(), EndsWith("/2"));
}

// However a connection meets the end of a server, one of two servers answers.
TEST(WebServerEnd, LosesNoConnection) {
  const WebServer::Handler answer = [](const std::shared_ptr<WebExchange>& exchange) {
    exchange->Reply({.body = MakeWebText("answer")});
  };
  for (int round = 0; round < 50; ++round) {
    const int socket = FreeSocket();
    const int kept = ::dup(socket);
    auto web = std::make_unique<ServedWeb>(answer, WebLimits(), socket);
    std::vector<std::unique_ptr<WebClient>> clients;
    for (int i = 0; i < 8; ++i) {
      if (i == round % 8) {
        // The loop is busy, so a connection and the order to stop come at once.
        web->server().Post([&web, &clients] {
          for (int j = 0; j < 3; ++j) clients.push_back(std::make_unique<WebClient>(*web));
          web->server().Post([&web] { web->server().StopAccepting(); });
        });
        web->Do([] {});
      }
      clients.push_back(std::make_unique<WebClient>(*web));
    }
    for (const auto& client : clients) client->Get("/");
    ASSERT_TRUE(web->Await([&web] { return web->server().busy_count() == 0; }));
    web = nullptr;
    ServedWeb next(answer, {}, kept);
    for (const auto& client : clients) {
      ASSERT_THAT(client->ReadResponse(), EndsWith("answer")) << "round " << round;
    }
  }
}

}  // namespace
}  // namespace triarch
