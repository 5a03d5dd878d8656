#include "worker/selfplay/shard_maker.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <latch>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "core/base/sha256.h"
#include "core/base/temporary_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "selfplay/shard/manifest.h"
#include "selfplay/shard/shard.h"
#include "worker/match/match.h"
#include "worker/match/scripted_player.h"

namespace triarch {
namespace {

namespace fs = std::filesystem;

using ::testing::HasSubstr;
using ::testing::StartsWith;

class ShardMakerTest : public ::testing::Test {
 protected:
  ShardMakerTest() {
    spec_.name = "data";
    spec_.game = "three-way";
    spec_.bots = {{.name = "a", .bot = "random"}, {.name = "b", .bot = "random"}};
    spec_.games = 100;
    spec_.seed = 3;
    spec_.adjudication.plies_max = 60;
    spec_.data = folder_ / "data";
    spec_.run = "0123456789abcdef";
    selfplay_.temperature = {{.plies = 0, .temperature = 1}};
    selfplay_.drops_duplicates = false;
  }

  std::shared_ptr<const Schedule> MakeSchedule() const {
    TournamentSpec spec = spec_;
    spec.selfplay = std::make_shared<const SelfplaySpec>(selfplay_);
    return std::make_shared<const Schedule>(Schedule::Make(spec).value());
  }
  // Plays games `first` to `last` with random players. Returns them out of order, as slots finish
  // them.
  static std::vector<GameRecord> Play(const Schedule& schedule, int64_t first, int64_t last) {
    std::vector<GameRecord> games;
    for (int64_t index = first; index < last; ++index) {
      std::vector<RandomPlayer> made(kSeatsMax);
      PerSeat<PlayerRef> players{};
      for (size_t i = 0; i < kSeatsMax; ++i) players[SeatAt(i)] = &made[i];
      const std::atomic<bool> stop = false;
      games.push_back(**PlayGame(schedule.Game(index), players, stop));
    }
    std::rotate(games.begin(), games.begin() + 1, games.end());
    return games;
  }
  static WorkerInfo Worker(uint64_t instance) {
    return {.id = {.name = "w", .instance = instance},
            .slots = 1,
            .games = {},
            .bots = {},
            .build = "1.2"};
  }
  static absl::StatusOr<ShardEntry> Make(ShardMaker& maker,
                                         const std::shared_ptr<const Schedule>& schedule,
                                         const std::vector<GameRecord>& games) {
    absl::StatusOr<ShardEntry> made = absl::UnknownError("");
    std::latch done(1);
    maker.Make(7, schedule, games, [&](const absl::StatusOr<ShardEntry>& entry) {
      made = entry;
      done.count_down();
    });
    done.wait();
    return made;
  }
  std::string Bytes(const ShardEntry& entry) const {
    std::ifstream file(fs::path(spec_.data) / entry.shard, std::ios::binary);
    EXPECT_TRUE(file.is_open()) << entry.shard;
    return std::string(std::istreambuf_iterator<char>(file), {});
  }

