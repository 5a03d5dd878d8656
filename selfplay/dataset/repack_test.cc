#include "selfplay/dataset/repack.h"

#include <string>
#include <vector>

#include "core/base/sha256.h"
#include "core/base/temporary_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "selfplay/dataset/data_check.h"
#include "selfplay/shard/manifest.h"
#include "selfplay/shard/played_shard.h"

namespace triarch {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Two shards with interleaved games: 4, 14, 24 from one build and 0, 10, 20 from another.
class RepackTest : public ::testing::Test {
 protected:
  RepackTest() {
    std::string manifest;
    for (const int64_t first : {4, 0}) {
      Shard shard = MakePlayedShard("triumvirate", first);
      shard.meta.build = "build " + std::to_string(first);
      const std::string bytes = *WriteShard(shard, Compression::kDeflate);
      const ShardEntry entry = {.shard = "shards/" + std::to_string(first) + ".npz",
                                .sha256 = Sha256Hex(bytes),
                                .samples = static_cast<int64_t>(shard.samples()),
                                .bytes = static_cast<int64_t>(bytes.size()),
                                .games = 3,
                                .first = first,
                                .last = first + 20,
                                .format = kShardFormat,
                                .game = "triumvirate",
                                .spec = shard.meta.spec,
                                .build = shard.meta.build};
      EXPECT_TRUE(Location("from")->Put(entry.shard, bytes).ok());
      manifest += ManifestLine(entry) + "\n";
      shards_.push_back(std::move(shard));
    }
    EXPECT_TRUE(Location("from")->Put(kManifestName, manifest).ok());
  }

  std::unique_ptr<BlobStore> Location(const std::string& name) {
    return OpenBlobStore(folder_ / name).value();
  }

  TemporaryFolder folder_;
  std::vector<Shard> shards_;
};

TEST_F(RepackTest, KeepsGamesWholeAndInOrder) {
  const DataSet from = DataSet::Open(Location("from")).value();
  for (const int64_t size : {1, 20, 1'000'000}) {
    const std::string name = std::to_string(size);
    const auto to = Location(name);
    const absl::StatusOr<std::vector<ShardEntry>> entries =
        Repack(from, {.shard_samples = size, .compression = Compression::kStored}, *to);
    ASSERT_TRUE(entries.ok()) << entries.status();
    const DataSet data = DataSet::Open(Location(name)).value();
    EXPECT_EQ(data.entries(), *entries);
    std::vector<int64_t> games;
    int64_t samples = 0;
    for (const ShardEntry& entry : *entries) {
      const Shard shard = data.Read(entry).value();
      games.insert(games.end(), shard.game_index.begin(), shard.game_index.end());
      samples += entry.samples;
      if (&entry != &entries->back()) {
        EXPECT_GE(entry.samples, size);
      }
    }
    EXPECT_THAT(games, ElementsAre(0, 4, 10, 14, 20, 24));
    EXPECT_EQ(samples, static_cast<int64_t>(shards_[0].samples() + shards_[1].samples()));
    EXPECT_EQ(entries->size(), size == 1 ? 6u : size == 20 ? 3u : 1u);
    EXPECT_EQ((*entries)[0].build, size == 1 ? "build 0" : "build 0, build 4");
    EXPECT_TRUE(CheckData(data, data.entries(), [](const std::string& fault) {
                  ADD_FAILURE() << fault;
                }).ok());
  }
}

// Rebuilding a shard from its own games produces the same shard.
TEST_F(RepackTest, AppendingAllGamesCopiesAShard) {
  const Shard& shard = shards_[0];
  Shard again = MakeEmptyShard(shard.meta);
  const std::vector<SampleRange> samples = SamplesByGame(shard);
  for (size_t game = 0; game < shard.games(); ++game) {
    AppendGame(shard, game, samples[game], &again);
  }
  EXPECT_EQ(again, shard);
}

TEST_F(RepackTest, DoesNotOverwriteData) {
  const DataSet from = DataSet::Open(Location("from")).value();
  const std::string manifest = *Location("from")->Get(kManifestName);
  const absl::Status status = Repack(from, {}, *Location("from")).status();
  EXPECT_TRUE(absl::IsFailedPrecondition(status)) << status;
  EXPECT_EQ(*Location("from")->Get(kManifestName), manifest);
}

// The manifest is written only after everything else.
TEST_F(RepackTest, WritesNoManifestForInvalidData) {
  const DataSet from = DataSet::Open(Location("from")).value();
  ASSERT_TRUE(Location("from")->Put("shards/4.npz", "not a shard").ok());
  const absl::Status status = Repack(from, {.shard_samples = 1}, *Location("to")).status();
  EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("from/shards/4.npz: "));
  EXPECT_TRUE(absl::IsNotFound(Location("to")->Get(kManifestName).status()));
}

TEST_F(RepackTest, RejectsDuplicateGames) {
  const std::string manifest = *Location("from")->Get(kManifestName);
  ASSERT_TRUE(Location("from")->Put(kManifestName, manifest + manifest).ok());
  const DataSet from = DataSet::Open(Location("from")).value();
  const absl::Status status = Repack(from, {}, *Location("to")).status();
  EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("game 0: an earlier shard contains it"));
}

}  // namespace
}  // namespace triarch
