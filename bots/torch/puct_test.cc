#include "bots/torch/puct.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <set>
#include <string>
#include <thread>

#include "bots/torch/fake_evaluator.h"
#include "core/base/random.h"
#include "core/evaluate.h"
#include "core/text.h"

namespace triarch {
namespace {

using std::chrono::milliseconds;

// A model, its queue and a search with it.
template <Position P>
struct Table {
  explicit Table(size_t batch = 64)
      : queue(std::make_shared<EvalQueue>(
            std::make_unique<FakeEvaluator>(model, ShapeOf<P>()), ShapeOf<P>(),
            EvalQueueOptions{.batch = batch, .wait = milliseconds(1)})) {}

  Puct<P> MakeBot(int leaves, uint64_t seed = 1) const {
    Puct<P> bot({.cpuct = 1, .leaves = leaves}, queue);
    bot.NewGame(Seat::kFirst, seed);
    return bot;
  }

  const std::shared_ptr<FakeModel> model = std::make_shared<FakeModel>();
  const std::shared_ptr<EvalQueue> queue;
};

template <Position P>
GameState<P> StartState() {
  return GameState<P>(*Start(kGame<P>, ""));
}

template <class P>
class PuctTest : public testing::Test {};
using AllPositions = testing::Types<triumvirate::Position, three_way::Position, tri_d::Position>;
TYPED_TEST_SUITE(PuctTest, AllPositions);

// Returns as text the first plies of a game in which one bot plays all seats.
template <Position P>
std::string PlaySome(Puct<P>& bot, int64_t nodes, int plies) {
  GameState<P> state = StartState<P>();
  std::string moves;
  for (int ply = 0; ply < plies && !state.outcome(); ++ply) {
    const SearchResult<typename P::Move> result = bot.Search(state, {.nodes_max = nodes});
    EXPECT_TRUE(bot.status().ok());
    EXPECT_EQ(result.nodes, state.position().CountLegalMoves() == 1 ? 2 : nodes);
    moves += ' ' + MoveToString(state.position(), result.move);
    const auto legal = state.position().LegalMoves();
    EXPECT_NE(std::find(legal.begin(), legal.end(), result.move), legal.end());
    state.Play(result.move);
  }
  return moves;
}

TYPED_TEST(PuctTest, PlaysLegalMovesAndReportsItsSearch) {
  const Table<TypeParam> table;
  Puct<TypeParam> bot = table.MakeBot(4);
  GameState<TypeParam> state = StartState<TypeParam>();
  Random random(7);
  for (int ply = 0; ply < 60 && !state.outcome(); ++ply) {
    const auto result = bot.Search(state, {.nodes_max = 40});
    float sum = 0;
    float best = 0;
    const auto policy = bot.Policy();
    for (const auto& weighed : policy) {
      sum += weighed.weight;
      best = std::max(best, weighed.weight);
    }
    EXPECT_EQ(policy.size(), state.position().CountLegalMoves());
    EXPECT_NEAR(sum, 1, 1e-5);
    const auto played = std::find_if(policy.begin(), policy.end(),
                                     [&](const auto& w) { return w.move == result.move; });
    ASSERT_NE(played, policy.end());
    EXPECT_EQ(played->weight, best);
    EXPECT_EQ(bot.Line().front(), result.move);
    Score points = 0;
    for (size_t s = 0; s < TypeParam::kInfo.seats; ++s) points += (*result.points)[SeatAt(s)];
    EXPECT_NEAR(points, kPoint * static_cast<double>(TypeParam::kInfo.seats) / 2, 3);
    // The others play random moves, so the tree is sometimes started anew.
    const auto legal = state.position().LegalMoves();
    const bool is_own = random.Below(3) == 0;
    state.Play(is_own ? result.move : legal[random.Below(static_cast<uint32_t>(legal.size()))]);
  }
}

TYPED_TEST(PuctTest, WithOneNodeThePolicyDecides) {
  const Table<TypeParam> table;
  Puct<TypeParam> bot = table.MakeBot(8);
  const auto result = bot.Search(StartState<TypeParam>(), {.nodes_max = 1});
  EXPECT_EQ(result.nodes, 1);
  ASSERT_EQ(table.model->seen().size(), 1u);
  EXPECT_EQ(table.model->seen()[0].count, 1u);
  const auto policy = bot.Policy();
  const auto likeliest =
      std::max_element(policy.begin(), policy.end(),
                       [](const auto& a, const auto& b) { return a.weight < b.weight; });
  EXPECT_EQ(result.move, likeliest->move);
  EXPECT_GT(likeliest->weight, 1.5 / static_cast<double>(policy.size()))
      << "the policy is not flat";
}

// The model receives the bytes of the position, and no round requests a position twice.
TYPED_TEST(PuctTest, ARoundRequestsDistinctPositions) {
  const Table<TypeParam> table;
  table.model->BeFlat();
  Puct<TypeParam> bot = table.MakeBot(8);
  const GameState<TypeParam> state = StartState<TypeParam>();
  bot.Search(state, {.nodes_max = 17});
  const auto seen = table.model->seen();
  std::string start(ShapeOf<TypeParam>().cells + kSampleState, '\0');
  auto* const bytes = reinterpret_cast<uint8_t*>(start.data());
  PackPosition(state.position(), bytes, bytes + ShapeOf<TypeParam>().cells);
  ASSERT_EQ(seen.size(), 3u);
  EXPECT_EQ(seen[0].positions, std::vector<std::string>{start});
  std::set<std::string> different;
  for (size_t i = 1; i < seen.size(); ++i) {
    EXPECT_EQ(seen[i].count, 8u) << "virtual loss spreads the walks of a flat policy";
    different.insert(seen[i].positions.begin(), seen[i].positions.end());
  }
  EXPECT_EQ(different.size(), 16u);
  EXPECT_EQ(bot.RootVisits(), 16u);
}

TYPED_TEST(PuctTest, ItsMovesDoNotDependOnOtherRequests) {
  constexpr int kGames = 6;
  constexpr int kPlies = 6;
  std::array<std::string, kGames> alone;
  for (int i = 0; i < kGames; ++i) {
    const Table<TypeParam> table(4);
    Puct<TypeParam> bot = table.MakeBot(4, static_cast<uint64_t>(i));
    alone[static_cast<size_t>(i)] = PlaySome(bot, 30 + i, kPlies);
  }
  const Table<TypeParam> table(13);
  std::array<std::string, kGames> together;
  std::vector<std::jthread> threads;
  for (int i = 0; i < kGames; ++i) {
    threads.emplace_back([&, i] {
      Puct<TypeParam> bot = table.MakeBot(4, static_cast<uint64_t>(i));
      together[static_cast<size_t>(i)] = PlaySome(bot, 30 + i, kPlies);
    });
  }
  threads.clear();
  EXPECT_EQ(alone, together);
  EXPECT_LT(table.queue->counts().batches, table.queue->counts().positions / 4)
      << "batches combine several games";
}

TYPED_TEST(PuctTest, KeepsItsTree) {
  const Table<TypeParam> table;
  Puct<TypeParam> bot = table.MakeBot(4);
  GameState<TypeParam> state = StartState<TypeParam>();
  bot.Search(state, {.nodes_max = 100});
  EXPECT_EQ(bot.RootVisits(), 99u) << "the first node is the root's own";
  const auto line = bot.Line();
  ASSERT_GE(line.size(), 2u);
  state.Play(line[0]);
  bot.Search(state, {.nodes_max = 10});
  EXPECT_GT(bot.RootVisits(), 10u);
}

TYPED_TEST(PuctTest, RootNoiseDependsOnItsSeedAndLastsForOneSearch) {
  const Table<TypeParam> table;
  const GameState<TypeParam> state = StartState<TypeParam>();
  const auto noise = [](uint64_t seed) {
    return DirichletNoise{.alpha = 0.3, .share = 0.9, .seed = seed};
  };
  const auto search = [&](std::optional<uint64_t> seed) {
    Puct<TypeParam> bot = table.MakeBot(4);
    Limits limits{.nodes_max = 60};
    if (seed) limits.noise = noise(*seed);
    bot.Search(state, limits);
    std::vector<float> weights;
    for (const auto& weighed : bot.Policy()) weights.push_back(weighed.weight);
    return weights;
  };
  EXPECT_EQ(search(5), search(5));
  EXPECT_NE(search(5), search(6));
  EXPECT_NE(search(5), search(std::nullopt));

  Puct<TypeParam> noisy = table.MakeBot(4);
  Puct<TypeParam> quiet = table.MakeBot(4);
  noisy.Search(state, {.nodes_max = 1, .noise = noise(5)});
  quiet.Search(state, {.nodes_max = 1});
  EXPECT_EQ(noisy.Search(state, {.nodes_max = 60}).move,
            quiet.Search(state, {.nodes_max = 60}).move);
}

TYPED_TEST(PuctTest, StopsOnRequest) {
  const Table<TypeParam> table;
  Puct<TypeParam> bot = table.MakeBot(8);
  const GameState<TypeParam> state = StartState<TypeParam>();
  const std::atomic<bool> stop = true;
  EXPECT_EQ(bot.Search(state, {.stop = &stop}).nodes, 0);
  EXPECT_NEAR(bot.Policy().front().weight,
              1 / static_cast<double>(state.position().CountLegalMoves()), 1e-6);

  const auto began = std::chrono::steady_clock::now();
  const auto result = bot.Search(state, {.deadline = began + milliseconds(30)});
  EXPECT_GT(result.nodes, 0);
  EXPECT_GE(std::chrono::steady_clock::now() - began, milliseconds(20));
}

// If the model is busy with another game, results of earlier turns are used.
TYPED_TEST(PuctTest, DoesNotWaitForTheQueueBeyondItsDeadline) {
  const Table<TypeParam> table(1);
  GameState<TypeParam> state = StartState<TypeParam>();
  Puct<TypeParam> busy = table.MakeBot(1);
  Puct<TypeParam> bot = table.MakeBot(1);
  state.Play(bot.Search(state, {.nodes_max = 200}).move);
  table.model->CloseGate();
  std::jthread other([&] { busy.Search(StartState<TypeParam>(), {.nodes_max = 1}); });
  table.model->WaitForBatchAtGate();
  const auto result =
      bot.Search(state, {.deadline = std::chrono::steady_clock::now() + milliseconds(20)});
  EXPECT_TRUE(bot.status().ok());
  EXPECT_GT(bot.RootVisits(), 0u);
  ASSERT_GE(bot.Line().size(), 2u);
  EXPECT_EQ(result.move, bot.Line().front());
  table.model->OpenGate();
  other.join();
  state.Play(result.move);
  bot.Search(state, {.nodes_max = 20});
  EXPECT_TRUE(bot.status().ok());
  EXPECT_GE(bot.RootVisits(), 20u) << "it continues where it stopped";
}

TYPED_TEST(PuctTest, ReportsWhenTheModelFails) {
  const Table<TypeParam> table;
  Puct<TypeParam> bot = table.MakeBot(4);
  table.model->Fail("no memory");
  bot.Search(StartState<TypeParam>(), {.nodes_max = 10});
  EXPECT_EQ(bot.status().message(), "no memory");
  table.model->Fail("");
  bot.Search(StartState<TypeParam>(), {.nodes_max = 10});
  EXPECT_TRUE(bot.status().ok());
  EXPECT_EQ(bot.RootVisits(), 9u);
}

// Plays random games until the seat to move can win immediately.
template <Position P>
GameState<P> OneMoveFromWinning() {
  for (uint64_t seed = 0;; ++seed) {
    Random random(seed);
    GameState<P> state = StartState<P>();
    while (!state.outcome()) {
      const GameState<P> before = state;
      const auto moves = before.position().LegalMoves();
      state.Play(moves[random.Below(static_cast<uint32_t>(moves.size()))]);
      if (!state.outcome()) continue;
      const auto points = FinalPoints<P>(*state.outcome());
      if (points[before.position().to_move()] == kPoint) return before;
    }
  }
}

TYPED_TEST(PuctTest, FindsAnImmediateWinWhateverTheModelSays) {
  const GameState<TypeParam> state = OneMoveFromWinning<TypeParam>();
  const Table<TypeParam> table;
  table.model->BeFlat();
  Puct<TypeParam> bot = table.MakeBot(8);
  const auto result = bot.Search(state, {.nodes_max = 400});
  GameState<TypeParam> next = state;
  next.Play(result.move);
  ASSERT_TRUE(next.outcome());
  const Seat mover = state.position().to_move();
  EXPECT_EQ(FinalPoints<TypeParam>(*next.outcome())[mover], kPoint);
  EXPECT_GT((*result.points)[mover], 0.99 * kPoint);
}

}  // namespace
}  // namespace triarch
