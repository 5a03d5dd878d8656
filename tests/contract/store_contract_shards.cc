// Tests that self-play games are recorded together with their shard.
#include <memory>
#include <string>
#include <vector>

#include "tests/contract/store_contract.h"

namespace triarch {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST_P(StoreContractTest, ReturnsShards) {
  const int64_t id = OpenSample();
  EXPECT_THAT(*store_->Shards(id), IsEmpty());
  const ShardEntry shard = SampleShard("a", 10, 15);
  ASSERT_TRUE(store_->RecordShard(id, SampleRecords(10, 15), shard).ok());
  Reopen();
  EXPECT_THAT(*store_->Shards(id), ElementsAre(shard));
  EXPECT_THAT(Recorded(id), ElementsAre(Range{10, 15}));
  EXPECT_EQ(store_->Tournament(id)->games_recorded, 5);
}

TEST_P(StoreContractTest, ShardsAreOrderedByTheirFirstGames) {
  const int64_t id = OpenSample();
  const ShardEntry late = SampleShard("a", 40, 50);
  const ShardEntry early = SampleShard("c", 0, 10);
  // Shards of different workers may be nested.
  const ShardEntry between = SampleShard("b", 4, 5);
  ASSERT_TRUE(store_->RecordShard(id, SampleRecords(40, 50), late).ok());
  ASSERT_TRUE(store_->RecordShard(id, SampleRecords(0, 4), early).ok());
  ASSERT_TRUE(store_->RecordShard(id, SampleRecords(4, 5), between).ok());
  EXPECT_THAT(*store_->Shards(id), ElementsAre(early, between, late));
}

TEST_P(StoreContractTest, ARunKeepsItsName) {
  TournamentSpec spec = SampleSpec();
  spec.selfplay = std::make_shared<const SelfplaySpec>();
  spec.run = "0123456789abcdef";
  spec.data = "here";
  const int64_t id = store_->OpenTournament(spec).value();
  Reopen();
  EXPECT_EQ(store_->Tournament(id)->spec.run, spec.run);
  TournamentSpec again = spec;
  for (const std::string run : {"", "fedcba9876543210"}) {
    again.run = run;
    again.data += "/there";
    EXPECT_EQ(store_->OpenTournament(again).value(), id);
    Reopen();
    EXPECT_EQ(store_->Tournament(id)->spec.run, spec.run);
    EXPECT_EQ(store_->Tournament(id)->spec.data, again.data);
  }
}

TEST_P(StoreContractTest, AnotherRunNeedsAnotherLocation) {
  TournamentSpec spec = SampleSpec();
  spec.selfplay = std::make_shared<const SelfplaySpec>();
  const absl::StatusOr<int64_t> first = store_->OpenTournament(spec);
  ASSERT_TRUE(first.ok());
  spec.seed = 8;
  if (GetParam().holds_many) {
    EXPECT_NE(store_->OpenTournament(spec).value(), *first);
    return;
  }
  EXPECT_THAT(store_->OpenTournament(spec).status().message(),
              HasSubstr("its seed is 7, not 8; use another --data (and --db, if you name one)"));
}

TEST_P(StoreContractTest, ShardsOfAnUnknownTournamentAreAnError) {
  const absl::Status status = store_->RecordShard(7, SampleRecords(0, 1), SampleShard("a", 0, 1));
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound) << status;
  EXPECT_EQ(store_->Shards(7).status().code(), absl::StatusCode::kNotFound);
}

TEST_P(StoreContractTest, RecordingAShardAgainChangesNothing) {
  const int64_t id = OpenSample();
  const ShardEntry shard = SampleShard("a", 0, 5);
  ASSERT_TRUE(store_->RecordShard(id, SampleRecords(0, 5), shard).ok());
  for (int i = 0; i < 2; ++i) {
    const absl::Status again = store_->RecordShard(id, SampleRecords(0, 5), shard);
    EXPECT_TRUE(again.ok()) << again;
    Reopen();
  }
  EXPECT_THAT(*store_->Shards(id), ElementsAre(shard));
  EXPECT_THAT(Indices(id), ElementsAre(0, 1, 2, 3, 4));
  EXPECT_EQ(store_->Tournament(id)->games_recorded, 5);
}

