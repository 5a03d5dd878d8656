#include "selfplay/dataset/run_claim.h"

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/temporary_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "selfplay/shard/manifest.h"
#include "selfplay/storage/folder_blob_store.h"

namespace triarch {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::string kOurs(16, 'a');
const std::string kTheirs(16, 'b');

ShardEntry Named(const std::string& name) {
  return {.shard = "shards/" + name + ".npz",
          .sha256 = std::string(64, 'a'),
          .samples = 9,
          .bytes = 99,
          .games = 1,
          .first = 0,
          .last = 0,
          .format = 1,
          .game = "tri-d",
          .spec = std::string(64, 'c'),
          .build = "1"};
}

// A folder in which something else happens just before each claim is written.
class BusyBlobStore : public BlobStore {
 public:
  BusyBlobStore(std::string path, std::function<void(BlobStore&)> before_put)
      : blobs_(MakeFolderBlobStore(std::move(path))), before_put_(std::move(before_put)) {}
  absl::Status Put(std::string_view name, std::string_view bytes) override {
    before_put_(*blobs_);
    return blobs_->Put(name, bytes);
  }
  absl::StatusOr<std::string> Get(std::string_view name) override { return blobs_->Get(name); }
  absl::StatusOr<std::vector<std::string>> List(std::string_view prefix) override {
    return blobs_->List(prefix);
  }
  absl::Status Remove(std::string_view name) override { return blobs_->Remove(name); }
  absl::Status RemoveUnfinished(std::string_view prefix) override {
    return blobs_->RemoveUnfinished(prefix);
  }
  std::string Describe() const override { return blobs_->Describe(); }

 private:
  const std::unique_ptr<BlobStore> blobs_;
  const std::function<void(BlobStore&)> before_put_;
};

class RunClaimTest : public ::testing::Test {
 protected:
  const TemporaryFolder folder_;
  const std::string path_ = folder_ / "data";
  const std::unique_ptr<BlobStore> blobs_ = MakeFolderBlobStore(path_);
};

TEST_F(RunClaimTest, NamesAreRandom) {
  const std::string name = NewRunName();
  EXPECT_THAT(name, ::testing::MatchesRegex("[0-9a-f]{16}"));
  EXPECT_NE(name, NewRunName());
  EXPECT_TRUE(IsShardName(ShardPrefix(name) + "000000000000-0123456789abcdef-1.npz"));
  EXPECT_TRUE(CheckBlobName(ClaimName(name)).ok());
}

TEST_F(RunClaimTest, TheFirstRunOwnsTheLocation) {
  EXPECT_THAT(*ListClaims(*blobs_), IsEmpty());
  ASSERT_TRUE(ClaimLocation(*blobs_, kOurs, {}).ok());
  EXPECT_TRUE(ClaimLocation(*blobs_, kOurs, {}).ok()) << "again";
  const absl::Status status = ClaimLocation(*blobs_, kTheirs, {});
  EXPECT_TRUE(absl::IsFailedPrecondition(status)) << status;
  EXPECT_THAT(
      std::string(status.message()),
      AllOf(HasSubstr(path_ + " holds the data of another run (claim file " + ClaimName(kOurs)),
            HasSubstr("--data, output.data")));
  EXPECT_THAT(*ListClaims(*blobs_), ElementsAre(kOurs));
}

TEST_F(RunClaimTest, IgnoresOtherFiles) {
  for (const char* name : {"run-", "run-notes.txt", "run-0123456789ABCDEF", "run-0"}) {
    ASSERT_TRUE(blobs_->Put(name, "mine").ok());
  }
  EXPECT_THAT(*ListClaims(*blobs_), IsEmpty());
  EXPECT_TRUE(ClaimLocation(*blobs_, kOurs, {}).ok());
}

TEST_F(RunClaimTest, AManifestWithOtherShardsBelongsToAnotherRun) {
  const std::string line = ManifestLine(Named("theirs")) + "\n";
  ASSERT_TRUE(blobs_->Put(kManifestName, line).ok());
  const absl::Status status = ClaimLocation(*blobs_, kOurs, {});
  EXPECT_TRUE(absl::IsFailedPrecondition(status)) << status;
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("shards/theirs.npz is not recorded in this database"));
  EXPECT_THAT(*ListClaims(*blobs_), IsEmpty());
  EXPECT_TRUE(ClaimLocation(*blobs_, kOurs, {Named("a"), Named("theirs")}).ok());
  ASSERT_TRUE(blobs_->Put(kManifestName, line + "{}\n").ok());
  EXPECT_TRUE(absl::IsInvalidArgument(ClaimLocation(*blobs_, kOurs, {Named("theirs")})));
}

TEST_F(RunClaimTest, ARestoredDatabaseMayKnowFewerShards) {
  const ShardEntry later = Named(kOurs + "-later");
  ASSERT_TRUE(blobs_->Put(kManifestName, ManifestLine(later) + "\n").ok());
  EXPECT_TRUE(ClaimLocation(*blobs_, kOurs, {}).ok());
}

// Both saw an empty location; the second claim to be written sees the first.
TEST_F(RunClaimTest, AtMostOneOfTwoConcurrentClaimsSucceeds) {
  absl::Status theirs = absl::UnknownError("");
  BusyBlobStore busy(path_,
                     [&theirs](BlobStore& blobs) { theirs = ClaimLocation(blobs, kTheirs, {}); });
  const absl::Status ours = ClaimLocation(busy, kOurs, {});
  EXPECT_TRUE(theirs.ok()) << theirs;
  EXPECT_TRUE(absl::IsFailedPrecondition(ours)) << ours;
  EXPECT_THAT(*ListClaims(*blobs_), ElementsAre(kTheirs));
}

// A store that writes the file but whose response is lost.
class SilentBlobStore final : public BusyBlobStore {
 public:
  explicit SilentBlobStore(const std::string& path) : BusyBlobStore(path, [](BlobStore&) {}) {}
  absl::Status Put(std::string_view name, std::string_view bytes) override {
    EXPECT_TRUE(BusyBlobStore::Put(name, bytes).ok());
    return absl::UnavailableError("no answer");
  }
};

TEST_F(RunClaimTest, AFailedClaimDoesNotLockTheLocation) {
  SilentBlobStore mute(path_);
  EXPECT_TRUE(absl::IsUnavailable(ClaimLocation(mute, kTheirs, {})));
  EXPECT_TRUE(ClaimLocation(*blobs_, kOurs, {}).ok());
}

}  // namespace
}  // namespace triarch
