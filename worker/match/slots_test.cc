#include "worker/match/slots.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <utility>

#include "core/record/tpgn.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "worker/match/scripted_player.h"

namespace triarch {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;
using ::testing::SizeIs;

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

// Returns each of the first `games` games once.
Slots::Source Games(int64_t games) {
  auto next = std::make_shared<std::atomic<int64_t>>(0);
  return [next, games]() -> std::optional<Job> {
    const int64_t index = (*next)++;
    if (index >= games) return std::nullopt;
    return Job{.spec = MakeSpec(index), .tournament = 1, .token = 1};
  };
}

absl::StatusOr<Player> MakeRandom(const GameInfo&, const BotSpec&) {
  return std::make_unique<RandomPlayer>();
}

// Collects the records from the slots.
class Table {
 public:
  Slots::Sink sink() {
    return [this](const Job&, std::optional<GameRecord> record) {
      MutexLock lock(&mutex_);
      record ? records_.push_back(*std::move(record)) : void(++abandoned_);
    };
  }
  std::vector<GameRecord> records() {
    MutexLock lock(&mutex_);
    return records_;
  }
  int abandoned() {
    MutexLock lock(&mutex_);
    return abandoned_;
  }

 private:
  Mutex mutex_;
  std::vector<GameRecord> records_;
  int abandoned_ = 0;
};

// Plays all games of the source.
struct Played {
  std::vector<GameRecord> records;
  absl::Status status;
};
Played PlayAll(int64_t slots_count, const Slots::Source& source, const PlayerMaker& maker) {
  Table table;
  std::atomic<int64_t> ended = 0;
  const Slots::Source counted = [&]() -> std::optional<Job> {
    std::optional<Job> job = source();
    if (!job) ++ended;
    return job;
  };
  Slots slots(slots_count, counted, table.sink(), maker);
  while (ended < slots_count && slots.status().ok()) std::this_thread::yield();
  return {table.records(), slots.status()};
}

std::string TpgnInOrder(std::vector<GameRecord> records) {
  std::sort(records.begin(), records.end(),
            [](const GameRecord& a, const GameRecord& b) { return a.index < b.index; });
  std::string text;
  for (const GameRecord& record : records) text += WriteTpgn(record);
  return text;
}

// ---- Games in progress.

// A player that takes its time.
class SlowPlayer : public SyncPlayer {
 public:
  explicit SlowPlayer(std::chrono::milliseconds time) : time_(time) {}
  void NewGame(Seat, uint64_t) override {}
  Decision Choose(const AnyState&, const AnyState::Moves&, const SearchLimits&) override {
    std::this_thread::sleep_for(time_);
    return Decision();
  }

