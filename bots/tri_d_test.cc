// Tests what Tri-D requires of every bundled bot: swapping two boards of one colour does not change
// the position (docs/rules/tri-d.md §7) but changes the moves, and a player may have to promote a
// pawn before moving again (§4).

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "bots/bots.h"
#include "bots/greedy/greedy.h"
#include "bots/maxn/maxn.h"
#include "bots/mcts/mcts.h"
#include "bots/paranoid/paranoid.h"
#include "bots/smart/smart.h"
#include "bots/torch/fake_evaluator.h"
#include "bots/torch/puct.h"
#include "core/tri_d/attackers.h"
#include "core/tri_d/evaluate.h"
#include "core/tri_d/position.h"
#include "core/tri_d/text.h"

namespace triarch {
namespace {

using tri_d::Position;
using Move = Position::Move;
using State = GameState<Position>;

Position Read(const std::string& text) {
  absl::StatusOr<Position> position = Parse(kGame<Position>, text);
  EXPECT_TRUE(position.ok()) << text << ": " << position.status();
  return *std::move(position);
}

// Returns the same position with two boards of that colour swapped.
Position WithBoardsExchanged(const Position& position, Seat color) {
  std::vector<std::string> fields = absl::StrSplit(ToString(position), ' ');
  std::vector<std::string> pins = absl::StrSplit(fields[0], ',');
  std::vector<std::string> blocks = absl::StrSplit(fields[1], '|');
  const size_t first = 2 * Index(color);
  std::swap(pins[first], pins[first + 1]);
  std::swap(blocks[3 + first], blocks[4 + first]);
  fields[0] = absl::StrJoin(pins, ",");
  fields[1] = absl::StrJoin(blocks, "|");
  return Read(absl::StrJoin(fields, " "));
}

bool IsLegal(const Position& position, Move move) {
  const auto legal = position.LegalMoves();
  return std::find(legal.begin(), legal.end(), move) != legal.end();
}

// ---- The searchers, each with its requirements.

template <class Bot>
Bot MakeBot() {
  return Bot();
}
template <>
Puct<Position> MakeBot() {
  auto queue = std::make_shared<EvalQueue>(
      std::make_unique<FakeEvaluator>(std::make_shared<FakeModel>(), ShapeOf<Position>()),
      ShapeOf<Position>(), EvalQueueOptions{.batch = 64, .wait = std::chrono::milliseconds(1)});
  return Puct<Position>({.cpuct = 1, .leaves = 4}, std::move(queue));
}

template <class Bot>
class Searcher : public testing::Test {};
using Searchers = testing::Types<Greedy<Position>, Smart<Position>, Paranoid<Position>,
                                 Maxn<Position>, Mcts<Position>, Puct<Position>>;
TYPED_TEST_SUITE(Searcher, Searchers);

template <class Bot>
class TreeKeeper : public testing::Test {};
using TreeKeepers = testing::Types<Mcts<Position>, Puct<Position>>;
TYPED_TEST_SUITE(TreeKeeper, TreeKeepers);

// The bot's report on the last position fully matches that position.
template <class Bot>
void ExpectOfPosition(const Bot& bot, const Position& position) {
  for (const auto& weighed : bot.Policy()) {
    EXPECT_TRUE(IsLegal(position, weighed.move)) << ToString(position);
  }
  EXPECT_EQ(bot.Policy().size(), position.CountLegalMoves());
  Position next = position;
  for (const Move move : bot.Line()) {
    ASSERT_TRUE(IsLegal(next, move)) << ToString(position);
    next.Play(move);
  }
}

// ---- Swapped boards.

// The movable boards carry no piece in some positions and one piece in others.
constexpr std::string_view kBoardsToExchange[] = {
    "QL3,QL4,KL3,KL4 4/4/4/1K1R|4/4/4/4|4/4/3P/r1k1|2/2|2/2|2/2|2/2 w - - 3 30",
    "QL1,KL1,QL6,KL6 4/4/4/2K1|4/4/4/4|4/4/4/2k1|2/NP|2/2|2/np|2/2 w - - 3 30",
    "QL3,QL4,QL6,KL6 4/4/4/2K1|4/4/4/4|4/4/4/2k1|1N/2|R1/2|b1/2|2/1r w - - 0 30",
    "QL2,KL2,QL5,KL5 4/4/1P2/2K1|4/4/4/4|4/2p1/4/2k1|P1/2|2/2|1p/2|2/2 b - - 0 30"};

TEST(BoardsExchanged, GiveTheSamePositionWithOtherMoves) {
  for (const std::string_view text : kBoardsToExchange) {
    const Position position = Read(std::string(text));
    const Position other = WithBoardsExchanged(position, Seat::kFirst);
    EXPECT_EQ(other.key(), position.key());
    EXPECT_NE(other, position);
    const auto moves = position.LegalMoves();
    EXPECT_FALSE(
        std::all_of(moves.begin(), moves.end(), [&](Move move) { return IsLegal(other, move); }));
  }
}

// A position that the bot has searched and expects, but with boards swapped, is not found in its
// tree, although the key is. The same position without the swap is found.
TYPED_TEST(TreeKeeper, KeepsNoTreeOfOtherBoards) {
  for (const std::string_view text : kBoardsToExchange) {
    for (const Seat color : {Seat::kFirst, Seat::kSecond}) {
      State state(Read(std::string(text)));
      TypeParam bot = MakeBot<TypeParam>();
      bot.NewGame(state.position().to_move(), 1);
      bot.Search(state, {.nodes_max = 1500});
      const std::vector<Move> line = bot.Line();
      ASSERT_GE(line.size(), 3u);
      state.Play(line[0]);
      state.Play(line[1]);
      TypeParam same = bot;
      const Position exchanged = WithBoardsExchanged(state.position(), color);
      ASSERT_EQ(exchanged.key(), state.position().key());
      bot.Search(State(exchanged), {.nodes_max = 30});
      ExpectOfPosition(bot, exchanged);
      EXPECT_LE(bot.RootVisits(), 30u);
      same.Search(state, {.nodes_max = 30});
      ExpectOfPosition(same, state.position());
      EXPECT_GT(same.RootVisits(), 30u);
    }
  }
}

// Its tables, killers and trees hold moves of both arrangements: the boards swap places within the
// search (QL3-QL2 and QL4-QL5, or QL3-QL5 and QL4-QL2) and between its turns.
TYPED_TEST(Searcher, PlaysLegalMovesWhenBoardsSwapPlaces) {
  for (const std::string_view text : kBoardsToExchange) {
    for (const bool is_exchanging : {false, true}) {
      State state(Read(std::string(text)));
      TypeParam bot = MakeBot<TypeParam>();
      bot.NewGame(state.position().to_move(), 1);
      for (int ply = 0; ply < 16 && !state.outcome(); ++ply) {
        const auto result = bot.Search(state, {.nodes_max = 1000});
        ASSERT_TRUE(IsLegal(state.position(), result.move)) << ToString(state.position());
        if constexpr (requires { bot.Line(); }) ExpectOfPosition(bot, state.position());
        state.Play(result.move);
        if (is_exchanging && !state.outcome()) {
          state = State(WithBoardsExchanged(state.position(), SeatAt(ply % 2)));
        }
      }
    }
  }
}

// ---- Pending promotions.

// White must promote on a8 first: Black moved QL6-QL4, which forces White to promote.
constexpr std::string_view kPending =
    "QL1,KL1,QL4,KL6 4/4/4/2K1|4/4/4/4|P3/4/4/2k1|2/2|2/2|2/2|2/2 w - - 0 31 a8B";
constexpr std::string_view kBeforePending =
    "QL1,KL1,QL6,KL6 4/4/4/2K1|4/4/4/4|P3/4/4/2k1|2/2|2/2|2/2|2/2 b - - 3 30";

// Returns all players available here, including one that asks a model.
std::vector<std::pair<std::string, std::unique_ptr<SyncPlayer>>> AllPlayers() {
  std::vector<std::pair<std::string, std::unique_ptr<SyncPlayer>>> players;
  for (const BundledBot* const bot : BundledBots()) {
    if (bot->name == "torch" || bot->name == "llm") continue;  // need a model or an endpoint
    const BotSpec spec{.name = std::string(bot->name), .bot = std::string(bot->name)};
    players.emplace_back(bot->name, *MakePlayer(Position::kInfo, spec));
  }
  return players;
}

TEST(Pending, EveryBotPromotesAndMovesAgain) {
  const std::atomic<bool> stop = false;
  SearchLimits limits{.nodes = 300, .stop = &stop};
  for (const auto& [name, player] : AllPlayers()) {
    AnyState state = *AnyState::Parse("tri-d", kPending);
    player->NewGame(Seat::kFirst, 1);
    for (const bool is_promoting : {true, false}) {
      ASSERT_EQ(state.to_move(), Seat::kFirst) << name;
      const AnyState::Moves moves = state.LegalMoves();
      EXPECT_EQ(moves.size() == 4, is_promoting);
      const Decision decision = player->Choose(state, moves, limits);
      ASSERT_EQ(decision.kind, Decision::Kind::kMove) << name;
      ASSERT_LT(decision.move, moves.size()) << name;
      const std::string text = state.MoveToString(moves, decision.move);
      EXPECT_EQ(text.starts_with("a8B="), is_promoting) << name << ": " << text;
      EXPECT_TRUE(!is_promoting || name == "random" || text == "a8B=Q") << name << ": " << text;
      state.Play(moves, decision.move);
    }
    EXPECT_EQ(state.to_move(), Seat::kSecond) << name;
  }
}

// The game continues after Black's board move that forces White to promote, with one player per
// side.
TEST(Pending, EveryBotCanForceOne) {
  const std::atomic<bool> stop = false;
  SearchLimits limits{.nodes = 300, .stop = &stop};
  for (auto& [name, white] : AllPlayers()) {
    const BotSpec spec{.name = name, .bot = name};
    const std::unique_ptr<SyncPlayer> black = *MakePlayer(Position::kInfo, spec);
    AnyState state = *AnyState::Parse("tri-d", kBeforePending);
    white->NewGame(Seat::kFirst, 1);
    black->NewGame(Seat::kSecond, 1);
    const AnyState::Moves first = state.LegalMoves();
    ASSERT_LT(black->Choose(state, first, limits).move, first.size()) << name;
    ASSERT_TRUE(state.Play("QL6-QL4").ok());
    std::string seats;
    for (int ply = 0; ply < 6 && !state.outcome(); ++ply) {
      SyncPlayer& player = state.to_move() == Seat::kFirst ? *white : *black;
      seats += state.to_move() == Seat::kFirst ? 'w' : 'b';
      const AnyState::Moves moves = state.LegalMoves();
      const Decision decision = player.Choose(state, moves, limits);
      ASSERT_EQ(decision.kind, Decision::Kind::kMove) << name;
      ASSERT_LT(decision.move, moves.size()) << name;
      state.Play(moves, decision.move);
    }
    EXPECT_TRUE(std::string("wwbwbw").starts_with(seats)) << name << ": " << seats;
    EXPECT_GE(seats.size(), 3u) << name;
  }
}

// Tests the searchers themselves, including Puct: they continue whichever side's board move frees a
// pawn.
TYPED_TEST(Searcher, LooksThroughPendingPromotions) {
  for (const std::string_view text : {kPending, kBeforePending}) {
    State state(Read(std::string(text)));
    TypeParam bot = MakeBot<TypeParam>();
    bot.NewGame(state.position().to_move(), 1);
    for (int ply = 0; ply < 6 && !state.outcome(); ++ply) {
      const auto result = bot.Search(state, {.nodes_max = 1000});
      ASSERT_TRUE(IsLegal(state.position(), result.move)) << ToString(state.position());
      if constexpr (requires { bot.Line(); }) ExpectOfPosition(bot, state.position());
      const bool is_start = ply == 0 && text == kBeforePending;
      state.Play(is_start ? *ParseMove(state.position(), "QL6-QL4") : result.move);
    }
  }
}

// Black's next turn is three plies later, including White's promotion.
TYPED_TEST(TreeKeeper, KeepsItsTreeThroughAPendingPromotion) {
  State state(Read(std::string(kBeforePending)));
  TypeParam bot = MakeBot<TypeParam>();
  bot.NewGame(Seat::kSecond, 1);
  bot.Search(state, {.nodes_max = 20000});
  state.Play(*ParseMove(state.position(), "QL6-QL4"));
  state.Play(*ParseMove(state.position(), "a8B=Q"));
  uint32_t kept = 0;
  for (const Move reply : state.position().LegalMoves()) {
    State next = state;
    next.Play(reply);
    if (next.outcome()) continue;
    TypeParam asked = bot;
    asked.Search(next, {.nodes_max = 1});
    kept = std::max(kept, asked.RootVisits());
  }
  EXPECT_GT(kept, 1u);
}

}  // namespace
}  // namespace triarch
