#include "worker/selfplay/selfplay_game.h"

#include <array>
#include <atomic>
#include <cmath>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "bots/bots.h"
#include "core/sample.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "selfplay/shard/policy.h"
#include "selfplay/shard/sample_row.h"
#include "selfplay/shard/shard.h"
#include "worker/match/match.h"
#include "worker/match/scripted_player.h"

namespace triarch {
namespace {

using ::testing::ElementsAre;

// A row that owns its data.
struct Row {
  int ply = 0;
  Seat seat = Seat::kFirst;
  uint16_t played = 0;
  uint64_t key = 0;
  bool has_value = false;
  PerSeat<float> value{};
  std::vector<uint8_t> cells, state, policy;
  std::vector<uint16_t> legal;
};

std::vector<Row> RowsOf(const GameRecord& record) {
  const AnyState start = AnyState::Start(record.game, "").value();
  RowBounds bounds{.seats = start.info().seats};
  start.Visit([&]<class P>(const GameState<P>&) {
    bounds.cells = static_cast<size_t>(SampleShape<P>::kCells);
    bounds.policy_size = static_cast<size_t>(SampleShape<P>::kPolicySize);
  });
  std::vector<Row> rows;
  RowCursor cursor(record.samples->rows, bounds);
  SampleRow row;
  while (true) {
    const absl::StatusOr<bool> is_there = cursor.Next(&row);
    EXPECT_TRUE(is_there.ok()) << is_there.status();
    if (!is_there.ok() || !*is_there) break;
    Row& kept = rows.emplace_back();
    kept.ply = row.ply;
    kept.seat = row.seat;
    kept.played = row.played;
    kept.key = row.key;
    kept.has_value = row.value.has_value();
    if (row.value) kept.value = *row.value;
    kept.cells.assign(row.cells.begin(), row.cells.end());
    kept.state.assign(row.state.begin(), row.state.end());
    kept.policy.assign(row.policy.begin(), row.policy.end());
    kept.legal.assign(row.legal.begin(), row.legal.end());
  }
  EXPECT_EQ(static_cast<int64_t>(rows.size()), record.samples->count);
  return rows;
}

std::shared_ptr<const SelfplaySpec> Shared(const SelfplaySpec& spec) {
  return std::make_shared<const SelfplaySpec>(spec);
}

GameSpec SpecOf(const std::string& game, const SelfplaySpec& selfplay, uint64_t seed = 17) {
  GameSpec spec;
  spec.game = game;
  spec.seed = seed;
  for (size_t i = 0; i < kSeatsMax; ++i) spec.seats[SeatAt(i)].name = "bot";
  spec.time_control.nodes = 20;
  spec.adjudication.plies_max = 60;
  spec.selfplay = Shared(selfplay);
  return spec;
}

// Plays a game with one bot in all seats.
GameRecord PlayWith(const GameSpec& spec, const BotSpec& bot) {
  const GameInfo& game = **FindGame(spec.game);
  std::array<std::unique_ptr<SyncPlayer>, kSeatsMax> made;
  PerSeat<PlayerRef> players{};
  for (size_t i = 0; i < game.seats; ++i) {
    made[i] = MakePlayer(game, bot).value();
    players[SeatAt(i)] = made[i].get();
  }
  const std::atomic<bool> stop = false;
  return **PlayGame(spec, players, stop);
}

GameRecord PlayScript(const GameSpec& spec, const Script& script) {
  std::vector<ScriptedPlayer> made(kSeatsMax, ScriptedPlayer(script));
  PerSeat<PlayerRef> players{};
  for (size_t i = 0; i < kSeatsMax; ++i) players[SeatAt(i)] = &made[i];
  const std::atomic<bool> stop = false;
  return **PlayGame(spec, players, stop);
}

BotSpec Bot(const std::string& kind) { return {.name = kind, .bot = kind}; }

// Replays the record by the rules and compares every row with its position.
template <class P>
void CheckAgainstRules(const GameRecord& record) {
  const std::vector<Row> rows = RowsOf(record);
  size_t next = 0;
  size_t moves_seen = 0;
  AnyState state = AnyState::Start(record.game, "").value();
  int ply = 0;
  for (const RecordedEvent& event : record.events) {
    const auto moves = state.LegalMoves();
    if (event.kind != RecordedEvent::Kind::kMove) {
      ASSERT_EQ(event.kind, RecordedEvent::Kind::kResign);
      EXPECT_EQ(record.samples->moves.at(moves_seen++), kSeatLeft + Index(event.seat));
      state.Eliminate(event.seat, Termination::kResignation);
      continue;
    }
    const size_t number = state.FindMove(moves, event.move).value();
    const auto index = static_cast<uint16_t>(PolicyIndex(moves.As<P>()[number]));
    EXPECT_EQ(record.samples->moves.at(moves_seen++), index);
    if (next < rows.size() && rows[next].ply == ply) {
      const Row& row = rows[next++];
      EXPECT_EQ(row.seat, state.to_move());
      EXPECT_EQ(row.played, index);
      EXPECT_EQ(row.key, state.key());
      std::vector<uint8_t> cells(SampleShape<P>::kCells), bytes(kSampleState);
      PackPosition(state.As<P>()->position(), cells.data(), bytes.data());
      EXPECT_EQ(row.cells, cells);
      EXPECT_EQ(row.state, bytes);
      std::set<uint16_t> legal;
      moves.As<P>().ForEach(
          [&](auto move) { legal.insert(static_cast<uint16_t>(PolicyIndex(move))); });
      EXPECT_EQ(std::set<uint16_t>(row.legal.begin(), row.legal.end()), legal);
      EXPECT_EQ(row.has_value, event.eval.has_value());
      for (size_t i = 0; event.eval && i < P::kInfo.seats; ++i) {
        EXPECT_NEAR(row.value[SeatAt(i)], (*event.eval)[SeatAt(i)], 1.0 / 256);
      }
      int sum = 0;
      for (const uint8_t part : row.policy) sum += part;
      EXPECT_EQ(sum, 255);
    }
    state.Play(moves, number);
    ++ply;
  }
  EXPECT_EQ(next, rows.size());
  EXPECT_EQ(moves_seen, record.samples->moves.size());
}

TEST(SelfplayGameTest, RowsFollowTheRules) {
  ForEachGame(Games(), []<class P>() {
    GameSpec spec = SpecOf(std::string(P::kInfo.name), {});
    AnyState state = AnyState::Start(spec.game, "").value();
    for (int i = 0; i < 4; ++i) {
      const auto moves = state.LegalMoves();
      spec.opening.push_back(state.MoveToString(moves, moves.size() / 2));
      state.Play(moves, moves.size() / 2);
    }
    const GameRecord record = PlayWith(spec, Bot("mcts"));
    EXPECT_EQ(record.samples->count, record.plies - 4) << "all plies except the opening";
    CheckAgainstRules<P>(record);
    return false;
  });
}

TEST(SelfplayGameTest, EverySearchingBotHasAPolicy) {
  for (const char* const bot : {"greedy", "smart", "paranoid", "maxn", "mcts"}) {
    GameSpec spec = SpecOf("triumvirate", {});
    spec.adjudication.plies_max = 9;
    for (const Row& row : RowsOf(PlayWith(spec, Bot(bot)))) {
      ASSERT_EQ(row.policy.size(), row.legal.size()) << bot;
      const auto most = std::max_element(row.policy.begin(), row.policy.end());
      EXPECT_GT(*most, 0) << bot;
    }
  }
}

TEST(SelfplayGameTest, TheSameSeedGivesTheSameSamples) {
  SelfplaySpec selfplay;
  selfplay.temperature = {{0, 1}};
  selfplay.noise_alpha = 0.3;
  selfplay.noise_share = 0.25;
  selfplay.full_share = 0.5;
  selfplay.fast_nodes = 5;
  selfplay.sample_rate = 0.7;
  const auto play = [&](uint64_t seed) {
    return PlayWith(SpecOf("three-way", selfplay, seed), Bot("mcts"));
  };
  const GameRecord one = play(17);
  const GameRecord again = play(17);
  EXPECT_EQ(one.events, again.events);
  EXPECT_EQ(one.samples->rows, again.samples->rows);
  EXPECT_EQ(one.samples->moves, again.samples->moves);
  EXPECT_NE(one.events, play(18).events);
}

// Rates the first move best and the second half as good; plays the first.
Decision TwoMoves(const AnyState&, const AnyState::Moves& moves, const SearchLimits& limits) {
  if (limits.search_info != nullptr) {
    limits.search_info->policy.assign(moves.size(), 0);
    limits.search_info->policy[0] = moves.size() > 1 ? 2.0f / 3 : 1;
    if (moves.size() > 1) limits.search_info->policy[1] = 1.0f / 3;
  }
  Decision decision;
  decision.eval = std::nullopt;
  return decision;
}

// Returns how often the first move was played, and how often any other.
std::pair<int, int> CountFirst(const SelfplaySpec& selfplay, int games) {
  std::pair<int, int> counts;
  for (int seed = 0; seed < games; ++seed) {
    const GameRecord record =
        PlayScript(SpecOf("triumvirate", selfplay, static_cast<uint64_t>(seed)), TwoMoves);
    AnyState state = AnyState::Start("triumvirate", "").value();
    for (const RecordedEvent& event : record.events) {
      const auto moves = state.LegalMoves();
      const size_t number = state.FindMove(moves, event.move).value();
      if (moves.size() > 1) ++(number == 0 ? counts.first : counts.second);
      state.Play(moves, number);
    }
  }
  return counts;
}

TEST(SelfplayGameTest, TemperatureDrawsFromThePolicy) {
  SelfplaySpec selfplay;
  EXPECT_EQ(CountFirst(selfplay, 3).second, 0) << "0 keeps the bot's own moves";
  for (const auto& [temperature, expected] : {std::pair{1.0, 2.0 / 3}, {0.5, 0.8}}) {
    selfplay.temperature = {{0, temperature}};
    const auto [first, other] = CountFirst(selfplay, 40);
    ASSERT_GT(first + other, 2000);
    const double error = std::sqrt(expected * (1 - expected) / (first + other));
    EXPECT_NEAR(static_cast<double>(first) / (first + other), expected, 4 * error);
  }
}

TEST(SelfplayGameTest, SomeMovesAreRandom) {
  SelfplaySpec selfplay;
  selfplay.random_moves = 0.2;
  std::set<size_t> numbers;
  int64_t turns = 0;
  int64_t others = 0;  // turns at which another move than the bot's was played
  for (uint64_t seed = 0; seed < 40; ++seed) {
    const GameRecord record = PlayScript(SpecOf("triumvirate", selfplay, seed), TwoMoves);
    AnyState state = AnyState::Start("triumvirate", "").value();
    for (const RecordedEvent& event : record.events) {
      const auto moves = state.LegalMoves();
      const size_t number = state.FindMove(moves, event.move).value();
      ++turns;
      others += number != 0 ? 1 : 0;
      numbers.insert(number);
      state.Play(moves, number);
    }
  }
  ASSERT_GT(turns, 1000);
  const double error = std::sqrt(0.2 * 0.8 / static_cast<double>(turns));
  // One of some 30 random moves is the bot's own.
  EXPECT_NEAR(static_cast<double>(others) / static_cast<double>(turns), 0.2, 0.015 + 4 * error);
  EXPECT_GT(numbers.size(), 10u);
}

TEST(SelfplayGameTest, TemperatureFollowsItsSchedule) {
  SelfplaySpec selfplay;
  selfplay.temperature = {{10, 1}, {20, 0}};
  std::set<size_t> other;  // plies at which another move than the first was played
  for (uint64_t seed = 0; seed < 30; ++seed) {
    const GameRecord record = PlayScript(SpecOf("triumvirate", selfplay, seed), TwoMoves);
    AnyState state = AnyState::Start("triumvirate", "").value();
    for (size_t ply = 0; ply < record.events.size(); ++ply) {
      const auto moves = state.LegalMoves();
      const size_t number = state.FindMove(moves, record.events[ply].move).value();
      if (number != 0) other.insert(ply);
      state.Play(moves, number);
    }
  }
  EXPECT_THAT(other, ElementsAre(10, 11, 12, 13, 14, 15, 16, 17, 18, 19));
}

TEST(SelfplayGameTest, NoiseReachesTheSearchOrElseThePolicy) {
  SelfplaySpec selfplay;
  selfplay.noise_alpha = 0.3;
  selfplay.noise_share = 0.25;
  std::set<uint64_t> seeds;
  const GameRecord noisy = PlayScript(
      SpecOf("triumvirate", selfplay),
      [&](const AnyState&, const AnyState::Moves&, const SearchLimits& limits) {
        EXPECT_TRUE(limits.noise && limits.noise->alpha == 0.3 && limits.noise->share == 0.25);
        if (limits.noise) seeds.insert(limits.noise->seed);
        return Decision{};
      });
  EXPECT_EQ(static_cast<int64_t>(seeds.size()), noisy.plies) << "a different one in every turn";
  // A bot that ignores the noise still plays moves other than its two.
  selfplay.temperature = {{0, 1}};
  selfplay.noise_share = 0.9;
  int others = 0;
  const GameRecord record = PlayScript(SpecOf("triumvirate", selfplay), TwoMoves);
  AnyState state = AnyState::Start("triumvirate", "").value();
  for (const RecordedEvent& event : record.events) {
    const auto moves = state.LegalMoves();
    const size_t number = state.FindMove(moves, event.move).value();
    others += number > 1 ? 1 : 0;
    state.Play(moves, number);
  }
  EXPECT_GT(others, 20);
  // The samples contain the bot's policy without the noise.
  for (const Row& row : RowsOf(record)) {
    EXPECT_EQ(std::count(row.policy.begin(), row.policy.end(), 0),
              static_cast<ptrdiff_t>(row.policy.size()) - (row.policy.size() > 1 ? 2 : 1));
  }
}

TEST(SelfplayGameTest, KeepsFullySearchedTurns) {
  SelfplaySpec selfplay;
  selfplay.full_share = 0.25;
  selfplay.fast_nodes = 7;
  int full = 0;
  int fast = 0;
  int64_t kept = 0;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    const GameRecord record =
        PlayScript(SpecOf("triumvirate", selfplay, seed),
                   [&](const AnyState&, const AnyState::Moves&, const SearchLimits& limits) {
                     EXPECT_EQ(limits.is_fast, *limits.nodes == 7);
                     ++(limits.is_fast ? fast : full);
                     return Decision{};
                   });
    kept += record.samples->count;
  }
  EXPECT_EQ(kept, full);
  EXPECT_NEAR(static_cast<double>(full) / (full + fast), 0.25, 4 * std::sqrt(0.1875 / 2400));
}

TEST(SelfplayGameTest, FastNodesOverrideABotsOptions) {
  SelfplaySpec selfplay;
  selfplay.full_share = 1e-9;
  selfplay.fast_nodes = 7;
  GameSpec spec = SpecOf("triumvirate", selfplay);
  const GameRecord record =
      PlayWith(spec, {.name = "mcts", .bot = "mcts", .options = {{"nodes", "300"}}});
  int64_t moves = 0;
  int64_t nodes = 0;
  for (size_t i = 0; i < kSeatsMax; ++i) {
    moves += record.costs[SeatAt(i)].moves;
    nodes += record.costs[SeatAt(i)].nodes;
  }
  EXPECT_GT(moves, 50);
  EXPECT_LE(nodes, 7 * moves);
  EXPECT_EQ(record.samples->count, 0);
}

TEST(SelfplayGameTest, SamplesTheConfiguredShare) {
  SelfplaySpec selfplay;
  selfplay.sample_rate = 0.1;
  int64_t kept = 0;
  int64_t plies = 0;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    const GameRecord record = PlayScript(SpecOf("triumvirate", selfplay, seed), TwoMoves);
    kept += record.samples->count;
    plies += record.plies;
  }
  EXPECT_NEAR(static_cast<double>(kept) / static_cast<double>(plies), 0.1,
              4 * std::sqrt(0.09 / static_cast<double>(plies)));
}

