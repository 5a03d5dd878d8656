#include "worker/match/slots.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "core/record/tpgn.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "worker/match/scripted_player.h"

namespace triarch {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr auto kWait = std::chrono::milliseconds(20);

GameSpec MakeSpec(int64_t index) {
  GameSpec spec;
  spec.index = index;
  spec.game = "triumvirate";
  for (size_t i = 0; i < kSeatsMax; ++i) {
    spec.seats[SeatAt(i)].name = "bot" + std::to_string((static_cast<size_t>(index) + i) % 4);
  }
  spec.seed = DeriveSeed(7, static_cast<uint64_t>(index));
  spec.adjudication.plies_max = 40;
  return spec;
}

// Games 0 to `games`, each once, whoever asks.
SpecSource Games(int64_t games) {
  auto next = std::make_shared<std::atomic<int64_t>>(0);
  return [next, games]() -> std::optional<GameSpec> {
    const int64_t index = (*next)++;
    if (index >= games) return std::nullopt;
    return MakeSpec(index);
  };
}

absl::StatusOr<std::unique_ptr<Player>> MakeRandom(const GameInfo&, const BotSpec&) {
  return std::make_unique<RandomPlayer>();
}

std::vector<GameRecord> TakeAll(Slots& slots) {
  std::vector<GameRecord> all;
  while (!slots.is_done()) {
    for (GameRecord& record : slots.Take(kWait)) all.push_back(std::move(record));
  }
  return all;
}

std::string TpgnInOrder(std::vector<GameRecord> records) {
  std::sort(records.begin(), records.end(),
            [](const GameRecord& a, const GameRecord& b) { return a.index < b.index; });
  std::string text;
  for (const GameRecord& record : records) text += WriteTpgn(record);
  return text;
}

TEST(SlotsTest, EveryGameIsPlayedOnceAndTheSameWhateverTheSlots) {
  std::string expected;
  for (const int64_t slots_count : {1, 2, 5}) {
    Slots slots({.slots = slots_count, .batch_plies = 200, .plies_waiting_max = 400}, Games(100),
                MakeRandom);
    const std::vector<GameRecord> records = TakeAll(slots);
    EXPECT_THAT(records, SizeIs(100));
    EXPECT_TRUE(slots.status().ok());
    const std::string text = TpgnInOrder(records);
    if (expected.empty()) expected = text;
    EXPECT_EQ(text, expected) << slots_count;
  }
}

TEST(SlotsTest, NothingToPlay) {
  Slots slots({.slots = 3}, Games(0), MakeRandom);
  EXPECT_THAT(TakeAll(slots), IsEmpty());
  EXPECT_TRUE(slots.status().ok());
}

TEST(SlotsTest, SlotsWaitForAnOwnerThatIsSlowToTake) {
  std::atomic<int64_t> pulled = 0;
  SpecSource games = Games(50);
  Slots slots(
      {.slots = 2, .batch_plies = 1, .plies_waiting_max = 1},
      [&] {
        ++pulled;
        return games();
      },
      MakeRandom);
  // One game waits to be taken, and each slot holds one that it cannot put down.
  while (pulled < 3) std::this_thread::yield();
  for (int i = 0; i < 1000; ++i) std::this_thread::yield();
  EXPECT_EQ(pulled, 3);
  EXPECT_THAT(TakeAll(slots), SizeIs(50));
}

TEST(SlotsTest, ABotThatCannotBeMadeEndsIt) {
  Slots slots(
      {.slots = 2}, Games(1'000'000),
      [](const GameInfo& game, const BotSpec& bot) -> absl::StatusOr<std::unique_ptr<Player>> {
        if (bot.name == "bot3") return absl::NotFoundError("it is on holiday");
        return MakeRandom(game, bot);
      });
  TakeAll(slots);
  EXPECT_EQ(slots.status(), absl::NotFoundError("bot bot3: it is on holiday"));
}

TEST(SlotsTest, ASpecThatIsNoneEndsIt) {
  Slots slots(
      {.slots = 1},
      [] {
        GameSpec spec = MakeSpec(16);
        spec.opening = {"A1-A8"};
        return std::optional(spec);
      },
      MakeRandom);
  TakeAll(slots);
  EXPECT_THAT(std::string(slots.status().message()), HasSubstr("game 17: move 1 of the opening"));
}

TEST(SlotsTest, StoppedGamesInFlightAreAbandonedAndFinishedOnesKept) {
  std::atomic<int> thinking = 0;
  // Thinks until it is stopped, but for the first two games.
  const Script waits = [&](const AnyState&, const AnyState::Moves&, const SearchLimits& limits) {
    ++thinking;
    while (!*limits.stop) std::this_thread::yield();
    return Decision();
  };
  SpecSource games = Games(1'000'000);
  Slots slots(
      {.slots = 2},
      [&]() -> std::optional<GameSpec> {
        std::optional<GameSpec> spec = games();
        if (spec->index >= 2) spec->seats[Seat::kFirst].name = "waits";
        return spec;
      },
      [&](const GameInfo& game, const BotSpec& bot) -> absl::StatusOr<std::unique_ptr<Player>> {
        if (bot.name == "waits") return std::make_unique<ScriptedPlayer>(waits);
        return MakeRandom(game, bot);
      });
  while (thinking < 2) std::this_thread::yield();
  EXPECT_FALSE(slots.is_done());
  slots.Stop();
  EXPECT_THAT(TakeAll(slots), SizeIs(2));
  EXPECT_TRUE(slots.status().ok());
}

TEST(SlotsTest, PlayersAreKeptFromGameToGameUnlessTheyThrew) {
  std::atomic<int> made = 0;
  const PlayerMaker maker = [&](const GameInfo& game, const BotSpec& bot) {
    ++made;
    return MakeRandom(game, bot);
  };
  {
    Slots slots({.slots = 1}, Games(40), maker);
    TakeAll(slots);
  }
  EXPECT_EQ(made, 4);
  const Script throws = [](const AnyState&, const AnyState::Moves&,
                           const SearchLimits&) -> Decision { throw 1; };
  made = 0;
  Slots slots(
      {.slots = 1}, Games(40),
      [&](const GameInfo& game, const BotSpec& bot) -> absl::StatusOr<std::unique_ptr<Player>> {
        if (bot.name != "bot0") return MakeRandom(game, bot);
        ++made;
        return std::make_unique<ScriptedPlayer>(throws);
      });
  TakeAll(slots);
  EXPECT_EQ(made, 30) << "bot0 sits at three tables of four";
}

TEST(PlayerCacheTest, OnePlayerNeverFillsTwoSeats) {
  GameSpec spec = MakeSpec(0);
  spec.seats[Seat::kThird] = spec.seats[Seat::kFirst];
  PlayerCache cache(MakeRandom);
  const absl::StatusOr<PerSeat<Player*>> players = cache.SeatPlayers(spec);
  ASSERT_TRUE(players.ok());
  EXPECT_NE((*players)[Seat::kFirst], (*players)[Seat::kThird]);
  const absl::StatusOr<PerSeat<Player*>> again = cache.SeatPlayers(spec);
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(*players, *again);
}

TEST(PlayerCacheTest, AMakerThatThrowsIsAnError) {
  PlayerCache cache([](const GameInfo&, const BotSpec&) -> absl::StatusOr<std::unique_ptr<Player>> {
    throw std::bad_alloc();
  });
  EXPECT_THAT(std::string(cache.SeatPlayers(MakeSpec(0)).status().message()),
              HasSubstr("bot bot0: std::bad_alloc"));
}

}  // namespace
}  // namespace triarch
