#include "http/web_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "http/test_web.h"

namespace triarch {
namespace {

using std::chrono::milliseconds;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

// Answers with what was asked.
void Echo(const std::shared_ptr<WebExchange>& exchange) {
  const WebRequest& request = exchange->request();
  exchange->Reply({.content_type = "text/plain",
                   .body = MakeWebText(request.method + " " + request.path + "|" + request.query +
                                       "|" + request.authorization + "|" + request.last_event_id +
                                       "|" + request.body)});
}

WebLimits Short() {
  WebLimits limits;
  limits.request_time = milliseconds(100);
  limits.idle_time = milliseconds(100);
  limits.write_time = milliseconds(100);
  return limits;
}

std::string Post(const std::string& path, const std::string& body) {
  return "POST " + path + " HTTP/1.1\r\nHost: x\r\nContent-Length: " + std::to_string(body.size()) +
         "\r\n\r\n" + body;
}

// ---- Requests and responses.

TEST(WebServer, AnswersGet) {
  ServedWeb web(Echo);
  WebClient client(web);
  client.Send(
      "GET /a/b?c=d?e HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer t\r\nLast-Event-ID: 7\r\n\r\n");
  EXPECT_EQ(client.ReadResponse(),
            "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nAccess-Control-Allow-Origin: *\r\n"
            "Access-Control-Expose-Headers: Retry-After\r\nCache-Control: "
            "no-store\r\nContent-Length: 26\r\nConnection: keep-alive\r\n\r\n"
            "GET /a/b|c=d?e|Bearer t|7|");
}

TEST(WebServer, AnswersPost) {
  ServedWeb web(Echo);
  WebClient client(web);
  client.Send(Post("/join", "{\"name\":\"Ann\"}"));
  EXPECT_THAT(client.ReadResponse(), EndsWith("POST /join||||{\"name\":\"Ann\"}"));
}

TEST(WebServer, AnswersAChunkedPost) {
  ServedWeb web(Echo);
  WebClient client(web);
  client.Send(
      "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n");
  EXPECT_THAT(client.ReadResponse(), EndsWith("|abcde"));
}

TEST(WebServer, AnswersHeadWithoutABody) {
  ServedWeb web(Echo);
  WebClient client(web);
  client.Send("HEAD /x HTTP/1.1\r\n\r\nGET /y HTTP/1.1\r\nConnection: close\r\n\r\n");
  EXPECT_THAT(client.ReadUntil("\r\n\r\n"),
              AllOf(HasSubstr("Content-Length: 11\r\n"), EndsWith("\r\n\r\n")));
  EXPECT_THAT(client.ReadAll(), AllOf(StartsWith("HTTP/1.1 200"), EndsWith("GET /y||||")));
}

TEST(WebServer, SendsHeadersAndNoBody) {
  ServedWeb web([](const std::shared_ptr<WebExchange>& exchange) {
    exchange->Reply({.status = 204, .headers = {{"Allow", "GET"}, {"X-Ray", "1"}}});
  });
  WebClient client(web);
  client.Get("/");
  EXPECT_THAT(client.ReadResponse(),
              AllOf(StartsWith("HTTP/1.1 204 No Content\r\nAllow: GET\r\nX-Ray: 1\r\n"),
                    HasSubstr("Content-Length: 0\r\n"), Not(HasSubstr("Content-Type"))));
}

TEST(WebServer, EveryAnswerHasTheHeadersOfTheServer) {
  WebLimits limits;
  limits.headers = {{"Referrer-Policy", "no-referrer"}};
  ServedWeb web(
      [](const std::shared_ptr<WebExchange>& exchange) {
        exchange->Reply({.body = MakeWebText(exchange->request().accept_encoding),
                         .cache_control = "max-age=9"});
      },
      limits);
  WebClient client(web);
  client.Send("GET / HTTP/1.1\r\nAccept-Encoding: br, gzip\r\n\r\n");
  EXPECT_THAT(client.ReadResponse(),
              AllOf(HasSubstr("\r\nReferrer-Policy: no-referrer\r\nCache-Control: max-age=9\r\n"),
                    Not(HasSubstr("Access-Control")), EndsWith("\r\n\r\nbr, gzip")));
  client.Send("nonsense\r\n\r\n");
  EXPECT_THAT(client.ReadAll(), AllOf(StartsWith("HTTP/1.1 400 "),
                                      HasSubstr("\r\nReferrer-Policy: no-referrer\r\n")));
}

TEST(WebServer, SendsLargeBodies) {
  const WebText body = MakeWebText(std::string(5'000'000, 'x'));
  ServedWeb web(
      [body](const std::shared_ptr<WebExchange>& exchange) { exchange->Reply({.body = body}); });
  WebClient client(web);
  client.Get("/");
  EXPECT_THAT(client.ReadResponse(), EndsWith("\r\n\r\n" + *body));
}

TEST(WebServer, KeepsAConnectionForManyRequests) {
  ServedWeb web(Echo);
  WebClient client(web);
  for (int i = 0; i < 100; ++i) {
    const std::string path = "/" + std::to_string(i);
    client.Get(path);
    EXPECT_THAT(client.ReadResponse(), EndsWith(path + "||||"));
  }
  EXPECT_EQ(web.Do([&web] { return web.server().connection_count(); }), 1u);
}

TEST(WebServer, AnswersRequestsInOrderThatCameAtOnce) {
  ServedWeb web(Echo);
  WebClient client(web);
  client.Send(Post("/1", "a") + Post("/2", "b") + Post("/3", "c"));
  EXPECT_THAT(client.ReadResponse(), EndsWith("/1||||a"));
  EXPECT_THAT(client.ReadResponse(), EndsWith("/2||||b"));
  EXPECT_THAT(client.ReadResponse(), EndsWith("/3||||c"));
}

TEST(WebServer, ClosesAConnectionOnRequest) {
  ServedWeb web(Echo);
  for (const char* request :
       {"GET / HTTP/1.1\r\nConnection: close\r\n\r\n", "GET / HTTP/1.0\r\n\r\n"}) {
    WebClient client(web);
    client.Send(request);
    EXPECT_THAT(client.ReadAll(), AllOf(HasSubstr("Connection: close\r\n"), EndsWith("GET /||||")));
  }
  EXPECT_TRUE(web.AwaitConnections(0));
}

TEST(WebServer, AsksForABodyThatTheClientHoldsBack) {
  ServedWeb web(Echo);
  WebClient client(web);
  client.Send("POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
  EXPECT_EQ(client.ReadUntil("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
  client.Send("ab");
  EXPECT_THAT(client.ReadResponse(), EndsWith("|ab"));
}

TEST(WebServer, ServesManyClientsAtOnce) {
  ServedWeb web(Echo);
  std::atomic<int> answers = 0;
  std::vector<std::thread> clients;
  for (int i = 0; i < 8; ++i) {
    clients.emplace_back([&web, &answers] {
      for (int j = 0; j < 20; ++j) {
        WebClient client(web);
        client.Send(Post("/", std::string(10'000, 'x')));
        if (client.ReadResponse().size() > 10'000) ++answers;
      }
    });
  }
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(answers, 160);
  EXPECT_TRUE(web.AwaitConnections(0));
  EXPECT_EQ(web.Do([&web] { return web.server().busy_count(); }), 0u);
}

// ---- Limits.

TEST(WebServer, RefusesALargeBody) {
  WebLimits limits;
  limits.body_max = 100;
  ServedWeb web(Echo, limits);
  WebClient fits(web);
  fits.Send(Post("/", std::string(100, 'x')));
  EXPECT_THAT(fits.ReadResponse(), StartsWith("HTTP/1.1 200 "));
  WebClient large(web);
  large.Send(Post("/", std::string(101, 'x')));
  EXPECT_THAT(large.ReadAll(), AllOf(StartsWith("HTTP/1.1 413 "), HasSubstr("Connection: close")));
  WebClient chunked(web);
  chunked.Send("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n");
  for (int i = 0; i < 5; ++i) chunked.Send("20\r\n" + std::string(32, 'x') + "\r\n");
  EXPECT_THAT(chunked.ReadAll(), StartsWith("HTTP/1.1 413 "));
  EXPECT_TRUE(web.Await([&web] { return web.server().busy_count() == 0; }));
}

TEST(WebServer, RefusesALargeHeader) {
  WebLimits limits;
  limits.header_max = 1'000;
  ServedWeb web(Echo, limits);
  for (const std::string& request :
       {"GET /" + std::string(2'000, 'a') + " HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\nX: " + std::string(2'000, 'a') + "\r\n\r\n"}) {
    WebClient client(web);
    client.Send(request);
    EXPECT_THAT(client.ReadAll(), StartsWith("HTTP/1.1 431 "));
  }
}

TEST(WebServer, RefusesMalformedRequests) {
  ServedWeb web(Echo);
  for (const char* request :
       {"nonsense\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "GET /\r\n\r\n", "\x16\x03\x01\x02\r\n\r\n",
        "GET / HTTP/1.1\r\nno colon\r\n\r\n", "POST / HTTP/1.1\r\nContent-Length: x\r\n\r\n",
        "POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n\r\n"}) {
    WebClient client(web);
    client.Send(request);
    EXPECT_THAT(client.ReadAll(), StartsWith("HTTP/1.1 400 ")) << request;
  }
  WebClient client(web);
  client.Get("/");
  EXPECT_THAT(client.ReadResponse(), StartsWith("HTTP/1.1 200 "));
}

TEST(WebServer, AnswersNothingToHalfARequest) {
  ServedWeb web(Echo);
  {
    WebClient client(web);
    client.Send("GET / HT");
    EXPECT_TRUE(web.AwaitConnections(1));
  }
  EXPECT_TRUE(web.AwaitConnections(0));
}

TEST(WebServer, RefusesAConnectionTooMany) {
  WebLimits limits;
  limits.connections_max = 2;
  ServedWeb web(Echo, limits);
  WebClient first(web);
  WebClient second(web);
  EXPECT_TRUE(web.AwaitConnections(2));
  WebClient third(web);
  EXPECT_EQ(third.ReadAll(), "");
  first.Close();
  EXPECT_TRUE(web.AwaitConnections(1));
  WebClient fourth(web);
  fourth.Get("/");
  EXPECT_THAT(fourth.ReadResponse(), StartsWith("HTTP/1.1 200 "));
}

TEST(WebServer, ConnectionsOfThisMachineAreNotLimitedPerClient) {
  WebLimits limits;
  limits.connections_per_client_max = 1;
  ServedWeb web(Echo, limits);
  WebClient first(web);
  WebClient second(web);
  EXPECT_TRUE(web.AwaitConnections(2));
}

TEST(WebServer, ClosesASilentConnection) {
  ServedWeb web(Echo, Short());
  WebClient client(web);
  EXPECT_EQ(client.ReadAll(), "");
}

TEST(WebServer, ClosesAnIdleConnection) {
  WebLimits limits;
  limits.idle_time = milliseconds(50);
  ServedWeb web(Echo, limits);
  WebClient client(web);
  client.Get("/");
  EXPECT_THAT(client.ReadAll(), EndsWith("GET /||||"));
}

// Sends a byte now and then until the server closes the connection.
void Drip(WebClient& client, const std::string& bytes) {
  for (const char byte : bytes) {
    if (client.HasInput(10) || !client.Send(std::string(1, byte))) break;
  }
}

TEST(WebServer, ClosesAConnectionThatSendsAHeaderSlowly) {
  ServedWeb web(Echo, Short());
  WebClient client(web);
  Drip(client, "GET /" + std::string(5'000, 'x'));
  EXPECT_EQ(client.ReadAll(), "");
}

TEST(WebServer, ClosesAConnectionThatSendsABodySlowly) {
  ServedWeb web(Echo, Short());
  WebClient client(web);
  client.Send("POST / HTTP/1.1\r\nContent-Length: 5000\r\n\r\n");
  Drip(client, std::string(4'999, 'x'));
  EXPECT_EQ(client.ReadAll(), "");
}

TEST(WebServer, ClosesAConnectionThatDoesNotTakeItsAnswer) {
  ServedWeb web(
      [](const std::shared_ptr<WebExchange>& exchange) {
        exchange->Reply({.body = MakeWebText(std::string(50'000'000, 'x'))});
      },
      Short());
  WebClient client(web.port(), 4'096);
  client.Get("/");
  EXPECT_TRUE(web.Await([&web] { return web.server().busy_count() == 1; }));
  EXPECT_TRUE(web.AwaitConnections(0));
}

// ---- Clients.

TEST(WebServer, TellsWhoAsks) {
  std::vector<std::string> clients;
  const auto note = [&clients](const std::shared_ptr<WebExchange>& exchange) {
    clients.push_back(exchange->request().client +
                      (exchange->request().is_loopback ? " here" : ""));
    Echo(exchange);
  };
  const std::string forwarded =
      "GET / HTTP/1.1\r\nX-Forwarded-For: 192.0.2.1, 198.51.100.7\r\n\r\n";
  for (const bool trusts_proxy : {false, true}) {
    WebLimits limits;
    limits.trusts_proxy = trusts_proxy;
    ServedWeb web(note, limits);
    WebClient client(web);
    client.Send(forwarded);
    client.ReadResponse();
    client.Send(
        "GET / HTTP/1.1\r\nX-Forwarded-For: 192.0.2.1\r\nX-Forwarded-For: 192.0.2.2\r\n\r\n");
    client.ReadResponse();
    client.Get("/");
    client.ReadResponse();
  }
  EXPECT_THAT(clients, ElementsAre("127.0.0.1 here", "127.0.0.1 here", "127.0.0.1 here",
                                   "198.51.100.7", "192.0.2.2", "127.0.0.1 here"));
}

// ---- Answers that come later.

TEST(WebServer, AnswersLater) {
  ServedWeb web(Hold);
  WebClient first(web);
  WebClient second(web);
  first.Get("/1");
  EXPECT_TRUE(web.Await([&web] { return web.held.size() == 1; }));
  second.Get("/2");
  EXPECT_TRUE(web.Await([&web] { return web.held.size() == 2; }));
  EXPECT_EQ(web.Do([&web] { return web.server().busy_count(); }), 2u);
  web.Do([&web] { Echo(web.held[1]); });
  EXPECT_THAT(second.ReadResponse(), EndsWith("GET /2||||"));
  web.Do([&web] {
    Echo(web.held[0]);
    web.held.clear();
  });
  EXPECT_THAT(first.ReadResponse(), EndsWith("GET /1||||"));
  first.Get("/3");
  EXPECT_TRUE(web.Await([&web] { return web.held.size() == 1; }));
  web.Do([&web] { Echo(web.held[0]); });
  EXPECT_THAT(first.ReadResponse(), EndsWith("GET /3||||"));
}

TEST(WebServer, AWaitingRequestOutlivesTheTimeLimits) {
  WebLimits limits = Short();
  limits.request_time = milliseconds(400);
  ServedWeb web(
      [](ServedWeb& there, std::shared_ptr<WebExchange> exchange) {
        there.server().After(milliseconds(500), [exchange] { Echo(exchange); });
      },
      limits);
  WebClient client(web);
  client.Get("/");
  EXPECT_THAT(client.ReadResponse(), EndsWith("GET /||||"));
}

TEST(WebServer, NoticesThatAWaitingClientLeaves) {
  ServedWeb web(Hold);
  WebClient client(web);
  client.Get("/");
  EXPECT_TRUE(web.Await([&web] { return web.held.size() == 1; }));
  EXPECT_FALSE(web.Do([&web] { return web.held[0]->is_gone(); }));
  client.Close();
  EXPECT_TRUE(web.Await([&web] { return web.held[0]->is_gone(); }));
  web.Do([&web] {
    Echo(web.held[0]);  // to nobody
    web.held.clear();
  });
  EXPECT_TRUE(web.AwaitConnections(0));
}

TEST(WebServer, AClientThatSendsItsNextRequestIsNotGone) {
  ServedWeb web(Hold);
  WebClient client(web);
  client.Get("/1");
  EXPECT_TRUE(web.Await([&web] { return web.held.size() == 1; }));
  client.Get("/2");
  WebClient(web).Close();
  EXPECT_FALSE(web.Do([&web] { return web.held[0]->is_gone(); }));
  web.Do([&web] {
    Echo(web.held[0]);
    web.held.clear();
  });
  EXPECT_THAT(client.ReadResponse(), EndsWith("GET /1||||"));
  EXPECT_TRUE(web.Await([&web] { return web.held.size() == 1; }));
}

// ---- The loop.

TEST(WebServer, CallsErrandsOfOtherThreadsInOrder) {
  ServedWeb web(Echo);
  std::vector<int> order;
  for (int i = 0; i < 100; ++i) web.server().Post([&order, i] { order.push_back(i); });
  EXPECT_TRUE(web.Await([&order] { return order.size() == 100; }));
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
}

TEST(WebServer, CallsWhatIsDueInOrder) {
  ServedWeb web(Echo);
  std::vector<int> order;
  web.Do([&web, &order] {
    for (const int ms : {30, 1, 15}) {
      web.server().After(milliseconds(ms), [&order, ms] { order.push_back(ms); });
    }
  });
  EXPECT_TRUE(web.Await([&order] { return order.size() == 3; }));
  EXPECT_THAT(order, ElementsAre(1, 15, 30));
}

TEST(WebServer, EndsWithOpenConnections) {
  std::vector<std::unique_ptr<WebClient>> clients;
  {
    ServedWeb web(Echo);
    for (int i = 0; i < 20; ++i) {
      clients.push_back(std::make_unique<WebClient>(web));
      clients.back()->Send(i % 2 == 0 ? "GET / HTTP/1.1\r\n\r\n" : "GET /");
    }
    EXPECT_TRUE(web.AwaitConnections(20));
  }
  for (const auto& client : clients) client->ReadAll();  // does not wait in vain
}

TEST(WebServer, ClosesItsConnectionsAtTheEnd) {
  std::unique_ptr<WebClient> client;
  {
    ServedWeb web(Echo);
    client = std::make_unique<WebClient>(web);
    client->Get("/");
    client->ReadResponse();
  }
  EXPECT_TRUE(client->HasInput(2'000));
  EXPECT_EQ(client->ReadAll(), "");
}

// ---- Addresses.

TEST(WebAddress, IsResolved) {
  EXPECT_EQ(*ResolveAddress("127.0.0.1:8080"), "127.0.0.1:8080");
  EXPECT_THAT(*ResolveAddress("localhost:80"), ::testing::AnyOf("127.0.0.1:80", "[::1]:80"));
  EXPECT_EQ(*ResolveAddress("[::1]:8080"), "[::1]:8080");
}

TEST(WebAddress, MayBeMalformed) {
  for (const char* address :
       {"", "9090", "127.0.0.1", "127.0.0.1:", "127.0.0.1:x", "127.0.0.1:65536", "127.0.0.1:-1",
        ":9090", "::1:9090", "256.0.0.1:9090", "[]:1"}) {
    EXPECT_TRUE(absl::IsInvalidArgument(ListenAt(address).status())) << address;
    EXPECT_TRUE(absl::IsInvalidArgument(ResolveAddress(address).status())) << address;
  }
}

TEST(WebAddress, MayBeInUse) {
  const int socket = FreeSocket();
  const absl::StatusOr<int> second = ListenAt(AddressOf(socket));
  EXPECT_TRUE(absl::IsUnavailable(second.status())) << second.status();
  EXPECT_THAT(std::string(second.status().message()), HasSubstr("in use"));
  ::close(socket);
  EXPECT_TRUE(absl::IsUnavailable(ListenAt("192.0.2.1:0").status()));
}

TEST(WebAddress, OfNoSocketIsEmpty) { EXPECT_EQ(AddressOf(-1), ""); }

TEST(WebAddress, ASocketThatIsNoneIsAnError) {
  EXPECT_TRUE(absl::IsUnavailable(WebServer::Make(-1, {}, Echo).status()));
}

}  // namespace
}  // namespace triarch