 private:
  const std::chrono::milliseconds time_;
};

PlayerMaker MakeSlow(int64_t ms) {
  return [ms](const GameInfo&, const BotSpec&) -> absl::StatusOr<Player> {
    return std::make_unique<SlowPlayer>(std::chrono::milliseconds(ms));
  };
}

// Waits until the only slot shows so many plies, and returns them.
LiveReport WaitForPlies(const Slots& slots, int64_t plies) {
  while (true) {
    const std::vector<LiveReport> games = slots.LiveGames(9);
    if (!games.empty() && games[0].game.plies >= plies) return games[0];
    std::this_thread::yield();
  }
}

TEST(SlotsTest, ShowsGamesInProgressWhileSomeoneWatches) {
  Table table;
  Slots slots(1, Games(1), table.sink(), MakeSlow(2));
  EXPECT_THAT(slots.LiveGames(9), IsEmpty());
  slots.SetWatched(true);
  EXPECT_THAT(slots.LiveGames(0), IsEmpty());
  const LiveReport early = WaitForPlies(slots, 3);
  EXPECT_EQ(early.token, 1u);
  EXPECT_EQ(early.game.index, 0);
  const LiveReport later = WaitForPlies(slots, early.game.plies + 1);
  while (table.records().empty()) std::this_thread::yield();
  EXPECT_THAT(slots.LiveGames(9), IsEmpty()) << "the game has ended";
  const GameRecord record = table.records()[0];
  for (const LiveReport& report : {early, later}) {
    ASSERT_LE(report.game.events.size(), record.events.size());
    for (size_t i = 0; i < report.game.events.size(); ++i) {
      EXPECT_EQ(report.game.events[i], record.events[i]) << i;
    }
  }
}

// Else a viewer would have to wait for the end of the turn that began before.
TEST(SlotsTest, KnowsTheMovesOfSlowGamesEvenUnwatched) {
  Table table;
  Slots slots(1, Games(1), table.sink(), MakeSlow(LiveMoves::kSlowTurn.count()));
  EXPECT_GE(WaitForPlies(slots, 2).game.plies, 2);
}

TEST(LiveMovesTest, CopiesNothingOfFastTurnsThatNobodyWatches) {
  LiveMoves live;
  std::vector<RecordedEvent> events(3);
  events[1].eval = PerSeat<double>{{0.5, 0.25, 0.25}};
  live.Show(events, LiveMoves::kSlowTurn - std::chrono::nanoseconds(1));
  EXPECT_THAT(live.Events(), IsEmpty());
  live.SetWatched(true);
  live.Show(events, {});
  EXPECT_THAT(live.Events(), SizeIs(3));
  EXPECT_FALSE(live.Events()[1].eval);
  live.SetWatched(false);
  events.resize(5);
  live.Show(events, {});
  EXPECT_THAT(live.Events(), SizeIs(3));
  live.Show(events, LiveMoves::kSlowTurn);
  EXPECT_THAT(live.Events(), SizeIs(5));
  live.End();
  EXPECT_THAT(live.Events(), IsEmpty());
}

TEST(SlotsTest, GamesArePlayedOnceAndDoNotDependOnTheSlots) {
  std::string expected;
  for (const int64_t slots : {1, 2, 5}) {
    const Played played = PlayAll(slots, Games(100), MakeRandom);
    EXPECT_THAT(played.records, SizeIs(100));
    EXPECT_TRUE(played.status.ok());
    const std::string text = TpgnInOrder(played.records);
    if (expected.empty()) expected = text;
    EXPECT_EQ(text, expected) << slots;
  }
}

TEST(SlotsTest, EndsWithoutGames) {
  const Played played = PlayAll(3, Games(0), MakeRandom);
  EXPECT_THAT(played.records, IsEmpty());
  EXPECT_TRUE(played.status.ok());
}

TEST(SlotsTest, ABotThatCannotBeMadeIsAnError) {
  const Played played = PlayAll(
      2, Games(1'000'000), [](const GameInfo& game, const BotSpec& bot) -> absl::StatusOr<Player> {
        if (bot.name == "bot3") return absl::NotFoundError("it is on holiday");
        return MakeRandom(game, bot);
      });
  EXPECT_THAT(std::string(played.status.message()),
              MatchesRegex("game [23]: bot bot3: it is on holiday"))
      << "the first game, without bot3, may end before the second one begins";
}

TEST(SlotsTest, AnInvalidSpecIsReported) {
  std::atomic<bool> is_told = false;
  std::atomic<bool> is_set = false;
  Table table;
  Slots slots(
      1,
      [&] {
        while (!is_set) std::this_thread::yield();
        GameSpec spec = MakeSpec(16);
        spec.opening = {"A1-A8"};
        return std::optional(Job{.spec = spec});
      },
      table.sink(), MakeRandom);
  slots.OnError([&] { is_told = true; });
  is_set = true;
  while (!is_told) std::this_thread::yield();
  EXPECT_THAT(std::string(slots.status().message()), HasSubstr("game 17: move 1 of the opening"));
  EXPECT_EQ(table.abandoned(), 1);
}

// A slot with a refused game gets the other games.
TEST(SlotsTest, ARefusedGameDoesNotEndItsSlot) {
  Table table;
  std::atomic<int> given = 0;
  std::atomic<int> refused = 0;
  std::atomic<bool> is_over = false;
  Slots slots(
      1,
      [&]() -> std::optional<Job> {
        const int index = given++;
        if (index == 4) is_over = true;
        if (index >= 4) return std::nullopt;
        GameSpec spec = MakeSpec(index);
        if (index % 2 == 0) spec.opening = {"A1-A8"};
        return Job{.spec = spec};
      },
      table.sink(), MakeRandom,
      [&](const Job& job, const absl::Status& status) {
        EXPECT_EQ(job.spec.index % 2, 0);
        EXPECT_THAT(std::string(status.message()), HasSubstr("move 1 of the opening"));
        ++refused;
      });
  while (!is_over) std::this_thread::yield();
  EXPECT_EQ(refused, 2);
  EXPECT_EQ(table.records().size(), 2u);
  EXPECT_EQ(table.abandoned(), 0);
  EXPECT_TRUE(slots.status().ok());
}

TEST(SlotsTest, AbandonsGamesInFlightAndKeepsFinishedOnes) {
  std::atomic<int> thinking = 0;
  const Script waits = [&](const AnyState&, const AnyState::Moves&, const SearchLimits& limits) {
    ++thinking;
    while (!*limits.stop) std::this_thread::yield();
    return Decision();
  };
  const Slots::Source games = Games(4);
  Table table;
  {
    Slots slots(
        2,
        [&]() -> std::optional<Job> {
          std::optional<Job> job = games();
          if (!job) return job;
          job->token = static_cast<uint64_t>(job->spec.index);
          if (job->spec.index >= 2) job->spec.seats[Seat::kFirst].name = "waits";
          return job;
        },
        table.sink(),
        [&](const GameInfo& game, const BotSpec& bot) -> absl::StatusOr<Player> {
          if (bot.name == "waits") return std::make_unique<ScriptedPlayer>(waits);
          return MakeRandom(game, bot);
        });
    while (thinking < 2) std::this_thread::yield();
    EXPECT_EQ(slots.busy(), 2);
    slots.Abandon([](const Job& job) { return job.token == 3; });
    while (table.abandoned() < 1) std::this_thread::yield();
    EXPECT_EQ(table.abandoned(), 1);
    EXPECT_TRUE(slots.status().ok());
  }
  EXPECT_EQ(table.abandoned(), 2) << "the end of the slots abandons the other one";
  EXPECT_THAT(table.records(), SizeIs(2));
}

TEST(SlotsTest, PlayersAreReusedUnlessTheyThrew) {
  std::atomic<int> made = 0;
  PlayAll(1, Games(40), [&](const GameInfo& game, const BotSpec& bot) {
    ++made;
    return MakeRandom(game, bot);
  });
  EXPECT_EQ(made, 4);
  const Script throws = [](const AnyState&, const AnyState::Moves&,
                           const SearchLimits&) -> Decision { throw 1; };
  made = 0;
  PlayAll(1, Games(40), [&](const GameInfo& game, const BotSpec& bot) -> absl::StatusOr<Player> {
    if (bot.name != "bot0") return MakeRandom(game, bot);
    ++made;
    return std::make_unique<ScriptedPlayer>(throws);
  });
  EXPECT_EQ(made, 30) << "bot0 sits at three tables of four";
}

// ---- Asynchronous players.

absl::StatusOr<Player> MakeLate(const GameInfo&, const BotSpec&) {
  return std::make_unique<LateRandomPlayer>();
}

TEST(SlotsTest, AsynchronousPlayersPlayTheSameGames) {
  const std::string expected = TpgnInOrder(PlayAll(2, Games(60), MakeRandom).records);
  const PlayerMaker mixed = [](const GameInfo& game, const BotSpec& bot) {
    return bot.name < "bot2" ? MakeLate(game, bot) : MakeRandom(game, bot);
  };
  for (const int64_t slots : {1, 3, 8}) {
    for (const PlayerMaker& maker : {PlayerMaker(MakeLate), mixed}) {
      const Played played = PlayAll(slots, Games(60), maker);
      EXPECT_TRUE(played.status.ok()) << played.status;
      EXPECT_EQ(TpgnInOrder(played.records), expected) << slots;
    }
  }
}

// A hundred games in parallel, all of them waiting: one thread asks for games, and one runs the
// loop.
TEST(SlotsTest, NoThreadWaitsForAnAsynchronousGame) {
  Mutex mutex;
  std::set<std::thread::id> threads;
  const Slots::Source games = Games(100);
  Table table;
  {
    Slots slots(
        100,
        [&] {
          MutexLock lock(&mutex);
          threads.insert(std::this_thread::get_id());
          return games();
        },
        table.sink(),
        [](const GameInfo&, const BotSpec&) -> absl::StatusOr<Player> {
          return std::make_unique<LateRandomPlayer>(LateRandomPlayer::Silence::kInItsTurn);
        });
    while (slots.busy() < 100) std::this_thread::yield();
    MutexLock lock(&mutex);
    EXPECT_THAT(threads, SizeIs(1));
  }
  EXPECT_EQ(table.abandoned(), 100);
}

TEST(SlotsTest, AsynchronousGamesCanBeAbandonedAnytime) {
  for (const auto silence :
       {LateRandomPlayer::Silence::kFromTheStart, LateRandomPlayer::Silence::kInItsTurn}) {
    const Slots::Source games = Games(40);
    Table table;
    Slots slots(
        2,
        [&]() -> std::optional<Job> {
          std::optional<Job> job = games();
          if (job) job->token = static_cast<uint64_t>(job->spec.index);
          return job;
        },
        table.sink(),
        [&](const GameInfo& game, const BotSpec& bot) -> absl::StatusOr<Player> {
          if (bot.name != "bot3") return MakeLate(game, bot);
          return std::make_unique<LateRandomPlayer>(silence);
        });
    // Three of four games hang at bot3.
    while (slots.busy() > 0 || table.abandoned() < 30) {
      slots.Abandon([&](const Job& job) { return job.spec.index % 4 != 0; });
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    EXPECT_EQ(table.abandoned(), 30);
    EXPECT_THAT(table.records(), SizeIs(10));
    EXPECT_TRUE(slots.status().ok());
  }
}

// A lack of resources on this machine is not a player's fault, so no player forfeits.
TEST(SlotsTest, AGameThatCannotBePreparedIsRefused) {
  class Unprepared final : public LateRandomPlayer {
   public:
    absl::Status Prepare() override { return absl::ResourceExhaustedError("no descriptors"); }
  };
  const Slots::Source games = Games(6);
  Table table;
  std::atomic<int> ended = 0;
  std::atomic<int> refused = 0;
  {
    Slots slots(
        2,
        [&]() -> std::optional<Job> {
          std::optional<Job> job = games();
          if (!job) ++ended;
          return job;
        },
        table.sink(),
        [](const GameInfo& game, const BotSpec& bot) -> absl::StatusOr<Player> {
          if (bot.name != "bot3") return MakeLate(game, bot);
          return std::make_unique<Unprepared>();
        },
        [&](const Job&, const absl::Status& status) {
          EXPECT_EQ(status.message(), "no descriptors");
          ++refused;
        });
    while (ended < 2) std::this_thread::yield();
    EXPECT_EQ(slots.busy(), 0);
  }
  EXPECT_EQ(refused, 4) << "bot3 sits in three games of four";
  EXPECT_THAT(table.records(), SizeIs(2));
}

// Each finished game would need its own thread if an existing thread did not soon take it over.
TEST(SlotsTest, ManyAsynchronousGamesNeedFewThreads) {
  constexpr int64_t kSlots = 60;
  const Slots::Source games = Games(4 * kSlots);
  std::atomic<int64_t> ended = 0;
  Mutex mutex;
  std::set<std::thread::id> threads;
  Slots slots(
      kSlots,
      [&]() -> std::optional<Job> {
        std::optional<Job> job = games();
        if (!job) ++ended;
        return job;
      },
      [&](const Job&, const std::optional<GameRecord>&) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        MutexLock lock(&mutex);
        threads.insert(std::this_thread::get_id());
      },
      MakeLate);
  while (ended < kSlots) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  MutexLock lock(&mutex);
  EXPECT_LE(threads.size(), std::thread::hardware_concurrency() + 2);
}

TEST(SlotsTest, AFailedAsynchronousSlotDoesNotAffectTheOthers) {
  const PlayerMaker maker = [](const GameInfo& game, const BotSpec& bot) -> absl::StatusOr<Player> {
    return MakeLate(game, bot);
  };
  Table table;
  const Slots::Source games = Games(50);
  std::atomic<int> ended = 0;
  Slots slots(
      3,
      [&]() -> std::optional<Job> {
        std::optional<Job> job = games();
        if (!job) ++ended;
        if (job && job->spec.index == 20) job->spec.opening = {"A1-A8"};
        return job;
      },
      table.sink(), maker);
  while (ended < 2) std::this_thread::yield();
  EXPECT_THAT(table.records(), SizeIs(49));
  EXPECT_EQ(table.abandoned(), 1);
  EXPECT_THAT(std::string(slots.status().message()), HasSubstr("game 21: move 1 of the opening"));
}

TEST(PlayerCacheTest, OnePlayerNeverTakesTwoSeats) {
  GameSpec spec = MakeSpec(0);
  spec.seats[Seat::kThird] = spec.seats[Seat::kFirst];
  PlayerCache cache(MakeRandom);
  const absl::StatusOr<PerSeat<PlayerRef>> players = cache.SeatPlayers(spec);
  ASSERT_TRUE(players.ok());
  EXPECT_NE((*players)[Seat::kFirst], (*players)[Seat::kThird]);
  const absl::StatusOr<PerSeat<PlayerRef>> again = cache.SeatPlayers(spec);
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(*players, *again);
}

TEST(PlayerCacheTest, DropsTheLeastRecentlyUsedPlayers) {
  int made = 0;
  PlayerCache cache([&](const GameInfo& game, const BotSpec& bot) {
    ++made;
    return MakeRandom(game, bot);
  });
  const auto seat = [&cache](int first) {
    GameSpec spec = MakeSpec(0);
    for (size_t i = 0; i < kSeatsMax; ++i) {
      spec.seats[SeatAt(i)].name = "bot" + std::to_string(first + static_cast<int>(i));
    }
    ASSERT_TRUE(cache.SeatPlayers(spec).ok());
  };
  constexpr int kMax = static_cast<int>(PlayerCache::kPlayersMax);
  for (int first = 0; first < kMax; first += 3) seat(first);
  EXPECT_EQ(made, kMax);
  seat(0);  // exists, and becomes the most recently used
  EXPECT_EQ(made, kMax);
  seat(100);
  EXPECT_EQ(made, kMax + 3);
  seat(0);
  EXPECT_EQ(made, kMax + 3);
  seat(3);
  EXPECT_EQ(made, kMax + 6) << "it was the one that was dropped";
}

TEST(PlayerCacheTest, AMakerThatThrowsIsAnError) {
  PlayerCache cache(
      [](const GameInfo&, const BotSpec&) -> absl::StatusOr<Player> { throw std::bad_alloc(); });
  EXPECT_THAT(std::string(cache.SeatPlayers(MakeSpec(0)).status().message()),
              HasSubstr("bot bot0: std::bad_alloc"));
}

}  // namespace
}  // namespace triarch
