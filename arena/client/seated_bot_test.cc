#include "arena/client/seated_bot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <thread>

#include "worker/match/scripted_player.h"

namespace triarch::arena {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;

TEST(TimeFor, ABotGetsAThirtiethOrMost) {
  const MoveTime usual = TimeFor({}, milliseconds(300'000));
  EXPECT_EQ(usual.allowed, milliseconds(10'000));
  EXPECT_EQ(usual.allowed + usual.margin, milliseconds(298'000));
  EXPECT_EQ(TimeFor({.may_take_long = true}, milliseconds(300'000)).allowed, milliseconds(240'000));
  EXPECT_EQ(TimeFor({.move_ms = 50}, milliseconds(300'000)).allowed, milliseconds(50));
  EXPECT_EQ(TimeFor({.move_ms = 50'000}, milliseconds(1'000)).allowed, milliseconds(800));
  EXPECT_EQ(TimeFor({}, milliseconds(0)).allowed, milliseconds(1));
  EXPECT_GT(TimeFor({}, milliseconds(0)).margin, milliseconds(0));
}

class SeatedBotTest : public testing::Test {
 protected:
  SeatedBotTest() {
    const std::string start = AnyState::Start("tri-d", "")->ToString();
    Apply({{"n", 0},
           {"kind", "opened"},
           {"game", "tri-d"},
           {"draws", "claimed"},
           {"position", start}});
    Apply({{"n", 1}, {"kind", "joined"}, {"seat", "white"}, {"name", "a"}});
    Apply({{"n", 2}, {"kind", "joined"}, {"seat", "black"}, {"name", "b"}});
  }
  void Apply(const nlohmann::json& event) { EXPECT_TRUE(game_.Apply(event).ok()); }

  // Seats the player and asks it once.
  std::optional<Decision> Ask(Player player, milliseconds left = milliseconds(60'000)) {
    SeatedBot bot(player, game_, Seat::kFirst, game_.spec(), {.nodes = 9}, stop_);
    EXPECT_TRUE(bot.Begin().ok());
    std::optional<Decision> decision;
    if (!bot.fault()) decision = bot.Ask(left);
    fault_ = bot.fault();
    return decision;
  }
  std::optional<Decision> AskScript(Script script) {
    return Ask(Player(std::make_unique<ScriptedPlayer>(std::move(script))));
  }

  FollowedGame game_;
  std::atomic<bool> stop_ = false;
  std::optional<GameFault> fault_;
};

TEST_F(SeatedBotTest, TellsTheBotEverything) {
  const auto decision = AskScript(
      [&](const AnyState& state, const AnyState::Moves& moves, const SearchLimits& limits) {
        EXPECT_EQ(state.ToString(), game_.state().ToString());
        EXPECT_EQ(moves.size(), game_.state().LegalMoves().size());
        EXPECT_EQ(limits.nodes, 9);
        EXPECT_EQ(limits.context->position, "startpos");
        EXPECT_EQ(limits.context->move_time, milliseconds(2'000));
        EXPECT_TRUE(limits.deadline.has_value());
        return Decision{.move = 3, .eval = {}};
      });
  ASSERT_TRUE(decision.has_value());
  EXPECT_EQ(decision->move, 3u);
  EXPECT_FALSE(fault_.has_value());
}

TEST_F(SeatedBotTest, AsksABotThatAnswersLater) {
  EXPECT_TRUE(Ask(Player(std::make_unique<LateRandomPlayer>())).has_value());
  EXPECT_FALSE(fault_.has_value());
}

TEST_F(SeatedBotTest, FaultsAreDescribed) {
  EXPECT_FALSE(AskScript([](const auto&, const auto&, const auto&) -> Decision {
    throw std::runtime_error("oh no");
  }));
  ASSERT_TRUE(fault_.has_value());
  EXPECT_EQ(fault_->why, Termination::kCrash);
  EXPECT_EQ(fault_->ply, 1);
  EXPECT_EQ(fault_->report.message, "it threw: oh no");

  EXPECT_FALSE(AskScript(
      [](const auto&, const auto&, const auto&) { return Decision{.move = 100'000, .eval = {}}; }));
  EXPECT_EQ(fault_->why, Termination::kIllegalMove);
  EXPECT_THAT(fault_->report.message, HasSubstr("move number 100000"));

  EXPECT_FALSE(AskScript([](const auto&, const auto&, const auto&) {
    return Decision{.kind = Decision::Kind::kForfeit, .why = Termination::kTimeForfeit, .eval = {}};
  }));
  EXPECT_EQ(fault_->why, Termination::kTimeForfeit);
}

TEST_F(SeatedBotTest, AWrongClaimIsForgivenOnce) {
  int claims = 0;
  const auto decision = AskScript([&](const auto&, const auto&, const auto&) {
    if (claims++ == 0) return Decision{.kind = Decision::Kind::kClaimDraw, .eval = {}};
    return Decision{.move = 1, .eval = {}};
  });
  ASSERT_TRUE(decision.has_value());
  EXPECT_EQ(decision->move, 1u);
  EXPECT_FALSE(AskScript([](const auto&, const auto&, const auto&) {
    return Decision{.kind = Decision::Kind::kClaimDraw, .eval = {}};
  }));
  ASSERT_TRUE(fault_.has_value());
  EXPECT_THAT(fault_->report.message, HasSubstr("claimed a draw twice"));
}

TEST_F(SeatedBotTest, AStopEndsTheWaitForABot) {
  for (const auto silence :
       {LateRandomPlayer::Silence::kFromTheStart, LateRandomPlayer::Silence::kInItsTurn}) {
    stop_ = false;
    const std::jthread stopper([this] {
      std::this_thread::sleep_for(milliseconds(100));
      stop_ = true;
    });
    EXPECT_FALSE(Ask(Player(std::make_unique<LateRandomPlayer>(silence))).has_value());
    EXPECT_TRUE(stop_);
    EXPECT_FALSE(fault_.has_value());
  }
}

}  // namespace
}  // namespace triarch::arena
