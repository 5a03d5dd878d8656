#include "bots/bots.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/any_state.h"
#include "core/base/random.h"

namespace triarch {
namespace {

using testing::HasSubstr;

BotSpec Spec(std::string_view bot, std::map<std::string, std::string> options = {}) {
  return {.name = std::string(bot), .bot = std::string(bot), .options = std::move(options)};
}

std::string WhyNot(const BotSpec& spec) { return std::string(CheckBot(spec).message()); }

std::unique_ptr<SyncPlayer> Make(const BotSpec& spec) {
  absl::StatusOr<std::unique_ptr<SyncPlayer>> player = MakePlayer(**FindGame("triumvirate"), spec);
  EXPECT_TRUE(player.ok()) << player.status();
  return *std::move(player);
}

// Search limits with a stop flag that is never set.
struct NoStop {
  std::atomic<bool> flag = false;
  SearchLimits limits() const { return {.nodes = {}, .depth = {}, .deadline = {}, .stop = &flag}; }
};

TEST(CheckBot, AcceptsEveryBundledBot) {
  for (const BundledBot* const bot : BundledBots()) {
    std::map<std::string, std::string> needed;
    if (bot->name == kTorchBot) needed["model"] = "/model.pt";
    EXPECT_TRUE(CheckBot(Spec(bot->name, needed)).ok());
    EXPECT_FALSE(bot->description.empty());
    for (const BotOption& option : bot->options) {
      std::map<std::string, std::string> options = needed;
      const std::map<std::string_view, std::string> values = {{"notation", "classic"},
                                                              {"model", "/model.pt"},
                                                              {"device", "cpu"},
                                                              {"net", "none"},
                                                              {"values", "all"}};
      const auto value = values.find(option.name);
      options[std::string(option.name)] = value == values.end() ? "1" : value->second;
      EXPECT_TRUE(CheckBot(Spec(bot->name, options)).ok()) << option.name;
    }
  }
}

TEST(CheckBot, ReportsErrors) {
  EXPECT_EQ(
      WhyNot(Spec("paranoit")),
      "unknown bot \"paranoit\"; the bundled bots are random, greedy, smart, paranoid, maxn, mcts, "
      "torch, llm");
  EXPECT_EQ(WhyNot(Spec("paranoid", {{"deepth", "3"}})),
            "bot \"paranoid\" has no option \"deepth\"; its options are depth, nodes, net, resign, "
            "values");
  EXPECT_EQ(WhyNot(Spec("random", {{"nodes", "3"}})),
            "bot \"random\" has no option \"nodes\"; it has no options");
  EXPECT_THAT(WhyNot(Spec("mcts", {{"depth", "3"}})), HasSubstr("has no option \"depth\""));
  for (const std::string_view bad : {"abc", "0", "65", "", "2.5", "-1", "1e1", "3 "}) {
    EXPECT_THAT(
        WhyNot(Spec("maxn", {{"depth", std::string(bad)}})),
        HasSubstr("option depth of bot \"maxn\": expected a whole number from 1 to 64, not \""))
        << bad;
  }
  EXPECT_THAT(WhyNot(Spec("smart", {{"risk", "-1"}})), HasSubstr("expected a number from 0 to 10"));
  EXPECT_THAT(WhyNot(Spec("mcts", {{"exploration", "11"}})),
              HasSubstr("expected a number from 0 to 10"));
  EXPECT_FALSE(MakePlayer(**FindGame(""), Spec("none")).ok());
}

TEST(Player, OwnLimitsOverrideTheMatchs) {
  const NoStop no_stop;
  const AnyState state = *AnyState::Start("triumvirate", "");
  const AnyState::Moves moves = state.LegalMoves();
  const auto nodes_of = [&](const BotSpec& spec, const SearchLimits& limits) {
    const std::unique_ptr<SyncPlayer> player = Make(spec);
    player->NewGame(Seat::kFirst, 1);
    return player->Choose(state, moves, limits).nodes;
  };
  SearchLimits limits = no_stop.limits();
  limits.nodes = 300;
  for (const std::string_view bot : {"paranoid", "maxn", "mcts"}) {
    EXPECT_EQ(nodes_of(Spec(bot), limits), 300) << bot;
    EXPECT_EQ(nodes_of(Spec(bot, {{"nodes", "170"}}), limits), 170) << bot;
    EXPECT_EQ(nodes_of(Spec(bot, {{"nodes", "900"}}), limits), 900) << bot;
  }
  limits.depth = 1;
  EXPECT_LE(nodes_of(Spec("paranoid"), limits), 40);  // 20 moves
  EXPECT_EQ(nodes_of(Spec("mcts"), limits), 300);
  EXPECT_EQ(nodes_of(Spec("mcts"), no_stop.limits()), 2000);
  EXPECT_EQ(nodes_of(Spec("paranoid"), no_stop.limits()), 20000);
}

TEST(Player, KeepsToTheDeadlineAndTheStopFlag) {
  using std::chrono::milliseconds;
  using std::chrono::steady_clock;
  const AnyState state = *AnyState::Start("triumvirate", "");
  const AnyState::Moves moves = state.LegalMoves();
  for (const std::string_view bot : {"paranoid", "maxn", "mcts"}) {
    const NoStop no_stop;
    SearchLimits limits = no_stop.limits();
    const auto begin = steady_clock::now();
    limits.deadline = begin + milliseconds(40);
    const std::unique_ptr<SyncPlayer> player = Make(Spec(bot));
    player->NewGame(Seat::kFirst, 1);
    EXPECT_LT(player->Choose(state, moves, limits).move, moves.size());
    const auto took = steady_clock::now() - begin;
    EXPECT_GE(took, milliseconds(35)) << bot;
    EXPECT_LT(took, milliseconds(1000)) << bot;  // sanitizers and busy machines are slow
    const std::atomic<bool> stop = true;
    limits = {.nodes = {}, .depth = {}, .deadline = {}, .stop = &stop};
    limits.nodes = 1'000'000'000;
    EXPECT_LT(player->Choose(state, moves, limits).move, moves.size());
  }
}

TEST(Player, EvaluationsAreShares) {
  const NoStop no_stop;
  SearchLimits limits = no_stop.limits();
  limits.nodes = 500;
  const AnyState state = *AnyState::Start("triumvirate", "");
  for (const BundledBot* const bot : BundledBots()) {
    if (bot->name == "llm" || bot->name == kTorchBot) continue;  // they need a model
    const std::unique_ptr<SyncPlayer> player = Make(Spec(bot->name));
    player->NewGame(Seat::kFirst, 1);
    const Decision decision = player->Choose(state, state.LegalMoves(), limits);
    EXPECT_EQ(decision.kind, Decision::Kind::kMove);
    EXPECT_EQ(decision.eval.has_value(), bot->name != "random" && bot->name != "greedy");
    if (!decision.eval) continue;
    double sum = 0;
    for (const double share : *decision.eval) {
      EXPECT_GT(share, 0.1);
      sum += share;
    }
    EXPECT_NEAR(sum, 1, 1e-9);
  }
}

TEST(Player, ReportsItsSearchOnRequest) {
  const NoStop no_stop;
  for (const std::string_view game : {"triumvirate", "three-way", "tri-d"}) {
    const AnyState state = *AnyState::Start(game, "");
    const AnyState::Moves moves = state.LegalMoves();
    for (const std::string_view bot : {"paranoid", "maxn", "mcts"}) {
      SearchInfo search_info;
      SearchLimits limits = no_stop.limits();
      limits.nodes = 300;
      const auto play = [&](SearchInfo* asked) {
        const auto player = *MakePlayer(**FindGame(game), Spec(bot));
        player->NewGame(Seat::kFirst, 1);
        limits.search_info = asked;
        return player->Choose(state, moves, limits);
      };
      const Decision decision = play(&search_info);
      EXPECT_EQ(decision.move, play(nullptr).move) << "asking for it changes nothing";
      ASSERT_EQ(search_info.policy.size(), moves.size());
      float sum = 0;
      for (const float share : search_info.policy) sum += share;
      EXPECT_NEAR(sum, 1, 1e-5) << bot;
      EXPECT_EQ(*std::max_element(search_info.policy.begin(), search_info.policy.end()),
                search_info.policy[decision.move]);
      EXPECT_EQ(search_info.explanation, "") << "they have no words of their own";
      EXPECT_GT(search_info.depth, 0);
      ASSERT_FALSE(search_info.line.empty());
      EXPECT_EQ(search_info.line[0], state.MoveToString(moves, decision.move));
      EXPECT_FALSE(search_info.has_only_move) << "it was not asked";
      SearchInfo no_policy{.wants_policy = false};
      EXPECT_EQ(play(&no_policy).move, decision.move);
      EXPECT_TRUE(no_policy.policy.empty());
      EXPECT_EQ(no_policy.line, search_info.line);
    }
  }
}

TEST(Player, WeighsOnlyOneMoveOnRequest) {
  const NoStop no_stop;
  for (const std::string_view game : {"triumvirate", "three-way", "tri-d"}) {
    const AnyState state = *AnyState::Start(game, "");
    const AnyState::Moves moves = state.LegalMoves();
    for (const std::string_view bot : {"paranoid", "maxn", "mcts", "smart"}) {
      SearchInfo search_info;
      SearchLimits limits = no_stop.limits();
      limits.nodes = 500;
      limits.search_info = &search_info;
      for (const size_t only : {size_t{0}, moves.size() - 1}) {
        const auto player = *MakePlayer(**FindGame(game), Spec(bot));
        player->NewGame(Seat::kFirst, 1);
        limits.only_move = only;
        const Decision decision = player->Choose(state, moves, limits);
        EXPECT_EQ(decision.move, only) << bot;
        EXPECT_TRUE(search_info.has_only_move) << bot;
        EXPECT_TRUE(decision.eval.has_value()) << bot;
        if (bot == "smart") continue;  // it ignores limits
        EXPECT_EQ(decision.nodes, 500) << bot << " searches as if it had a choice";
      }
    }
  }
}

struct Played {
  std::string moves;
  PerSeat<double> points;
};

// Plays a game from a random opening. A seat may resign or claim a draw.
Played PlayOut(const std::array<SyncPlayer*, 3>& players, uint64_t seed, const SearchLimits& limits,
               Draws draws = Draws::kAutomatic) {
  AnyState state = *AnyState::Start("triumvirate", "", {.draws = draws});
  Random random(seed);
  Played played;
  for (int ply = 0; ply < 6; ++ply) {
    const AnyState::Moves moves = state.LegalMoves();
    state.Play(moves, random.Below(static_cast<uint32_t>(moves.size())));
  }
  for (size_t i = 0; i < 3; ++i) players[i]->NewGame(SeatAt(i), DeriveSeed(seed, i));
  for (int ply = 0; !state.outcome(); ++ply) {
    const AnyState::Moves moves = state.LegalMoves();
    const Seat seat = state.to_move();
    const Decision decision = players[Index(seat)]->Choose(state, moves, limits);
    if (decision.kind == Decision::Kind::kResign) {
      state.Eliminate(seat, Termination::kResignation);
      played.moves += " resigns";
    } else if (decision.kind == Decision::Kind::kClaimDraw) {
      EXPECT_TRUE(state.ClaimDraw());
    } else {
      played.moves += ' ' + state.MoveToString(moves, decision.move);
      state.Play(moves, decision.move);
    }
    if (ply == 1200 && !state.outcome()) state.Adjudicate();
  }
  played.points = Points(state.outcome()->place, 3);
  return played;
}

TEST(Player, TheSameSeedGivesTheSameGame) {
  const NoStop no_stop;
  SearchLimits limits = no_stop.limits();
  limits.nodes = 200;
  std::array<std::string, 2> games;
  const std::unique_ptr<SyncPlayer> used = Make(Spec("mcts"));
  for (std::string& game : games) {
    const auto paranoid = Make(Spec("paranoid"));
    const auto maxn = Make(Spec("maxn"));
    game = PlayOut({paranoid.get(), maxn.get(), used.get()}, 5, limits).moves;
  }
  EXPECT_EQ(games[0], games[1]);
}

TEST(Player, ResignsOnlyIfConfigured) {
  const NoStop no_stop;
  SearchLimits limits = no_stop.limits();
  limits.nodes = 100;
  const auto strong = Make(Spec("paranoid"));
  const auto other = Make(Spec("greedy"));
  const auto quitter = Make(Spec("maxn", {{"resign", "33"}, {"nodes", "20"}}));
  const auto fighter = Make(Spec("maxn", {{"nodes", "20"}}));
  EXPECT_THAT(PlayOut({strong.get(), quitter.get(), other.get()}, 3, limits).moves,
              HasSubstr("resigns"));
  EXPECT_THAT(PlayOut({strong.get(), fighter.get(), other.get()}, 3, limits).moves,
              testing::Not(HasSubstr("resigns")));
}

// Returns the start position without some pieces; in `pieces` each is followed by a comma.
AnyState StartWithout(const std::vector<std::string>& pieces) {
  std::string text = AnyState::Start("triumvirate", "")->ToString();
  for (const std::string& piece : pieces) text.erase(text.find(piece), piece.size());
  return *AnyState::Parse("triumvirate", text, {.draws = Draws::kClaimed});
}

// Returns White's decision when its position has occurred three times.
Decision::Kind AfterRepetition(std::string_view bot, AnyState state) {
  for (int round = 0; round < 2; ++round) {
    for (const std::string_view move : {"B1-C3", "B8-C6", "G12-F10", "C3-B1", "C6-B8", "F10-G12"}) {
      EXPECT_TRUE(state.Play(move).ok()) << move;
    }
  }
  const NoStop no_stop;
  SearchLimits limits = no_stop.limits();
  limits.nodes = 1000;
  const auto player = Make(Spec(bot));
  player->NewGame(Seat::kFirst, 1);
  return player->Choose(state, state.LegalMoves(), limits).kind;
}

TEST(Player, ClaimsADrawOnlyWhenItIsBehind) {
  for (const std::string_view bot : {"paranoid", "maxn", "mcts"}) {
    EXPECT_EQ(AfterRepetition(bot, StartWithout({"wQD1,"})), Decision::Kind::kClaimDraw) << bot;
    EXPECT_EQ(AfterRepetition(bot, StartWithout({"bQD8,", "rQE12,"})), Decision::Kind::kMove)
        << bot;
  }
}

// Returns the mean points per game of `bot`, in each seat in turn, against two of `rival`.
double PointsAgainst(const BotSpec& bot, const BotSpec& rival, int games) {
  const NoStop no_stop;
  const auto player = Make(bot);
  const std::array<std::unique_ptr<SyncPlayer>, 2> rivals = {Make(rival), Make(rival)};
  double sum = 0;
  for (int game = 0; game < games; ++game) {
    const size_t seat = static_cast<size_t>(game) % 3;
    std::array<SyncPlayer*, 3> players{};
    players[seat] = player.get();
    players[(seat + 1) % 3] = rivals[0].get();
    players[(seat + 2) % 3] = rivals[1].get();
    const uint64_t seed = static_cast<uint64_t>(game) / 3;
    sum += PlayOut(players, seed, no_stop.limits()).points[SeatAt(seat)];
  }
  return sum / games;
}

// Equal bots would get 0.5. Seeds and limits are fixed, so these figures are reproducible until a
// bot or the rules change; the bounds leave room for changes to the bots.
TEST(Strength, RanksAsExpected) {
  EXPECT_GT(PointsAgainst(Spec("greedy"), Spec("random"), 60), 0.8);
  EXPECT_GT(PointsAgainst(Spec("smart"), Spec("greedy"), 60), 0.75);
  EXPECT_GT(PointsAgainst(Spec("paranoid", {{"depth", "2"}}), Spec("greedy"), 36), 0.7);
  EXPECT_GT(PointsAgainst(Spec("maxn", {{"depth", "2"}}), Spec("greedy"), 18), 0.7);
  EXPECT_GT(PointsAgainst(Spec("mcts", {{"nodes", "200"}}), Spec("greedy"), 36), 0.7);
}

TEST(Strength, DeeperIsBetter) {
  EXPECT_GT(
      PointsAgainst(Spec("paranoid", {{"depth", "3"}}), Spec("paranoid", {{"depth", "1"}}), 18),
      0.65);
  EXPECT_GT(PointsAgainst(Spec("mcts", {{"nodes", "250"}}), Spec("mcts", {{"nodes", "25"}}), 18),
            0.65);
}

}  // namespace
}  // namespace triarch