// Otherwise, games that are in no shard would count as recorded.
TEST_P(StoreContractTest, TwoShardsWithOneNameAreRefused) {
  const int64_t id = OpenSample();
  const ShardEntry shard = SampleShard("a", 0, 5);
  ASSERT_TRUE(store_->RecordShard(id, SampleRecords(0, 5), shard).ok());
  ShardEntry other = shard;
  other.sha256 = std::string(64, 'b');
  for (const ShardEntry& wrong : {other, SampleShard("a", 5, 10), SampleShard("a", 0, 4)}) {
    const absl::Status status =
        store_->RecordShard(id, SampleRecords(wrong.first, wrong.last + 1), wrong);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
    EXPECT_THAT(status.message(), HasSubstr("another shard has the name " + shard.shard));
  }
  EXPECT_THAT(*store_->Shards(id), ElementsAre(shard));
  EXPECT_THAT(Recorded(id), ElementsAre(Range{0, 5}));
}

TEST_P(StoreContractTest, APartlyRecordedShardIsRefused) {
  const int64_t id = OpenSample();
  const ShardEntry first = SampleShard("a", 0, 5);
  ASSERT_TRUE(store_->RecordShard(id, SampleRecords(0, 5), first).ok());
  ASSERT_TRUE(store_->Record(id, SampleRecords(20, 21)).ok());
  for (const ShardEntry& other : {SampleShard("b", 4, 9), SampleShard("c", 0, 5),
                                  SampleShard("d", 15, 25), SampleShard("e", 20, 21)}) {
    const absl::Status status =
        store_->RecordShard(id, SampleRecords(other.first, other.last + 1), other);
    EXPECT_EQ(status.code(), absl::StatusCode::kAlreadyExists) << status;
    EXPECT_THAT(status.message(), HasSubstr(other.shard));
  }
  Reopen();
  EXPECT_THAT(*store_->Shards(id), ElementsAre(first));
  EXPECT_THAT(Recorded(id), ElementsAre(Range{0, 5}, Range{20, 21}));
  EXPECT_THAT(Games(id), SizeIs(6));
}

TEST_P(StoreContractTest, AShardWithADuplicateGameIsRefused) {
  const int64_t id = OpenSample();
  const std::vector<GameRecord> records = {SampleRecord(3), SampleRecord(4), SampleRecord(3)};
  const absl::Status status = store_->RecordShard(id, records, SampleShard("a", 3, 5));
  EXPECT_EQ(status.code(), absl::StatusCode::kAlreadyExists) << status;
  EXPECT_THAT(*store_->Shards(id), IsEmpty());
  EXPECT_THAT(Games(id), IsEmpty());
}

TEST_P(StoreContractTest, AFaultyShardRecordsNothing) {
  const int64_t id = OpenSample();
  std::vector<GameRecord> records = SampleRecords(0, 5);
  records[3].is_finished = false;
  const ShardEntry shard = SampleShard("a", 0, 5);
  EXPECT_EQ(store_->RecordShard(id, records, shard).code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(*store_->Shards(id), IsEmpty());
  EXPECT_THAT(Recorded(id), IsEmpty());
  EXPECT_TRUE(store_->RecordShard(id, SampleRecords(0, 5), shard).ok());
}

TEST_P(StoreContractTest, TheLastShardSetsDone) {
  const int64_t id = OpenSample();
  ASSERT_TRUE(store_->RecordShard(id, SampleRecords(0, 60), SampleShard("a", 0, 60)).ok());
  EXPECT_EQ(store_->Tournament(id)->state, TournamentState::kActive);
  ASSERT_TRUE(store_->RecordShard(id, SampleRecords(60, 100), SampleShard("b", 60, 100)).ok());
  EXPECT_EQ(store_->Tournament(id)->state, TournamentState::kDone);
}

TEST_P(StoreContractTest, EveryTournamentHasItsOwnShards) {
  const int64_t first = store_->AddTournament(SampleSpec(), "").value().id;
  const absl::StatusOr<StoredTournament> second = store_->AddTournament(SampleSpec(), "");
  ASSERT_EQ(second.ok(), GetParam().holds_many);
  const ShardEntry shard = SampleShard("a", 0, 5);
  ASSERT_TRUE(store_->RecordShard(first, SampleRecords(0, 5), shard).ok());
  if (!second.ok()) {  // the store holds only the first
    EXPECT_THAT(*store_->Shards(first), ElementsAre(shard));
    return;
  }
  EXPECT_THAT(*store_->Shards(second->id), IsEmpty());
  const ShardEntry other = SampleShard("a", 2, 8);
  ASSERT_TRUE(store_->RecordShard(second->id, SampleRecords(2, 8), other).ok());
  EXPECT_THAT(*store_->Shards(first), ElementsAre(shard));
  EXPECT_THAT(*store_->Shards(second->id), ElementsAre(other));
}

}  // namespace
}  // namespace triarch
