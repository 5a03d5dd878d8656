#include "coordinator/service/open_connections.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <unistd.h>

#include <string>
#include <vector>

namespace triarch {
namespace {

sockaddr_storage Peer(const std::string& address) {
  sockaddr_storage peer{};
  auto& v4 = reinterpret_cast<sockaddr_in&>(peer);
  auto& v6 = reinterpret_cast<sockaddr_in6&>(peer);
  peer.ss_family = AF_INET;
  if (inet_pton(AF_INET, address.c_str(), &v4.sin_addr) == 1) return peer;
  peer.ss_family = AF_INET6;
  EXPECT_EQ(inet_pton(AF_INET6, address.c_str(), &v6.sin6_addr), 1) << address;
  return peer;
}

// Sockets that are closed in any case.
class Sockets {
 public:
  ~Sockets() {
    for (const int socket : sockets_) close(socket);
  }
  int Open() {
    sockets_.push_back(socket(AF_INET, SOCK_STREAM, 0));
    return sockets_.back();
  }
  void CloseOne() {
    close(sockets_.back());
    sockets_.pop_back();
  }

 private:
  std::vector<int> sockets_;
};

TEST(OpenConnections, LimitsTheirNumber) {
  Sockets sockets;
  OpenConnections connections({.all = 2, .per_address = 2});
  EXPECT_TRUE(connections.Add(sockets.Open(), Peer("127.0.0.1")));
  EXPECT_TRUE(connections.Add(sockets.Open(), Peer("127.0.0.1")));
  const int third = sockets.Open();
  EXPECT_FALSE(connections.Add(third, Peer("127.0.0.1")));
  EXPECT_FALSE(connections.Add(third, Peer("192.0.2.1")));
}

TEST(OpenConnections, AClosedOneMakesRoom) {
  Sockets sockets;
  OpenConnections connections({.all = 1, .per_address = 1});
  EXPECT_TRUE(connections.Add(sockets.Open(), Peer("192.0.2.1")));
  sockets.CloseOne();
  // The new socket gets the same descriptor.
  EXPECT_TRUE(connections.Add(sockets.Open(), Peer("192.0.2.1")));
  EXPECT_FALSE(connections.Add(sockets.Open(), Peer("192.0.2.1")));
}

TEST(OpenConnections, LimitsThoseOfAnAddress) {
  Sockets sockets;
  OpenConnections connections({.all = 100, .per_address = 1});
  EXPECT_TRUE(connections.Add(sockets.Open(), Peer("192.0.2.1")));
  EXPECT_FALSE(connections.Add(sockets.Open(), Peer("192.0.2.1")));
  EXPECT_FALSE(connections.Add(sockets.Open(), Peer("::ffff:192.0.2.1")));
  EXPECT_TRUE(connections.Add(sockets.Open(), Peer("192.0.2.2")));
  EXPECT_TRUE(connections.Add(sockets.Open(), Peer("2001:db8:0:1::1")));
  EXPECT_FALSE(connections.Add(sockets.Open(), Peer("2001:db8:0:1::2")));
  EXPECT_TRUE(connections.Add(sockets.Open(), Peer("2001:db8:0:2::1")));
}

TEST(OpenConnections, ExemptsLoopbackFromTheLimitOfAnAddress) {
  Sockets sockets;
  OpenConnections connections({.all = 100, .per_address = 1});
  for (const char* address : {"127.0.0.1", "127.0.0.1", "127.1.2.3", "::1", "::1",
                              "::ffff:127.0.0.1", "::ffff:127.0.0.1"}) {
    EXPECT_TRUE(connections.Add(sockets.Open(), Peer(address))) << address;
  }
}

}  // namespace
}  // namespace triarch
