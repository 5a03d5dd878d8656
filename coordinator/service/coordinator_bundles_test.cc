#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "bundle/bundle.h"
#include "coordinator/service/coordinator.h"
#include "core/base/temporary_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace triarch {
namespace {

using ::testing::HasSubstr;

// ---- Names.

std::string Find(const std::vector<StoredBundle>& bundles, const std::string& text) {
  const absl::StatusOr<StoredBundle> found = FindBundle(bundles, text);
  return found.ok() ? found->digest : std::string(found.status().message());
}

StoredBundle Named(const std::string& name, const std::string& version, const std::string& digest) {
  StoredBundle bundle;
  bundle.digest = digest;
  bundle.name = name;
  bundle.version = version;
  return bundle;
}

TEST(FindBundle, TheLastOfThatNameVersionOrDigest) {
  const std::vector<StoredBundle> bundles = {
      Named("mine", "1.0", "aaaa1111"), Named("mine", "1.1", "bbbb2222"),
      Named("yours", "9.9", "cccc3333"), Named("mine", "1.0", "aaaa4444")};
  EXPECT_EQ(Find(bundles, "mine"), "aaaa4444");
  EXPECT_EQ(Find(bundles, "yours"), "cccc3333");
  EXPECT_EQ(Find(bundles, "mine@1.0"), "aaaa4444");
  EXPECT_EQ(Find(bundles, "mine@1.1"), "bbbb2222");
  EXPECT_EQ(Find(bundles, "mine@aaaa"), "aaaa4444");
  EXPECT_EQ(Find(bundles, "mine@aaaa1"), "aaaa1111");
  for (const std::string none : {"mine@aaa", "mine@", "mine@9.9", "mine@cccc3333"}) {
    EXPECT_EQ(Find(bundles, none), "there is no bundle \"" + none +
                                       "\"; expected a version of mine, or the beginning of its "
                                       "digest");
  }
  EXPECT_THAT(Find(bundles, "min"), HasSubstr("there is no bundle \"min\"; `triarch bots list`"));
  EXPECT_THAT(Find({}, ""), HasSubstr("there is no bundle"));
}

// ---- Adding.

// The tar of a process bot.
std::string Tar(const std::string& name, size_t bytes) {
  const TemporaryFolder folder;
  std::ofstream(folder / "bot.yaml")
      << "{name: " << name << ", version: 1, type: process, command: [sh], games: [tri-d]}";
  std::ofstream(folder / "net") << std::string(bytes, 'x');
  return Bundle::FromFolder(folder.path()).value().ToTar();
}

TEST(CoordinatorBundles, UsersHaveSoMuchRoomTogether) {
  CoordinatorMetrics metrics;
  Coordinator::Options options;
  options.user_bundle_bytes_max = 3 << 20;
  const auto coordinator =
      Coordinator::Start(options, 1, MakeMemoryStore(), nullptr, &metrics).value();
  bool is_new = false;
  const auto add = [&](const std::string& tar, bool is_operator) {
    return coordinator->AddBundle(tar, is_operator, &is_new).status();
  };
  const std::string first = Tar("first", 2 << 20);
  EXPECT_TRUE(add(first, false).ok());
  EXPECT_TRUE(is_new);
  EXPECT_TRUE(add(first, false).ok()) << "which is there already";
  EXPECT_FALSE(is_new);
  const absl::Status full = add(Tar("second", 2 << 20), false);
  EXPECT_EQ(full.code(), absl::StatusCode::kResourceExhausted) << full;
  EXPECT_THAT(std::string(full.message()), HasSubstr("more than 3 MB together; remove some"));
  EXPECT_TRUE(add(Tar("third", 2 << 20), true).ok()) << "an operator's";
  EXPECT_EQ(coordinator->Bundles().size(), 2u);
  EXPECT_EQ(coordinator->RemoveBundle("third", false).status().code(),
            absl::StatusCode::kPermissionDenied);
  EXPECT_TRUE(coordinator->RemoveBundle("first", false).ok());
  EXPECT_TRUE(add(Tar("second", 2 << 20), false).ok());
}

}  // namespace
}  // namespace triarch
