#include "selfplay/dataset/data_set.h"

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
using ::testing::IsEmpty;

// A location with shards and correct manifest entries.
class DataSetTest : public ::testing::Test {
 protected:
  void Add(const Shard& shard) {
    const std::string bytes = *WriteShard(shard, Compression::kDeflate);
    entries_.push_back({.shard = "shards/" + std::to_string(entries_.size()) + ".npz",
                        .sha256 = Sha256Hex(bytes),
                        .samples = static_cast<int64_t>(shard.samples()),
                        .bytes = static_cast<int64_t>(bytes.size()),
                        .games = static_cast<int64_t>(shard.games()),
                        .first = shard.game_index.front(),
                        .last = shard.game_index.back(),
                        .format = kShardFormat,
                        .game = shard.meta.game,
                        .spec = shard.meta.spec,
                        .build = shard.meta.build});
    ASSERT_TRUE(Location()->Put(entries_.back().shard, bytes).ok());
  }

  std::unique_ptr<BlobStore> Location() { return OpenBlobStore(folder_.path()).value(); }

  DataSet Open() {
    std::string text;
    for (const ShardEntry& entry : entries_) text += ManifestLine(entry) + "\n";
    EXPECT_TRUE(Location()->Put(kManifestName, text).ok());
    return DataSet::Open(Location()).value();
  }

  std::vector<std::string> Faults() {
    const DataSet data = Open();
    std::vector<std::string> faults;
    const auto counts =
        CheckData(data, data.entries(), [&](const std::string& fault) { faults.push_back(fault); });
    EXPECT_TRUE(counts.ok()) << counts.status();
    if (counts.ok()) counts_ = *counts;
    return faults;
  }

  TemporaryFolder folder_;
  std::vector<ShardEntry> entries_;
  DataCounts counts_;
};

TEST_F(DataSetTest, ReadsAllShards) {
  Add(MakePlayedShard("tri-d"));
  Add(MakePlayedShard("tri-d", 1));
  const DataSet data = Open();
  EXPECT_EQ(data.location(), folder_.path());
  EXPECT_EQ(data.entries(), entries_);
  EXPECT_EQ(data.Read(entries_[1]).value(), MakePlayedShard("tri-d", 1));
  for (const char* name : {"shards/1.npz", "1.npz", "1"}) {
    EXPECT_EQ(data.Find(name).value(), entries_[1]) << name;
  }
  EXPECT_TRUE(absl::IsNotFound(data.Find("2").status()));
  EXPECT_THAT(Faults(), IsEmpty());
  EXPECT_EQ(counts_.shards, 2);
  EXPECT_EQ(counts_.games, 6);
  EXPECT_EQ(counts_.samples, entries_[0].samples + entries_[1].samples);
}

TEST_F(DataSetTest, NoManifest) {
  const absl::Status missing = DataSet::Open(Location()).status();
  EXPECT_TRUE(absl::IsNotFound(missing));
  EXPECT_THAT(std::string(missing.message()), HasSubstr(folder_.path() + ": no manifest"));
  ASSERT_TRUE(Location()->Put(kManifestName, "{}\n").ok());
  const absl::Status faulty = DataSet::Open(Location()).status();
  EXPECT_TRUE(absl::IsInvalidArgument(faulty));
  EXPECT_THAT(std::string(faulty.message()), HasSubstr(folder_.path() + "/manifest.jsonl:1: "));
}

TEST_F(DataSetTest, DetectsFilesThatDoNotMatchTheirEntries) {
  Add(MakePlayedShard("triumvirate"));
  Add(MakePlayedShard("triumvirate", 1));
  Add(MakePlayedShard("triumvirate", 2));
  std::string bytes = *Location()->Get("shards/0.npz");
  ASSERT_TRUE(Location()->Put("shards/0.npz", bytes + "x").ok());
  bytes = *Location()->Get("shards/1.npz");
  bytes[bytes.size() / 2] ^= 1;
  ASSERT_TRUE(Location()->Put("shards/1.npz", bytes).ok());
  ASSERT_TRUE(Location()->Remove("shards/2.npz").ok());
  const std::vector<std::string> faults = Faults();
  ASSERT_GE(faults.size(), 4u);
  EXPECT_THAT(faults[0],
              HasSubstr("shards/0.npz: the manifest says " + std::to_string(entries_[0].bytes) +
                        " bytes; the file has " + std::to_string(entries_[0].bytes + 1)));
  EXPECT_THAT(faults[1], HasSubstr("shards/0.npz: the manifest says SHA-256 "));
  EXPECT_THAT(faults, ::testing::Contains(HasSubstr("shards/1.npz: the manifest says SHA-256 ")));
  EXPECT_EQ(faults.back(), "shards/2.npz: the file is missing");
  const DataSet data = Open();
  for (const ShardEntry& entry : entries_) {
    EXPECT_THAT(std::string(data.Read(entry).status().message()),
                ::testing::StartsWith(folder_.path() + "/" + entry.shard + ": "));
  }
}

