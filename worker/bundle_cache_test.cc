#include "worker/bundle_cache.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "bundle/bundle.h"
#include "core/base/temporary_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace triarch {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr int64_t kMuch = int64_t{1} << 30;

// Returns a bundle with one file.
Bundle Sample(const std::string& bytes) {
  const TemporaryFolder folder;
  std::ofstream(folder / "bot.py") << bytes;
  return Bundle::FromFolder(folder.path()).value();
}

std::unique_ptr<BundleCache> Open(const std::string& dir, int64_t bytes_max = kMuch) {
  return BundleCache::Open(dir, bytes_max).value();
}

TEST(BundleCache, KeepsStoredBundles) {
  const TemporaryFolder folder;
  const std::string dir = folder / "made/bots";
  const Bundle bundle = Sample("one");
  {
    const auto cache = Open(dir);
    EXPECT_FALSE(cache->Has(bundle.digest()));
    EXPECT_TRUE(absl::IsNotFound(cache->Folder(bundle.digest()).status()));
    ASSERT_TRUE(cache->Put(bundle.digest(), bundle.ToTar()).ok());
    ASSERT_TRUE(cache->Put(bundle.digest(), bundle.ToTar()).ok()) << "again";
    EXPECT_TRUE(cache->Has(bundle.digest()));
    EXPECT_EQ(cache->Folder(bundle.digest()).value(), dir + "/" + bundle.digest() + "/files");
  }
  const auto cache = Open(dir);
  EXPECT_TRUE(absl::IsNotFound(cache->Folder(bundle.digest()).status())) << "not asked for yet";
  EXPECT_TRUE(cache->Has(bundle.digest()));
  EXPECT_EQ(DigestFolder(cache->Folder(bundle.digest()).value()).value(), bundle.digest());
  EXPECT_FALSE(cache->Has("../" + bundle.digest()));
  EXPECT_FALSE(cache->Has(""));
}

TEST(BundleCache, RejectsWrongContent) {
  const TemporaryFolder folder;
  const auto cache = Open(folder / "bots");
  const Bundle one = Sample("one");
  const absl::Status wrong = cache->Put(one.digest(), Sample("two").ToTar());
  EXPECT_EQ(wrong.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(wrong.message()), HasSubstr("its files have the digest"));
  EXPECT_FALSE(cache->Put(one.digest(), "no tar").ok());
  EXPECT_FALSE(cache->Put(one.digest(), one.ToTar().substr(0, 513)).ok());
  EXPECT_FALSE(cache->Has(one.digest()));
  EXPECT_TRUE(fs::is_empty(folder / "bots"));
}

TEST(BundleCache, DamagedBundlesAreFetchedAgain) {
  const TemporaryFolder folder;
  const Bundle bundle = Sample("one");
  ASSERT_TRUE(Open(folder / "bots")->Put(bundle.digest(), bundle.ToTar()).ok());
  std::ofstream(folder / ("bots/" + bundle.digest() + "/files/bot.py")) << "evil";
  const auto cache = Open(folder / "bots");
  EXPECT_FALSE(cache->Has(bundle.digest()));
  EXPECT_TRUE(fs::is_empty(folder / "bots"));
  ASSERT_TRUE(cache->Put(bundle.digest(), bundle.ToTar()).ok());
  EXPECT_TRUE(cache->Has(bundle.digest()));
}