  const TemporaryFolder folder_;
  TournamentSpec spec_;
  SelfplaySpec selfplay_;
};

TEST_F(ShardMakerTest, AShardMatchesItsEntry) {
  const auto schedule = MakeSchedule();
  const std::vector<GameRecord> games = Play(*schedule, 12, 18);
  ShardMaker maker(Worker(5));
  const absl::StatusOr<ShardEntry> entry = Make(maker, schedule, games);
  ASSERT_TRUE(entry.ok()) << entry.status();
  EXPECT_TRUE(IsShardName(entry->shard)) << entry->shard;
  EXPECT_THAT(entry->shard, StartsWith(ShardPrefix(spec_.run) + "000000000012-"));
  const std::string bytes = Bytes(*entry);
  EXPECT_EQ(entry->sha256, Sha256Hex(bytes));
  EXPECT_EQ(entry->bytes, static_cast<int64_t>(bytes.size()));
  EXPECT_EQ(entry->games, 6);
  EXPECT_EQ(entry->first, 12);
  EXPECT_EQ(entry->last, 17);
  EXPECT_EQ(entry->format, kShardFormat);
  EXPECT_EQ(entry->game, "three-way");
  EXPECT_EQ(entry->spec, SpecDigest(schedule->spec()));
  EXPECT_EQ(entry->build, "1.2");
  int64_t samples = 0;
  for (const GameRecord& game : games) samples += game.samples->count;
  EXPECT_EQ(entry->samples, samples);
  EXPECT_GT(samples, 100);
  EXPECT_EQ(ParseManifestLine(ManifestLine(*entry)).value(), *entry);
}

TEST_F(ShardMakerTest, AShardContainsTheGames) {
  spec_.adjudication.plies_max = 100'000;
  const auto schedule = MakeSchedule();
  std::vector<GameRecord> games = Play(*schedule, 0, 8);
  ShardMaker maker(Worker(5));
  const absl::StatusOr<ShardEntry> entry = Make(maker, schedule, games);
  ASSERT_TRUE(entry.ok()) << entry.status();
  const Shard shard = ReadShard(Bytes(*entry)).value();
  EXPECT_EQ(shard.meta.game, "three-way");
  EXPECT_EQ(shard.meta.tournament, 7);
  EXPECT_EQ(shard.meta.spec, entry->spec);
  EXPECT_EQ(shard.meta.bots, (std::vector<std::string>{"a", "b"}));
  std::sort(games.begin(), games.end(),
            [](const GameRecord& a, const GameRecord& b) { return a.index < b.index; });
  ASSERT_EQ(shard.games(), games.size());
  std::set<int> seen;
  std::set<double> shares;
  for (size_t i = 0; i < games.size(); ++i) {
    EXPECT_EQ(shard.game_index[i], games[i].index);
    const auto begin = shard.game_moves.begin();
    EXPECT_EQ(std::vector<uint16_t>(begin + shard.game_moves_offsets[i],
                                    begin + shard.game_moves_offsets[i + 1]),
              games[i].samples->moves);
    const PerSeat<double> points = Points(games[i].outcome.place, kSeatsMax);
    const double sum = points[Seat::kFirst] + points[Seat::kSecond] + points[Seat::kThird];
    for (size_t seat = 0; seat < kSeatsMax; ++seat) {
      const int bot = shard.game_bots[i * kSeatsMax + seat];
      seen.insert(bot);
      EXPECT_EQ(spec_.bots[static_cast<size_t>(bot)].name, games[i].bots[SeatAt(seat)]);
      EXPECT_NEAR(shard.game_points[i * kSeatsMax + seat], points[SeatAt(seat)] / sum, 1e-6);
      shares.insert(points[SeatAt(seat)]);
    }
  }
  EXPECT_EQ(seen.size(), 2u);
  EXPECT_GT(shares.size(), 1u) << "not all are drawn";
}

// The wire and the spill omit what the spec contains.
TEST_F(ShardMakerTest, RecordsMayOmitTheSchedulesData) {
  const auto schedule = MakeSchedule();
  std::vector<GameRecord> games = Play(*schedule, 0, 5);
  ShardMaker maker(Worker(5));
  const absl::StatusOr<ShardEntry> whole = Make(maker, schedule, games);
  for (GameRecord& game : games) {
    game.bots = {};
    game.position.clear();
  }
  const absl::StatusOr<ShardEntry> bare = Make(maker, schedule, games);
  ASSERT_TRUE(whole.ok() && bare.ok()) << whole.status() << bare.status();
  EXPECT_EQ(bare->sha256, whole->sha256);
}

TEST_F(ShardMakerTest, GamesWithoutSamples) {
  selfplay_.sample_rate = 1e-9;
  const auto schedule = MakeSchedule();
  ShardMaker maker(Worker(5));
  const absl::StatusOr<ShardEntry> entry = Make(maker, schedule, Play(*schedule, 3, 5));
  ASSERT_TRUE(entry.ok()) << entry.status();
  EXPECT_EQ(entry->samples, 0);
  const absl::StatusOr<Shard> shard = ReadShard(Bytes(*entry));
  ASSERT_TRUE(shard.ok()) << shard.status();
  EXPECT_EQ(shard->game_index, (std::vector<int64_t>{3, 4}));
}

TEST_F(ShardMakerTest, ReturnsTheStoresErrors) {
  std::ofstream(spec_.data) << "no folder";
  const auto schedule = MakeSchedule();
  const std::vector<GameRecord> games = Play(*schedule, 0, 2);
  ShardMaker maker(Worker(5));
  const absl::StatusOr<ShardEntry> refused = Make(maker, schedule, games);
  EXPECT_FALSE(refused.ok());
  EXPECT_THAT(std::string(refused.status().message()), HasSubstr(spec_.data));
  fs::remove(spec_.data);
  const absl::StatusOr<ShardEntry> entry = Make(maker, schedule, games);
  ASSERT_TRUE(entry.ok()) << entry.status();
  EXPECT_TRUE(ReadShard(Bytes(*entry)).ok());
}

TEST_F(ShardMakerTest, ReportsWhichEnvironmentLacksTheKeys) {
  unsetenv("AWS_ACCESS_KEY_ID");
  spec_.data = "s3://bucket/x";
  const auto schedule = MakeSchedule();
  const std::vector<GameRecord> games = Play(*schedule, 0, 2);
  ShardMaker maker(Worker(5));
  const absl::Status status = Make(maker, schedule, games).status();
  EXPECT_TRUE(absl::IsPermissionDenied(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr(" in the environment of the worker w"));
}

TEST_F(ShardMakerTest, DamagedSamplesMakeNoShard) {
  const auto schedule = MakeSchedule();
  std::vector<GameRecord> games = Play(*schedule, 0, 2);
  games[0].samples->rows.pop_back();
  ShardMaker maker(Worker(5));
  EXPECT_EQ(Make(maker, schedule, games).status().code(), absl::StatusCode::kDataLoss);
  games[0].samples.reset();
  EXPECT_EQ(Make(maker, schedule, games).status().code(), absl::StatusCode::kDataLoss);
  EXPECT_FALSE(fs::exists(spec_.data));
}

TEST_F(ShardMakerTest, ShardNamesAreUnique) {
  const auto schedule = MakeSchedule();
  const std::vector<GameRecord> games = Play(*schedule, 0, 2);
  std::set<std::string> names;
  for (const uint64_t instance : {uint64_t{1}, uint64_t{2}, ~uint64_t{0}}) {
    ShardMaker maker(Worker(instance));
    for (int i = 0; i < 3; ++i) names.insert(Make(maker, schedule, games)->shard);
  }
  EXPECT_EQ(names.size(), 9u);
  for (const std::string& name : names) EXPECT_TRUE(IsShardName(name)) << name;
}

TEST_F(ShardMakerTest, TheLastShardIsFinished) {
  const auto schedule = MakeSchedule();
  const std::vector<GameRecord> games = Play(*schedule, 0, 2);
  absl::Status status = absl::UnknownError("");
  {
    ShardMaker maker(Worker(5));
    maker.Make(7, schedule, games,
               [&](const absl::StatusOr<ShardEntry>& entry) { status = entry.status(); });
  }
  EXPECT_TRUE(status.ok()) << status;
}

}  // namespace
}  // namespace triarch