TEST_F(DataSetTest, DetectsWrongFigures) {
  Add(MakePlayedShard("triumvirate"));
  const ShardEntry right = entries_[0];
  const auto fault = [&](const ShardEntry& wrong) {
    entries_[0] = wrong;
    const std::vector<std::string> faults = Faults();
    EXPECT_EQ(faults.size(), 1u);
    EXPECT_TRUE(absl::IsInvalidArgument(Open().Read(wrong).status()));
    entries_[0] = right;
    return faults.empty() ? "" : faults[0];
  };
  ShardEntry wrong = right;
  ++wrong.samples;
  EXPECT_EQ(fault(wrong), "shards/0.npz: the manifest says samples " +
                              std::to_string(wrong.samples) + "; the shard has " +
                              std::to_string(right.samples));
  wrong = right;
  --wrong.games;
  EXPECT_EQ(fault(wrong), "shards/0.npz: the manifest says games 2; the shard has 3");
  wrong = right;
  ++wrong.first;
  EXPECT_EQ(fault(wrong), "shards/0.npz: the manifest says first 1; the shard has 0");
  wrong = right;
  ++wrong.last;
  EXPECT_EQ(fault(wrong), "shards/0.npz: the manifest says last 21; the shard has 20");
  wrong = right;
  wrong.game = "tri-d";
  EXPECT_THAT(fault(wrong), HasSubstr("the manifest says game \"tri-d\""));
  wrong = right;
  wrong.spec = std::string(64, 'b');
  EXPECT_THAT(fault(wrong), HasSubstr("the manifest says spec \"bbb"));
  wrong = right;
  wrong.build = "2";
  EXPECT_THAT(fault(wrong), HasSubstr("the manifest says build \"2\""));
}

TEST_F(DataSetTest, DetectsShardsOfDifferentRuns) {
  Add(MakePlayedShard("triumvirate"));
  Shard other = MakePlayedShard("triumvirate", 10);  // games 10, 20, 30
  other.meta.tournament = 4;
  other.meta.build = "another, which is allowed";
  Add(other);
  EXPECT_THAT(
      Faults(),
      ElementsAre("shards/1.npz: meta: tournament, game, spec, start or bots differ from the "
                  "first shard",
                  "shards/1.npz: game 10: an earlier shard contains it too",
                  "shards/1.npz: game 20: an earlier shard contains it too"));
}

TEST_F(DataSetTest, DetectsAManifestOfSeveralRuns) {
  ShardEntry entry = {.shard = "shards/1.npz", .game = "tri-d", .spec = "a"};
  std::vector<ShardEntry> entries(4, entry);
  entries[1].shard = "shards/../2.npz";
  entries[2].game = "three-way";
  entries[2].shard = "shards/3.npz";
  entries[3].spec = "b";
  EXPECT_THAT(FindManifestFaults(entries),
              ElementsAre(HasSubstr("\"shards/../2.npz\": not a shard name"),
                          HasSubstr("shards/3.npz: its game is \"three-way\""),
                          HasSubstr("shards/1.npz: listed twice"),
                          HasSubstr("shards/1.npz: its spec digest is \"b\"")));
}

// Even if all files match the manifest, the samples must follow the rules.
TEST_F(DataSetTest, ReplaysEverySample) {
  Shard shard = MakePlayedShard("three-way");
  shard.state[15] = 1;
  Add(shard);
  EXPECT_THAT(Faults(), ElementsAre("shards/0.npz: sample 0 (game 0, ply 1): state: byte 15 is 1; "
                                    "expected 0"));
}

}  // namespace
}  // namespace triarch
