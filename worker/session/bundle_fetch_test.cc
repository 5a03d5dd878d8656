#include "worker/session/bundle_fetch.h"

#include "bundle/bundle.h"
#include "gtest/gtest.h"

namespace triarch {
namespace {

TEST(BundleFetch, ListsEachNeededBundleOnce) {
  TournamentSpec spec;
  spec.bots = {{.name = "random", .bot = "random"},
               {.name = "a 1 (aa)", .bot = "process", .bundle = "a@1", .digest = "aa"},
               {.name = "b 1 (aa)", .bot = "process", .bundle = "a@1", .digest = "aa"},
               {.name = "c 1 (cc)", .bot = "plugin", .bundle = "c@1", .dir = "/c", .digest = "cc"},
               {.name = "d", .bot = "process", .dir = "/d", .digest = "dd"}};
  const std::vector<NeededBundle> needed = NeededBundles(spec);
  ASSERT_EQ(needed.size(), 1u);
  EXPECT_EQ(needed[0].bot, "a 1 (aa)");
  EXPECT_EQ(needed[0].digest, "aa");
}

TEST(BundleFetch, CollectsOneBundleAfterAnother) {
  BundleFetch fetch(
      Lease(),
      {{.bot = "a", .digest = "aa"}, {.bot = "b", .digest = "bb"}, {.bot = "c", .digest = "cc"}});
  fetch.SetMissing({{.bot = "a", .digest = "aa"}, {.bot = "b", .digest = "bb"}});
  EXPECT_EQ(fetch.next().digest, "bb");
  EXPECT_FALSE(fetch.is_whole());
  ASSERT_TRUE(fetch.Add({.size = 5, .bytes = "abc"}).ok());
  EXPECT_EQ(fetch.offset(), 3);
  EXPECT_FALSE(fetch.is_whole());
  ASSERT_TRUE(fetch.Add({.size = 5, .bytes = "de"}).ok());
  EXPECT_TRUE(fetch.is_whole());
  EXPECT_EQ(fetch.TakeTar(), "abcde");
  fetch.OnStored();
  EXPECT_FALSE(fetch.is_done());
  EXPECT_EQ(fetch.next().digest, "aa");
  EXPECT_EQ(fetch.offset(), 0);
  ASSERT_TRUE(fetch.Add({.size = 1, .bytes = "x"}).ok());
  EXPECT_EQ(fetch.TakeTar(), "x");
  fetch.OnStored();
  EXPECT_TRUE(fetch.is_done());
}

TEST(BundleFetch, RejectsPartsThatDoNotContinueTheBundle) {
  BundleFetch fetch(Lease(), {{.bot = "a", .digest = "aa"}});
  EXPECT_FALSE(fetch.Add({.size = 2, .bytes = "abc"}).ok());
  EXPECT_FALSE(fetch.Add({.size = 2, .bytes = ""}).ok());
  EXPECT_FALSE(fetch.Add({.size = int64_t{1} << 40, .bytes = "abc"}).ok());
  ASSERT_TRUE(fetch.Add({.size = 4, .bytes = "ab"}).ok());
  EXPECT_FALSE(fetch.Add({.size = 5, .bytes = "c"}).ok());
  EXPECT_FALSE(fetch.Add({.size = 4, .bytes = "cde"}).ok());
  EXPECT_TRUE(fetch.Add({.size = 4, .bytes = "cd"}).ok());
  EXPECT_EQ(fetch.TakeTar(), "abcd");
}

}  // namespace
}  // namespace triarch
