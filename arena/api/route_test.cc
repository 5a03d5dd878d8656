// Tests how requests find their routes, and what of a request the APIs share.

#include "arena/api/route.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "arena/api/test_arena.h"

namespace triarch::arena {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

const std::vector<Route> kTestRoutes = {{"GET", "/a", "list"},
                                        {"POST", "/a", "add"},
                                        {"GET", "/a/{id}", "show"},
                                        {"POST", "/a/{id}/b/{name}", "change"}};

struct RouteFound {
  std::optional<FoundRoute> route;
  std::shared_ptr<TestExchange> exchange;
};
RouteFound Find(const std::string& method, const std::string& path) {
  const auto exchange = std::make_shared<TestExchange>(TestRequest(method, path));
  std::optional<FoundRoute> route = FindRoute(kTestRoutes, exchange);
  EXPECT_EQ(exchange->is_answered(), !route.has_value());
  return {std::move(route), exchange};
}

TEST(FindRoute, FindsThePathAndTheMethod) {
  EXPECT_EQ(Find("GET", "/a").route->index, 0u);
  EXPECT_EQ(Find("POST", "/a").route->index, 1u);
  EXPECT_EQ(Find("GET", "/a/7").route->index, 2u);
  EXPECT_EQ(Find("POST", "/a/7/b/x").route->index, 3u);
}

TEST(FindRoute, HeadIsAnsweredAsGet) {
  EXPECT_EQ(Find("HEAD", "/a").route->index, 0u);
  EXPECT_EQ(Find("HEAD", "/a/7/b/x").exchange->status(), 405);
}

TEST(FindRoute, DecodesParameters) {
  EXPECT_THAT(Find("GET", "/a/7").route->parameters, ElementsAre("7"));
  EXPECT_THAT(Find("POST", "/a/x%2Fy/b/Zo%c3%ab+%25").route->parameters,
              ElementsAre("x/y", "Zoë+%"));
  EXPECT_THAT(Find("GET", "/a/100%").route->parameters, ElementsAre("100%"));
  EXPECT_THAT(Find("GET", "/a/%4").route->parameters, ElementsAre("%4"));
}

TEST(FindRoute, UnknownPathsAre404) {
  for (const char* path :
       {"", "/", "/b", "/a/", "/a//", "/a/7/b", "/a/7/b/", "/a/7/b/x/", "//a", "/A", "/%61", "a"}) {
    EXPECT_EQ(Find("GET", path).exchange->status(), 404) << path;
  }
}

TEST(FindRoute, ParametersThatNothingHasAre404) {
  for (const char* path : {"/a/%00", "/a/%ff", "/a/x%0a", "/a/x%09y", "/a/%e2%80%ae", "/a/\xc3"}) {
    EXPECT_EQ(Find("GET", path).exchange->status(), 404) << path;
  }
}

TEST(FindRoute, WrongMethodsAre405AndLearnTheRightOnes) {
  const auto allowed = [](const std::string& method, const std::string& path) {
    const auto exchange = Find(method, path).exchange;
    EXPECT_EQ(exchange->status(), 405);
    EXPECT_THAT(exchange->answer->headers, ElementsAre(Pair("Allow", testing::_)));
    return exchange->answer->headers.at(0).second;
  };
  EXPECT_EQ(allowed("DELETE", "/a"), "GET, POST");
  EXPECT_EQ(allowed("POST", "/a/7"), "GET");
  EXPECT_EQ(allowed("GET", "/a/7/b/x"), "POST");
  EXPECT_EQ(allowed("get", "/a/7"), "GET");
  EXPECT_EQ(allowed("OPTIONS", "/a/7"), "GET");
}

TEST(Names, AreThoseOfMembersWithoutTypes) {
  EXPECT_EQ(NamesOf("move ply:integer opponents:texts"), "move ply opponents");
  EXPECT_EQ(NamesOf(""), "");
}

TEST(Query, IsDecoded) {
  const auto query = [](std::string text) {
    return QueryOf(TestRequest("GET", "/", std::move(text)));
  };
  EXPECT_THAT(query(""), IsEmpty());
  EXPECT_THAT(query("&&"), IsEmpty());
  EXPECT_THAT(query("a=1&b=x+y%2b&c&d=&e=f=g"),
              ElementsAre(Pair("a", "1"), Pair("b", "x y+"), Pair("c", ""), Pair("d", ""),
                          Pair("e", "f=g")));
  EXPECT_THAT(query("a=1&a=2"), ElementsAre(Pair("a", "2")));
  EXPECT_THAT(query("%61=%zz%"), ElementsAre(Pair("a", "%zz%")));
}

TEST(Token, FollowsTheWordBearer) {
  const auto token = [](std::string header) {
    WebRequest request;
    request.authorization = std::move(header);
    return BearerToken(request);
  };
  EXPECT_EQ(token("Bearer abc"), "abc");
  EXPECT_EQ(token("bEARER   abc  "), "abc");
  for (const char* none : {"", "Bearer", "Bearer ", "Bearer   ", "abc", "Basic abc", "Bearerabc"}) {
    EXPECT_EQ(token(none), "") << none;
  }
}

}  // namespace
}  // namespace triarch::arena
