#include "worker/wire_codec.h"

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/schedule/schedule.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "proto/convert.h"
#include "triarch/v1/spill.pb.h"
#include "worker/match/match.h"
#include "worker/match/scripted_player.h"

namespace triarch {
namespace {

using ::testing::SizeIs;

// Returns real games, with or without samples.
std::vector<GameRecord> Play(bool is_selfplay) {
  TournamentSpec spec;
  spec.game = "triumvirate";
  spec.bots = {{.name = "a", .bot = "random"}, {.name = "b", .bot = "random"}};
  spec.bots.push_back({.name = "c", .bot = "random"});
  spec.games = 10;
  spec.adjudication.plies_max = 40;
  if (is_selfplay) {
    spec.selfplay = std::make_shared<const SelfplaySpec>();
  }
  const Schedule schedule = Schedule::Make(spec).value();
  std::vector<GameRecord> games;
  for (int64_t index = 0; index < 3; ++index) {
    std::vector<RandomPlayer> made(kSeatsMax);
    PerSeat<PlayerRef> players{};
    for (size_t i = 0; i < kSeatsMax; ++i) players[SeatAt(i)] = &made[i];
    const std::atomic<bool> stop = false;
    games.push_back(**PlayGame(schedule.Game(index), players, stop));
  }
  return games;
}

std::vector<std::string> MovesOf(const GameRecord& game) {
  std::vector<std::string> moves;
  for (const RecordedEvent& event : game.events) moves.emplace_back(event.move.text());
  return moves;
}

TEST(WireCodecTest, GamesRoundTrip) {
  const GameCodec codec = WireCodec();
  const std::vector<GameRecord> games = Play(false);
  const auto back = codec.decode(codec.encode(games));
  ASSERT_TRUE(back.ok()) << back.status();
  ASSERT_THAT(*back, SizeIs(games.size()));
  for (size_t i = 0; i < games.size(); ++i) {
    EXPECT_EQ((*back)[i].index, games[i].index);
    EXPECT_EQ(MovesOf((*back)[i]), MovesOf(games[i]));
    EXPECT_FALSE((*back)[i].samples.has_value());
  }
}

TEST(WireCodecTest, SamplesRoundTrip) {
  const GameCodec codec = WireCodec();
  std::vector<GameRecord> games = Play(true);
  games[1].samples->resignations = {{12, std::nullopt, 0}};
  games[2].samples->moves.push_back(0xff02);
  games[2].samples->rows = std::string("\0\xff\n", 3);
  const auto back = codec.decode(codec.encode(games));
  ASSERT_TRUE(back.ok()) << back.status();
  ASSERT_THAT(*back, SizeIs(games.size()));
  for (size_t i = 0; i < games.size(); ++i) {
    ASSERT_TRUE((*back)[i].samples.has_value());
    const GameSamples& samples = *(*back)[i].samples;
    EXPECT_EQ(samples.count, games[i].samples->count);
    EXPECT_GT(samples.count, 0);
    EXPECT_EQ(samples.rows, games[i].samples->rows);
    EXPECT_EQ(samples.moves, games[i].samples->moves);
    EXPECT_EQ(samples.resignations, games[i].samples->resignations);
  }
}

TEST(WireCodecTest, GamesWithAShardRoundTripWithoutSamples) {
  const GameCodec codec = WireCodec();
  std::vector<GameRecord> games = Play(true);
  for (GameRecord& game : games) game.samples.reset();
  const auto back = codec.decode(codec.encode(games));
  ASSERT_TRUE(back.ok()) << back.status();
  for (const GameRecord& game : *back) EXPECT_FALSE(game.samples.has_value());
}

TEST(WireCodecTest, GamesWithMissingSamplesAreLost) {
  const GameCodec codec = WireCodec();
  v1::SpilledGames wire;
  ASSERT_TRUE(wire.ParseFromString(codec.encode(Play(true))));
  wire.mutable_samples()->RemoveLast();
  EXPECT_EQ(codec.decode(wire.SerializeAsString()).status().code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(codec.decode("\xff").status().code(), absl::StatusCode::kDataLoss);
}

TEST(WireCodecTest, SamplesAreNotSent) {
  std::vector<GameRecord> games = Play(true);
  const std::string rows = games[0].samples->rows;
  ASSERT_GT(rows.size(), 1000u);
  Report report{.worker = {.name = "w", .instance = 1}, .token = 9, .games = games};
  v1::ReportRequest wire;
  wire::ToWire(report, &wire);
  for (GameRecord& game : report.games) game.samples.reset();
  v1::ReportRequest bare;
  wire::ToWire(report, &bare);
  EXPECT_EQ(wire.SerializeAsString(), bare.SerializeAsString());
}

}  // namespace
}  // namespace triarch
