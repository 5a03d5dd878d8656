#include "coordinator/service/bundle_registry.h"

#include <filesystem>
#include <fstream>
#include <future>
#include <memory>
#include <string>
#include <vector>

#include "bundle/bundle.h"
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

TEST(FindBundle, FindsTheNewestByNameVersionOrDigest) {
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
  EXPECT_THAT(Find(bundles, "min"),
              HasSubstr("there is no bundle \"min\"; `triarch bots list` shows"));
  EXPECT_THAT(Find({}, ""), HasSubstr("there is no bundle"));
}

// ---- Adding.

// Returns the tar of a process bot.
std::string Tar(const std::string& name, size_t bytes) {
  const TemporaryFolder folder;
  std::ofstream(folder / "bot.yaml")
      << "{name: " << name << ", version: 1, type: process, command: [sh], games: [tri-d]}";
  std::ofstream(folder / "net") << std::string(bytes, 'x');
  return Bundle::FromFolder(folder.path()).value().ToTar();
}

class BundleRegistryTest : public ::testing::Test {
 protected:
  static Access::Caller Caller(const std::string& name) {
    Access::Caller caller{.name = name};
    if (name != "operator") caller.role = Access::Role::kUser;
    return caller;
  }
  std::string Add(const std::string& tar, const std::string& caller) {
    const absl::Status status = registry_.Add(tar, Caller(caller), &is_new_).status();
    return status.ok() ? "" : std::string(status.message());
  }
  std::string Remove(const std::string& name, const std::string& caller) {
    const absl::Status status = registry_.Remove(name, Caller(caller)).status();
    return status.ok() ? "" : std::string(status.message());
  }

  StoreThread store_{MakeMemoryStore()};
  Executor reads_{1};
  std::vector<int64_t> uses_;
  BundleRegistry registry_{{.user_bytes_max = 3 << 20},
                           [this](std::string_view) { return uses_; },
                           store_,
                           store_,
                           reads_};
  bool is_new_ = false;
};

TEST_F(BundleRegistryTest, UsersShareALimit) {
  const std::string first = Tar("first", 2 << 20);
  EXPECT_EQ(Add(first, "ann"), "");
  EXPECT_TRUE(is_new_);
  EXPECT_EQ(Add(first, "ann"), "") << "adding it again changes nothing";
  EXPECT_FALSE(is_new_);
  EXPECT_THAT(Add(Tar("second", 2 << 20), "ann"),
              HasSubstr("more than 3 MB together; remove some"));
  EXPECT_EQ(Add(Tar("third", 2 << 20), "operator"), "") << "an operator's bundle does not count";
  EXPECT_EQ(registry_.All()->size(), 2u);
  EXPECT_EQ(Remove("first", "ann"), "");
  EXPECT_EQ(Add(Tar("second", 2 << 20), "ann"), "");
}

TEST_F(BundleRegistryTest, EachUserHasQuotas) {
  const auto add = [&](const std::string& name, size_t bytes, const Access::Quotas& quotas) {
    Access::Caller ann = Caller("ann");
    ann.quotas = quotas;
    return std::string(registry_.Add(Tar(name, bytes), ann, &is_new_).status().message());
  };
  EXPECT_EQ(add("first", 10, {.bots = 2, .megabytes = 1}), "");
  EXPECT_EQ(Add(Tar("theirs", 2 << 20), "bob"), "");
  EXPECT_EQ(add("second", 1 << 20, {.bots = 2, .megabytes = 1}),
            "your bots would take more than 1 MB together; remove some");
  EXPECT_EQ(add("second", 10, {.bots = 1, .megabytes = 1}),
            "you may have at most 1 version of bots; remove some");
  EXPECT_EQ(add("second", 10, {.bots = 2, .megabytes = 1}), "");
}

TEST_F(BundleRegistryTest, UsersCannotChangeAnOperatorsBots) {
  EXPECT_EQ(Add(Tar("theirs", 1), "operator"), "");
  EXPECT_THAT(Add(Tar("theirs", 2), "ann"), HasSubstr("an operator has added a bot named theirs"));
  EXPECT_THAT(Remove("theirs", "ann"), HasSubstr("an operator has added theirs"));
  EXPECT_EQ(Remove("theirs", "operator"), "");
  EXPECT_TRUE(registry_.All()->empty());
}

TEST_F(BundleRegistryTest, UsersCannotChangeEachOthersBots) {
  EXPECT_EQ(Add(Tar("theirs", 1), "ann"), "");
  EXPECT_THAT(Add(Tar("theirs", 1), "bob"), HasSubstr("user ann has added a bot named theirs"));
  EXPECT_THAT(Remove("theirs", "bob"), HasSubstr("user ann has added theirs"));
  EXPECT_EQ(registry_.All()->front().added_by, "ann");
  EXPECT_EQ(Remove("theirs", "operator"), "");
}

TEST_F(BundleRegistryTest, ABundleInUseCannotBeRemoved) {
  EXPECT_EQ(Add(Tar("mine", 1), "ann"), "");
  uses_ = {4, 9};
  EXPECT_THAT(Remove("mine", "operator"), HasSubstr("tournament 4 needs mine 1 ("));
  uses_.clear();
  EXPECT_EQ(Remove("mine", "operator"), "");
}

TEST_F(BundleRegistryTest, LoadsAndFetchesStoredBundles) {
  const std::string tar = Tar("mine", 100);
  EXPECT_EQ(Add(tar, "ann"), "");
  BundleRegistry next(
      {}, [](std::string_view) { return std::vector<int64_t>(); }, store_, store_, reads_);
  store_.Run([&](Store& store) { EXPECT_TRUE(next.Load(store).ok()); });
  ASSERT_EQ(*next.All(), *registry_.All());
  const auto fetch = [&](const std::string& digest) {
    std::promise<absl::StatusOr<std::shared_ptr<const std::string>>> fetched;
    next.Fetch(digest, [&](auto read) { fetched.set_value(std::move(read)); });
    return fetched.get_future().get();
  };
  EXPECT_EQ(*fetch(next.All()->front().digest).value(), tar);
  EXPECT_EQ(*fetch(next.All()->front().digest).value(), tar) << "from memory";
  EXPECT_EQ(fetch("none").status().code(), absl::StatusCode::kNotFound);
}

TEST_F(BundleRegistryTest, ASpecMustMatchItsBundles) {
  EXPECT_EQ(Add(Tar("mine", 1), "ann"), "");
  const StoredBundle bundle = registry_.All()->front();
  TournamentSpec spec;
  spec.game = "tri-d";
  spec.bots = {{.name = "random", .bot = "random"},
               {.name = "mine 1 (" + bundle.digest.substr(0, 8) + ")", .bot = "process"}};
  BotSpec& bot = spec.bots[1];
  const auto error = [&] { return std::string(registry_.CheckBots(spec).message()); };
  EXPECT_THAT(error(), HasSubstr("whose files are not at the coordinator"));
  bot.bundle = "mine@1";
  bot.digest = bundle.digest;
  bot.command = {"sh"};
  bot.is_sandboxed = true;
  EXPECT_EQ(error(), "");
  bot.command = {"bash"};
  EXPECT_THAT(error(), HasSubstr("differs from its bundle mine 1"));
  bot.command = {"sh"};
  spec.game = "three-way";
  EXPECT_THAT(error(), HasSubstr("does not play three-way"));
  spec.game = "tri-d";
  EXPECT_EQ(Remove("mine", "ann"), "");
  EXPECT_THAT(error(), HasSubstr("it has been removed"));
}

}  // namespace
}  // namespace triarch
