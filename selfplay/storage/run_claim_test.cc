#include "selfplay/storage/run_claim.h"

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

// A folder; before each claim is written, something else happens there.
class BusySink : public BlobStore {
 public:
  BusySink(std::string path, std::function<void(BlobStore&)> before_put)
      : blobs_(MakeFolderSink(std::move(path))), before_put_(std::move(before_put)) {}
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
  const std::unique_ptr<BlobStore> blobs_ = MakeFolderSink(path_);
};

TEST_F(RunClaimTest, NamesAreDrawn) {
  const std::string name = NewRunName();
  EXPECT_THAT(name, ::testing::MatchesRegex("[0-9a-f]{16}"));
  EXPECT_NE(name, NewRunName());
  EXPECT_TRUE(IsShardName(ShardPrefix(name) + "000000000000-0123456789abcdef-1.npz"));
  EXPECT_TRUE(CheckSinkName(ClaimName(name)).ok());
}

TEST_F(RunClaimTest, WhoIsFirstHasThePlace) {
  EXPECT_THAT(*ClaimsIn(*blobs_), IsEmpty());
  ASSERT_TRUE(ClaimPlace(*blobs_, kOurs, {}).ok());
  EXPECT_TRUE(ClaimPlace(*blobs_, kOurs, {}).ok()) << "again";
  const absl::Status status = ClaimPlace(*blobs_, kTheirs, {});
  EXPECT_TRUE(absl::IsFailedPrecondition(status)) << status;
  EXPECT_THAT(
      std::string(status.message()),
      AllOf(HasSubstr(path_ + " has the data of another run (its claim is " + ClaimName(kOurs)),
            HasSubstr("--data, output.data")));
  EXPECT_THAT(*ClaimsIn(*blobs_), ElementsAre(kOurs));
}

TEST_F(RunClaimTest, FilesOfThePlacesOwnerAreNoClaims) {
  for (const char* name : {"run-", "run-notes.txt", "run-0123456789ABCDEF", "run-0"}) {
    ASSERT_TRUE(blobs_->Put(name, "mine").ok());
  }
  EXPECT_THAT(*ClaimsIn(*blobs_), IsEmpty());
  EXPECT_TRUE(ClaimPlace(*blobs_, kOurs, {}).ok());
}

TEST_F(RunClaimTest, AManifestOfOtherShardsIsAnothers) {
  const std::string line = ManifestLine(Named("theirs")) + "\n";
  ASSERT_TRUE(blobs_->Put(kManifestName, line).ok());
  const absl::Status status = ClaimPlace(*blobs_, kOurs, {});
  EXPECT_TRUE(absl::IsFailedPrecondition(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("shards/theirs.npz is not recorded here"));
  EXPECT_THAT(*ClaimsIn(*blobs_), IsEmpty());
  EXPECT_TRUE(ClaimPlace(*blobs_, kOurs, {Named("a"), Named("theirs")}).ok());
  ASSERT_TRUE(blobs_->Put(kManifestName, line + "{}\n").ok());
  EXPECT_TRUE(absl::IsInvalidArgument(ClaimPlace(*blobs_, kOurs, {Named("theirs")})));
}

TEST_F(RunClaimTest, ARestoredDatabaseMayKnowLess) {
  const ShardEntry later = Named(kOurs + "-later");
  ASSERT_TRUE(blobs_->Put(kManifestName, ManifestLine(later) + "\n").ok());
  EXPECT_TRUE(ClaimPlace(*blobs_, kOurs, {}).ok());
}

// Both have seen an empty place; the one whose claim comes second sees the other's.
TEST_F(RunClaimTest, OfTwoAtATimeAtMostOneHasIt) {
  absl::Status theirs = absl::UnknownError("");
  BusySink busy(path_, [&theirs](BlobStore& blobs) { theirs = ClaimPlace(blobs, kTheirs, {}); });
  const absl::Status ours = ClaimPlace(busy, kOurs, {});
  EXPECT_TRUE(theirs.ok()) << theirs;
  EXPECT_TRUE(absl::IsFailedPrecondition(ours)) << ours;
  EXPECT_THAT(*ClaimsIn(*blobs_), ElementsAre(kTheirs));
}

// A store that has the file, but whose answer never comes.
class MuteSink final : public BusySink {
 public:
  explicit MuteSink(const std::string& path) : BusySink(path, [](BlobStore&) {}) {}
  absl::Status Put(std::string_view name, std::string_view bytes) override {
    EXPECT_TRUE(BusySink::Put(name, bytes).ok());
    return absl::UnavailableError("no answer");
  }
};

TEST_F(RunClaimTest, AClaimThatFailsDoesNotLockThePlace) {
  MuteSink mute(path_);
  EXPECT_TRUE(absl::IsUnavailable(ClaimPlace(mute, kTheirs, {})));
  EXPECT_TRUE(ClaimPlace(*blobs_, kOurs, {}).ok());
}

}  // namespace
}  // namespace triarch
