#include "site/web_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "arena/api/test_arena.h"

namespace triarch::site {
namespace {

using arena::TestExchange;
using arena::TestRequest;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

constexpr std::array<PageFile, 3> kFiles = {{{"/index.html", "<p>hello", "packed html"},
                                             {"/assets/page-1a.js", "go()", "packed js"},
                                             {"/triarch.wasm", "binary", "packed wasm"}}};

WebResponse Get(const WebPage& page, const std::string& path, const std::string& encoding = "",
                const std::string& method = "GET") {
  WebRequest request = TestRequest(method, path);
  request.accept_encoding = encoding;
  const auto exchange = std::make_shared<TestExchange>(request);
  page.Reply(exchange);
  return *exchange->answer;
}

TEST(WebPage, ServesFilesByPath) {
  const WebPage page(kFiles);
  EXPECT_EQ(*Get(page, "/").body, "<p>hello");
  EXPECT_EQ(Get(page, "/").content_type, "text/html; charset=utf-8");
  EXPECT_EQ(Get(page, "/").cache_control, "no-cache");
  EXPECT_EQ(Get(page, "/assets/page-1a.js").content_type, "text/javascript; charset=utf-8");
  EXPECT_THAT(Get(page, "/assets/page-1a.js").cache_control, HasSubstr("immutable"));
  EXPECT_EQ(Get(page, "/triarch.wasm").content_type, "application/wasm");
}

TEST(WebPage, ServesNothingElse) {
  const WebPage page(kFiles);
  for (const char* path : {"/none", "", "//", "/assets", "/assets/", "/assets/../index.html",
                           "/../../etc/passwd", "/%2e%2e/etc/passwd", "/index.html/"}) {
    EXPECT_EQ(Get(page, path).status, 404) << path;
  }
  EXPECT_EQ(Get(page, "/", "", "POST").status, 405);
}

TEST(WebPage, CompressesForThoseWhoAsk) {
  const WebPage page(kFiles);
  const std::pair<std::string, std::string> header = {"Content-Encoding", "gzip"};
  for (const char* takes : {"gzip", "deflate, gzip;q=1.0", "br,gzip ; q=0.5", "gzip;q=0.001"}) {
    const WebResponse response = Get(page, "/", takes);
    EXPECT_EQ(*response.body, "packed html") << takes;
    EXPECT_THAT(response.headers, Contains(header));
  }
  for (const char* refuses : {"", "br", "gzip;q=0", "gzip; q=0.000", "xgzip"}) {
    const WebResponse response = Get(page, "/", refuses);
    EXPECT_EQ(*response.body, "<p>hello") << refuses;
    EXPECT_THAT(response.headers, Not(Contains(header)));
    EXPECT_THAT(response.headers, Contains(Pair("Vary", "Accept-Encoding")));
  }
}

std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(WebPage, TheProgramHoldsTheFilesOfTheBuild) {
  std::vector<std::string> paths;
  for (const PageFile& file : PageFiles()) {
    paths.emplace_back(file.path);
    const std::string text = ReadFile(TRIARCH_TEST_DATA "/page" + paths.back());
    EXPECT_EQ(file.content, text);
    EXPECT_EQ(file.gzip.substr(0, 2), "\x1f\x8b");
    // The end of the format is the size of the text, the lowest byte first.
    EXPECT_EQ(static_cast<unsigned char>(file.gzip[file.gzip.size() - 4]), text.size());
  }
  EXPECT_THAT(paths, UnorderedElementsAre("/index.html", "/assets/app-1a2b.js"));
}

TEST(WebPage, WithoutFilesSaysHowToGetThem) {
  const WebPage page({});
  EXPECT_EQ(Get(page, "/").status, 200);
  EXPECT_EQ(Get(page, "/any").status, 404);
  EXPECT_THAT(*Get(page, "/any").body, HasSubstr("./run.sh --web"));
}

}  // namespace
}  // namespace triarch::site