// White's position is hopeless from the start.
Decision HopelessWhite(const AnyState&, const AnyState::Moves&, const SearchLimits&) {
  Decision decision;
  decision.eval = PerSeat<double>{{0.01, 0.495, 0.495}};
  return decision;
}

TEST(SelfplayGameTest, ResignsHopelessGames) {
  SelfplaySpec selfplay;
  selfplay.resign_below = 0.02;
  selfplay.resign_turns = 3;
  selfplay.played_out_share = 0;
  const GameRecord record = PlayScript(SpecOf("triumvirate", selfplay), HopelessWhite);
  EXPECT_EQ(record.endings[Seat::kFirst], Termination::kResignation);
  // White makes two moves and resigns in its third turn: the seventh event.
  EXPECT_EQ(record.events.at(6).kind, RecordedEvent::Kind::kResign);
  EXPECT_EQ(record.samples->moves.at(6), kSeatLeft);
  EXPECT_EQ(record.samples->resignations[Seat::kFirst], std::nullopt);
  for (const Row& row : RowsOf(record)) EXPECT_FALSE(row.ply > 6 && row.seat == Seat::kFirst);
}

TEST(SelfplayGameTest, RecordsResignationPliesOfGamesPlayedOut) {
  SelfplaySpec selfplay;
  selfplay.resign_below = 0.02;
  selfplay.resign_turns = 3;
  selfplay.played_out_share = 1;
  const GameRecord record = PlayScript(SpecOf("triumvirate", selfplay), HopelessWhite);
  EXPECT_EQ(record.endings[Seat::kFirst], std::nullopt);
  EXPECT_EQ(record.samples->resignations[Seat::kFirst], 6);
  EXPECT_EQ(record.samples->resignations[Seat::kSecond], std::nullopt);
}

TEST(SelfplayGameTest, ATournamentGameHasNoSamples) {
  GameSpec spec = SpecOf("triumvirate", {});
  spec.selfplay = nullptr;
  EXPECT_FALSE(PlayScript(spec, HopelessWhite).samples.has_value());
}

}  // namespace
}  // namespace triarch
