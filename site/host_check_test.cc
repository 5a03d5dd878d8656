// Tests which hosts a server on loopback answers to.

#include "site/host_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace triarch::site {
namespace {

using ::testing::HasSubstr;

TEST(HostCheck, OnLoopbackOnlyItsOwnNamesAreAllowed) {
  const HostCheck check("127.0.0.1:8081", "localhost:8081");
  for (const char* host : {"localhost", "localhost:8081", "LocalHost:9", "127.0.0.1",
                           "127.0.0.1:8081", "[::1]", "[::1]:8081", ""}) {
    EXPECT_EQ(check.Refuse(host), "") << host;
  }
  for (const char* host : {"evil.example", "evil.example:8081", "127.0.0.1.evil.example:8081",
                           "localhost.evil.example", "192.168.0.1:8081", ":8081", "::1"}) {
    EXPECT_NE(check.Refuse(host), "") << host;
  }
  EXPECT_THAT(check.Refuse("evil.example:8081"),
              HasSubstr("\"evil.example:8081\", but this server listens on this machine only; "
                        "expected one of 127.0.0.1, [::1], localhost. A reverse proxy"));
}

TEST(HostCheck, TheNameOfTheOptionIsAllowed) {
  EXPECT_EQ(HostCheck("127.0.1.1:80", "box:80").Refuse("BOX:80"), "");
  EXPECT_EQ(HostCheck("127.0.1.1:80", "box:80").Refuse("127.0.1.1:80"), "");
  EXPECT_EQ(HostCheck("[::1]:80", "[::1]:80").Refuse("[::1]:80"), "");
  EXPECT_NE(HostCheck("[::1]:80", "[::1]:80").Refuse("box"), "");
}

TEST(HostCheck, ElsewhereAllAreAllowed) {
  EXPECT_EQ(HostCheck("0.0.0.0:8081", "0.0.0.0:8081").Refuse("chess.example"), "");
  EXPECT_EQ(HostCheck("[::]:8081", "[::]:8081").Refuse("chess.example"), "");
}

}  // namespace
}  // namespace triarch::site
