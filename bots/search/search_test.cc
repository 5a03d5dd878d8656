// Tests the searchers against brute force on a toy game. This also shows that they work with any
// game that satisfies the concept.

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <limits>
#include <vector>

#include "bots/greedy/greedy.h"
#include "bots/maxn/maxn.h"
#include "bots/mcts/mcts.h"
#include "bots/paranoid/paranoid.h"
#include "bots/search/evaluation_cache.h"
#include "bots/search/toy_game.h"
#include "core/evaluate.h"

namespace triarch {
namespace {

using Toy = toy::Position;

template <class Fn>
auto AfterMove(const Toy& position, Toy::Move move, Fn fn) {
  Toy child = position;
  child.Play(move);
  return fn(child);
}

// Returns the points of `me` if all others play against it: `depth` plies, then captures that gain.
// With `is_selective`, only the first move may lose material. If all later ones do, one of those
// that lose least is made.
Score BruteParanoid(const Toy& position, Seat me, int depth, int quiet_left,
                    bool is_selective = false, bool is_first = true) {
  if (position.outcome()) return FinalPoints<Toy>(*position.outcome())[me];
  const bool is_mine = position.to_move() == me;
  std::optional<Score> best;
  if (depth == 0) best = ExpectedPoints(position)[me];
  if (depth == 0 && quiet_left == 0) return *best;
  const auto moves = position.LegalMoves();
  const bool is_sane = is_selective && !is_first;
  int best_gain = std::numeric_limits<int>::min();
  for (const Toy::Move move : moves) best_gain = std::max(best_gain, CaptureGain(position, move));
  for (const Toy::Move move : moves) {
    if (depth == 0 && CaptureGain(position, move) <= 0) continue;
    const int gain = CaptureGain(position, move);
    if (is_sane && gain < 0 && (gain < best_gain || best)) continue;
    const Score score = AfterMove(position, move, [&](const Toy& child) {
      const Score points =
          depth > 0 ? BruteParanoid(child, me, depth - 1, quiet_left, is_selective, false)
                    : BruteParanoid(child, me, 0, quiet_left - 1);
      return kPoint / 2 + Later(points - kPoint / 2);
    });
    if (!best || (is_mine ? score > *best : score < *best)) best = score;
  }
  return *best;
}

PerSeat<Score> BruteMaxn(const Toy& position, int depth) {
  if (position.outcome()) return FinalPoints<Toy>(*position.outcome());
  if (depth == 0) {
    Budget budget({});
    return QuietPoints(position, 4, budget);
  }
  std::optional<PerSeat<Score>> best;
  for (const Toy::Move move : position.LegalMoves()) {
    const PerSeat<Score> points = Later(
        AfterMove(position, move, [&](const Toy& child) { return BruteMaxn(child, depth - 1); }));
    const Seat seat = position.to_move();
    if (!best || points[seat] > (*best)[seat]) best = points;
  }
  return *best;
}

Toy Salted(uint64_t salt) {
  Toy position;
  position.salt = salt;
  return position;
}

// More positions than the cache has entries, so that some take each other's place.
TEST(EvaluationCache, ReturnsEachPositionsOwnEvaluation) {
  EvaluationCache<Toy> cache;
  for (int round = 0; round < 2; ++round) {
    for (uint64_t salt = 0; salt < 30'000; ++salt) {
      const Toy position = Salted(salt);
      const PerSeat<Score> points = ExpectedPoints(position);
      for (size_t i = 0; i < Toy::kInfo.seats; ++i) {
        ASSERT_EQ(cache.PointsOf(position, SeatAt(i)), points[SeatAt(i)]) << salt;
      }
      ASSERT_EQ(cache.Points(position), points) << salt;
    }
    cache.Clear();
  }
}

TEST(Paranoid, AgreesWithBruteForce) {
  for (uint64_t salt = 0; salt < 60; ++salt) {
    for (const int depth : {1, 2, 3, 5, 8}) {
      const Toy start = Salted(salt);
      Paranoid<Toy> bot({.is_selective = false});
      bot.NewGame(Seat::kFirst, salt);
      const auto result = bot.Search(GameState<Toy>(start), {.depth_max = depth});
      const Score expected = BruteParanoid(start, Seat::kFirst, depth, 8);
      EXPECT_EQ((*result.points)[Seat::kFirst], expected) << "salt " << salt << " depth " << depth;
      const Score played = AfterMove(start, result.move, [&](const Toy& child) {
        return BruteParanoid(child, Seat::kFirst, depth - 1, 8);
      });
      EXPECT_EQ(kPoint / 2 + Later(played - kPoint / 2), expected);
    }
  }
}

// The other seats' points, moved so that all add up.
TEST(Paranoid, SearchesForAllSeats) {
  constexpr Score kTotal = 3 * (kPoint / 2);
  for (uint64_t salt = 0; salt < 60; ++salt) {
    const Toy start = Salted(salt);
    const Limits limits{.depth_max = 3};
    Paranoid<Toy> own({.is_selective = false});
    Paranoid<Toy> all({.is_selective = false, .searches_all = true});
    own.NewGame(Seat::kFirst, salt);
    all.NewGame(Seat::kFirst, salt);
    const auto expected = own.Search(GameState<Toy>(start), limits);
    const auto result = all.Search(GameState<Toy>(start), limits);
    EXPECT_EQ(result.move, expected.move);
    EXPECT_GT(result.nodes, expected.nodes);
    const PerSeat<Score>& points = *result.points;
    EXPECT_EQ(points[Seat::kFirst], (*expected.points)[Seat::kFirst]);
    const Score second = BruteParanoid(start, Seat::kSecond, 3, 8);
    const Score third = BruteParanoid(start, Seat::kThird, 3, 8);
    const Score missing = kTotal - points[Seat::kFirst] - second - third;
    EXPECT_EQ(points[Seat::kSecond], std::max(0, second + missing / 2)) << salt;
    EXPECT_EQ(points[Seat::kThird], std::max(0, third + missing / 2)) << salt;
  }
}

TEST(Maxn, AgreesWithBruteForce) {
  for (uint64_t salt = 0; salt < 60; ++salt) {
    for (const int depth : {1, 2, 3, 4, 5}) {
      const Toy start = Salted(salt);
      Maxn<Toy> bot;
      bot.NewGame(Seat::kFirst, salt);
      const auto result = bot.Search(GameState<Toy>(start), {.depth_max = depth});
      // At greater depths, ties between moves of one mover would affect the result.
      EXPECT_EQ(*result.points, BruteMaxn(start, depth)) << "salt " << salt << " depth " << depth;
    }
  }
}

// If the game is searched to its end, only the rules count. The first move decides the toy game,
// and each searcher must choose a best move according to brute force.
TEST(Mcts, FindsTheBestMoveOfASmallGame) {
  int best_count = 0;
  for (uint64_t salt = 0; salt < 40; ++salt) {
    Toy start = Salted(salt);
    start.out_order[Seat::kThird] = 1;
    Mcts<Toy> bot;
    bot.NewGame(Seat::kFirst, salt);
    const auto result = bot.Search(GameState<Toy>(start), {.nodes_max = 3000});
    const Score played = AfterMove(
        start, result.move, [](const Toy& child) { return BruteMaxn(child, 20); })[start.turn];
    // Equal except for the plies it takes.
    if (played > BruteMaxn(start, 20)[start.turn] - kPoint / 20) ++best_count;
  }
  EXPECT_EQ(best_count, 40);
}

TEST(Mcts, CountsAndSumsAreRight) {
  Mcts<Toy> bot;
  bot.NewGame(Seat::kFirst, 1);
  const auto result = bot.Search(GameState<Toy>(Salted(3)), {.nodes_max = 500});
  EXPECT_EQ(result.nodes, 500);
  Score sum = 0;
  for (const Score score : *result.points) sum += score;
  EXPECT_NEAR(sum, 3 * kPoint / 2, 50);
}

// The next turn reuses the results for the position after its own move and the others' moves: the
// root keeps its earlier visits.
TEST(Mcts, KeepsTheTreeOfThePlayedMoves) {
  uint32_t kept = 0;
  for (uint64_t salt = 0; salt < 10; ++salt) {
    GameState<Toy> state(Salted(salt));
    Mcts<Toy> bot;
    bot.NewGame(Seat::kFirst, salt);
    const auto first = bot.Search(state, {.nodes_max = 400});
    const std::vector<Toy::Move> line = bot.Line();
    ASSERT_EQ(line.front(), first.move);
    state.Play(line[0]);
    size_t ply = 1;
    while (!state.outcome() && state.position().to_move() != Seat::kFirst) {
      ASSERT_LT(ply, line.size());
      state.Play(line[ply++]);
    }
    if (state.outcome() || state.position().LegalMoves().size() == 1) continue;
    Mcts<Toy> fresh;
    fresh.NewGame(Seat::kFirst, salt);
    EXPECT_EQ(bot.Search(state, {.nodes_max = 10}).nodes, 10);
    EXPECT_EQ(fresh.Search(state, {.nodes_max = 10}).nodes, 10);
    EXPECT_EQ(fresh.RootVisits(), 10u);
    ASSERT_GE(bot.RootVisits(), 10u);
    kept += bot.RootVisits() - 10;
  }
  EXPECT_GT(kept, 200u);
}

// A position that is not in the tree starts a new tree.
TEST(Mcts, StartsANewTreeForAnotherPosition) {
  Mcts<Toy> bot;
  bot.NewGame(Seat::kFirst, 1);
  bot.Search(GameState<Toy>(Salted(1)), {.nodes_max = 100});
  bot.Search(GameState<Toy>(Salted(2)), {.nodes_max = 10});
  EXPECT_EQ(bot.RootVisits(), 10u);
}

// The selective search trusts standings, which are noise here, and still finds most best moves.
TEST(Paranoid, SelectiveSearchIsCloseToBruteForce) {
  int found = 0;
  for (uint64_t salt = 0; salt < 60; ++salt) {
    const Toy start = Salted(salt);
    Paranoid<Toy> bot;
    bot.NewGame(Seat::kFirst, salt);
    const auto result = bot.Search(GameState<Toy>(start), {.depth_max = 5});
    const Score expected = BruteParanoid(start, Seat::kFirst, 5, 8, true);
    if (std::abs((*result.points)[Seat::kFirst] - expected) < kPoint / 20) ++found;
  }
  EXPECT_GE(found, 40);
}

template <class Bot>
class Thinker : public testing::Test {};
using Thinkers = testing::Types<Paranoid<Toy>, Maxn<Toy>, Mcts<Toy>>;
TYPED_TEST_SUITE(Thinker, Thinkers);

TYPED_TEST(Thinker, ReportsItsSearch) {
  for (uint64_t salt = 0; salt < 20; ++salt) {
    for (const int64_t nodes : {1, 2, 30, 1000}) {
      const Toy start = Salted(salt);
      TypeParam bot;
      bot.NewGame(Seat::kFirst, salt);
      const auto result = bot.Search(GameState<Toy>(start), {.nodes_max = nodes});
      const auto policy = bot.Policy();
      ASSERT_EQ(policy.size(), start.LegalMoves().size());
      float sum = 0;
      float largest = 0;
      float played = 0;
      for (const auto& [move, weight] : policy) {
        EXPECT_GE(weight, 0);
        sum += weight;
        largest = std::max(largest, weight);
        if (move == result.move) played = weight;
      }
      EXPECT_NEAR(sum, 1, 1e-5);
      if (nodes == 1000) {
        EXPECT_EQ(played, largest) << "salt " << salt;
        EXPECT_GE(bot.Line().size(), 2u);
      }
      // The line is legal.
      Toy position = start;
      ASSERT_FALSE(bot.Line().empty());
      EXPECT_EQ(bot.Line().front(), result.move);
      for (const Toy::Move move : bot.Line()) {
        ASSERT_LE(move.take, position.stones);
        position.Play(move);
      }
    }
  }
}

template <class Bot>
class AnyBot : public testing::Test {};
using Bots = testing::Types<Greedy<Toy>, Paranoid<Toy>, Maxn<Toy>, Mcts<Toy>>;
TYPED_TEST_SUITE(AnyBot, Bots);

TYPED_TEST(AnyBot, TheSameSeedGivesTheSameGame) {
  for (uint64_t seed = 0; seed < 5; ++seed) {
    TypeParam one;
    TypeParam other;
    // Earlier games must not matter.
    other.NewGame(Seat::kSecond, 77);
    other.Search(GameState<Toy>(Salted(9)), {.nodes_max = 100});
    one.NewGame(Seat::kFirst, seed);
    other.NewGame(Seat::kFirst, seed);
    GameState<Toy> state(Salted(seed));
    while (!state.outcome()) {
      const auto a = one.Search(state, {.nodes_max = 200});
      const auto b = other.Search(state, {.nodes_max = 200});
      ASSERT_EQ(a.move, b.move);
      ASSERT_EQ(a.nodes, b.nodes);
      ASSERT_LE(a.nodes, 200);
      state.Play(a.move);
    }
  }
}

TYPED_TEST(AnyBot, AnswersUnderTheSmallestLimits) {
  TypeParam bot;
  bot.NewGame(Seat::kFirst, 1);
  const GameState<Toy> state(Salted(1));
  EXPECT_LE(bot.Search(state, {.nodes_max = 1}).move.take, 3u);
  const std::atomic<bool> stop = true;
  EXPECT_LE(bot.Search(state, {.stop = &stop}).move.take, 3u);
  const auto past = std::chrono::steady_clock::now() - std::chrono::seconds(1);
  EXPECT_LE(bot.Search(state, {.deadline = past}).move.take, 3u);
}

// With two stones left it must leave one to the next seat: taking both eliminates it.
TYPED_TEST(AnyBot, AvoidsElimination) {
  for (uint64_t salt = 0; salt < 20; ++salt) {
    Toy position = Salted(salt);
    position.heap = 1;
    position.stones = 2;
    TypeParam bot;
    bot.NewGame(Seat::kFirst, salt);
    const auto result = bot.Search(GameState<Toy>(position), {.nodes_max = 500});
    EXPECT_EQ(result.move.take, 1u);
  }
}

TEST(Points, AddUp) {
  for (uint64_t salt = 0; salt < 100; ++salt) {
    Toy position = Salted(salt);
    if (salt % 2 == 1) position.out_order[Seat::kSecond] = 1;
    for (const PerSeat<Score>& points : {ExpectedPoints(position), DrawPoints(position)}) {
      Score sum = 0;
      for (const Score score : points) sum += score;
      EXPECT_EQ(sum, 3 * kPoint / 2);
    }
    if (salt % 2 == 1) {
      EXPECT_EQ(DrawPoints(position)[Seat::kFirst], 3 * kPoint / 4);
      EXPECT_EQ(DrawPoints(position)[Seat::kSecond], 0);
    }
  }
}

TEST(Budget, LimitsAreExact) {
  Budget budget({.nodes_max = 3});
  EXPECT_TRUE(budget.Spend());
  EXPECT_TRUE(budget.Spend());
  EXPECT_TRUE(budget.Spend());
  EXPECT_FALSE(budget.is_spent());
  EXPECT_FALSE(budget.Spend());
  EXPECT_TRUE(budget.is_spent());
  EXPECT_EQ(budget.nodes(), 3);
}

}  // namespace
}  // namespace triarch