TEST(BundleCache, RemovesTheLeastRecentlyUsedFirst) {
  const TemporaryFolder folder;
  const std::vector<Bundle> bundles = {Sample(std::string(400, 'a')), Sample(std::string(400, 'b')),
                                       Sample(std::string(400, 'c')),
                                       Sample(std::string(400, 'd'))};
  const auto cache = Open(folder / "bots", 1'000);
  const auto other = Open(folder / "bots", 1'000);
  const auto put = [&](size_t i) {
    ASSERT_TRUE(cache->Put(bundles[i].digest(), bundles[i].ToTar()).ok());
    // File systems may have coarse timestamps.
    fs::last_write_time(folder / ("bots/" + bundles[i].digest()),
                        fs::file_time_type::clock::now() - std::chrono::hours(10 - i));
  };
  const auto is_there = [&](size_t i) {
    return fs::exists(folder / ("bots/" + bundles[i].digest()));
  };
  put(0);
  EXPECT_TRUE(other->Has(bundles[0].digest()));
  put(1);
  cache->KeepOnly({});
  // The first is the oldest, but another worker uses it.
  put(2);
  EXPECT_TRUE(is_there(0));
  EXPECT_FALSE(is_there(1));
  EXPECT_TRUE(is_there(2));
  // Bundles in use stay, even above the limit.
  put(3);
  EXPECT_TRUE(is_there(0) && is_there(2) && is_there(3));
  other->KeepOnly({});
  cache->KeepOnly({bundles[3].digest()});
  put(3);
  EXPECT_TRUE(is_there(0)) << "the other worker has just begun to use it";
  EXPECT_FALSE(is_there(2));
  EXPECT_TRUE(is_there(3));
}

// A bot can lock the folder that it sees.
TEST(BundleCache, LocksOfBotsDelayNothing) {
  const TemporaryFolder folder;
  const Bundle bundle = Sample("one");
  const auto cache = Open(folder / "bots");
  ASSERT_TRUE(cache->Put(bundle.digest(), bundle.ToTar()).ok());
  const std::string files = cache->Folder(bundle.digest()).value();
  const int bot = open(files.c_str(), O_RDONLY | O_DIRECTORY);
  ASSERT_EQ(flock(bot, LOCK_EX | LOCK_NB), 0);
  EXPECT_TRUE(Open(folder / "bots")->Has(bundle.digest()));
  cache->KeepOnly({});
  EXPECT_TRUE(cache->Has(bundle.digest()));
  close(bot);
}

TEST(BundleCache, DoesNotWaitForAWorkerThatRemovesABundle) {
  const TemporaryFolder folder;
  const Bundle bundle = Sample("one");
  ASSERT_TRUE(Open(folder / "bots")->Put(bundle.digest(), bundle.ToTar()).ok());
  const int other = open((folder / ("bots/" + bundle.digest())).c_str(), O_RDONLY | O_DIRECTORY);
  ASSERT_EQ(flock(other, LOCK_EX | LOCK_NB), 0);
  EXPECT_FALSE(Open(folder / "bots")->Has(bundle.digest()));
  close(other);
}

TEST(BundleCache, SeveralWorkersShareIt) {
  const TemporaryFolder folder;
  const Bundle bundle = Sample(std::string(1 << 20, 'x'));
  std::vector<std::thread> workers;
  for (int i = 0; i < 4; ++i) {
    workers.emplace_back([&] {
      for (int round = 0; round < 10; ++round) {
        const auto cache = Open(folder / "bots", 1);
        if (cache->Has(bundle.digest())) continue;
        const absl::Status put = cache->Put(bundle.digest(), bundle.ToTar());
        // Another worker may have created the folder and removed it again, but it is never
        // incomplete.
        EXPECT_TRUE(put.ok() || absl::IsResourceExhausted(put)) << put;
      }
    });
  }
  for (std::thread& worker : workers) worker.join();
  for (const auto& entry : fs::directory_iterator(folder / "bots")) {
    EXPECT_EQ(entry.path().filename(), bundle.digest());
    EXPECT_EQ(DigestFolder(entry.path() / "files").value(), bundle.digest());
  }
}

TEST(BundleCache, RemovesLeftovers) {
  const TemporaryFolder folder;
  fs::create_directories(folder / "bots/.tmp-abcdef/files");
  const auto cache = Open(folder / "bots");
  EXPECT_TRUE(fs::is_empty(folder / "bots"));
}

TEST(BundleCache, RejectsAFolderThatOthersCanWrite) {
  const TemporaryFolder folder;
  fs::create_directory(folder / "open");
  fs::permissions(folder / "open", fs::perms::all);
  const absl::Status status = BundleCache::Open(folder / "open", kMuch).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(status.message()), HasSubstr("other users can write to it"));
  std::ofstream(folder / "file") << "";
  EXPECT_FALSE(BundleCache::Open(folder / "file/bots", kMuch).ok());
  EXPECT_THAT(std::string(BundleCache::Open(folder / "file", kMuch).status().message()),
              HasSubstr("file is not a folder"));
}

}  // namespace
}  // namespace triarch
