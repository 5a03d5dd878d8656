#include "worker/host/plugin.h"

#include <array>
#include <atomic>
#include <chrono>
#include <string>
#include <vector>

#include "core/any_state.h"
#include "core/base/random.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "worker/host/plugin_turn.h"
#include "worker/match/match.h"

namespace triarch {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;

constexpr const char* kRandomBot = TRIARCH_EXAMPLE_BOTS "/random_bot.so";
constexpr const char* kSearchBot = TRIARCH_EXAMPLE_BOTS "/search_bot.so";
constexpr const char* kOddBot = TRIARCH_TEST_PLUGIN;

BotSpec PluginSpec(const std::string& library, std::map<std::string, std::string> options = {}) {
  return {.name = "mine",
          .bot = std::string(kPluginBot),
          .options = std::move(options),
          .library = library};
}

std::string ErrorOfLoading(const std::string& path) {
  const auto plugin = Plugin::Load(path);
  EXPECT_FALSE(plugin.ok());
  return std::string(plugin.status().message());
}

std::string ErrorOfMaking(const GameInfo& game, const BotSpec& spec) {
  const auto player = Plugin::Load(spec.library).value()->MakePlayer(game, spec);
  EXPECT_FALSE(player.ok());
  return std::string(player.status().message());
}

std::unique_ptr<SyncPlayer> MustMake(const GameInfo& game, const BotSpec& spec) {
  return Plugin::Load(spec.library).value()->MakePlayer(game, spec).value();
}

// Plays one game with the bot in every seat.
GameRecord PlayAlone(const GameInfo& game, const BotSpec& bot, TimeControl time_control = {}) {
  GameSpec spec;
  spec.game = game.name;
  spec.seed = 5;
  spec.time_control = time_control;
  spec.adjudication.plies_max = 60;
  PerSeat<PlayerRef> players{};
  std::vector<std::unique_ptr<SyncPlayer>> owned;
  for (size_t i = 0; i < game.seats; ++i) {
    owned.push_back(MustMake(game, bot));
    players[SeatAt(i)] = owned.back().get();
    spec.seats[SeatAt(i)] = bot;
  }
  const std::atomic<bool> stop = false;
  return PlayGame(spec, players, stop).value().value();
}

// ---- Loading.

TEST(Plugin, DescribesItself) {
  const Plugin& plugin = **Plugin::Load(kSearchBot);
  EXPECT_EQ(plugin.bot().name, std::string("search-cc"));
  EXPECT_THAT(plugin.games(), ElementsAre("triumvirate", "three-way", "tri-d"));
  EXPECT_EQ(*Plugin::Load(kSearchBot), &plugin) << "loaded once";
}

TEST(Plugin, RejectsFilesThatAreNotBots) {
  EXPECT_THAT(ErrorOfLoading("/no/such.so"), HasSubstr("/no/such.so: no such file"));
  EXPECT_THAT(ErrorOfLoading(TRIARCH_SOURCE_DIR "/README.md"), HasSubstr("README.md: "));
  EXPECT_THAT(ErrorOfLoading("/lib/x86_64-linux-gnu/libz.so.1"),
              HasSubstr("does not export the function triarch_bot_entry"));
}

TEST(Plugin, ChecksOptions) {
  const GameInfo& game = **FindGame("triumvirate");
  const Plugin& plugin = **Plugin::Load(kSearchBot);
  EXPECT_TRUE(plugin.MakePlayer(game, PluginSpec(kSearchBot, {{"usual_depth", "3"}})).ok());
  EXPECT_THAT(ErrorOfMaking(game, PluginSpec(kSearchBot, {{"width", "3"}})),
              EndsWith("search_bot.so has no option \"width\"; expected usual_depth"));
  EXPECT_THAT(ErrorOfMaking(game, PluginSpec(kSearchBot, {{"usual_depth", "x"}})),
              EndsWith("search_bot.so: usual_depth: x is not a number from 1 to 32"));
  EXPECT_THAT(ErrorOfMaking(game, PluginSpec(kRandomBot, {{"x", ""}})), EndsWith("expected none"));
  EXPECT_THAT(ErrorOfMaking(game, PluginSpec(kOddBot, {{"does", "not_be_made_silently"}})),
              EndsWith("the bot could not be created"));
}

// ---- Turns.

class PluginTurnTest : public ::testing::TestWithParam<std::string> {
 protected:
  const GameInfo& game_ = **FindGame(GetParam());
};

TEST_P(PluginTurnTest, ATurnDescribesItsGame) {
  AnyState state = AnyState::Start(game_.name, "").value();
  const AnyState::Moves moves = state.LegalMoves();
  std::atomic<bool> stop = false;
  const SearchLimits limits{.nodes = 7, .stop = &stop};
  const PluginTurn asked(state, moves, limits);
  const triarch_turn& turn = asked.turn();
  EXPECT_EQ(turn.nodes, 7u);
  EXPECT_EQ(turn.depth, 0u);
  EXPECT_EQ(turn.milliseconds, -1);
  EXPECT_EQ(triarch_state_can_claim_draw(turn.state), 0);
  EXPECT_EQ(turn.move_count, moves.size());
  EXPECT_EQ(triarch_hash(&turn.state->position), state.key());
  EXPECT_EQ(triarch_state_occurrences(turn.state, state.key()), 1u);
  EXPECT_EQ(triarch_state_occurrences(turn.state, 0), 0u);
  EXPECT_EQ(turn.should_stop(&turn), 0);
  stop = true;
  EXPECT_EQ(turn.should_stop(&turn), 1);
  stop = false;
  const SearchLimits late{.deadline = std::chrono::steady_clock::now(), .stop = &stop};
  const PluginTurn late_turn(state, moves, late);
  EXPECT_EQ(late_turn.turn().milliseconds, 0);
  EXPECT_EQ(late_turn.turn().should_stop(&late_turn.turn()), 1);
}

// ---- In games.

TEST_P(PluginTurnTest, ExamplesPlayAgainstThemselves) {
  for (const char* library : {kRandomBot, kSearchBot}) {
    const GameRecord record = PlayAlone(game_, PluginSpec(library), {.depth = 1});
    EXPECT_TRUE(record.is_finished);
    EXPECT_GT(record.plies, 10);
    for (size_t i = 0; i < game_.seats; ++i) {
      EXPECT_FALSE(record.endings[SeatAt(i)].has_value() && IsForfeit(*record.endings[SeatAt(i)]));
    }
    EXPECT_EQ(PlayAlone(game_, PluginSpec(library), {.depth = 1}).events, record.events)
        << "the same seed, the same game";
  }
}

TEST_P(PluginTurnTest, SearchKeepsToItsNodeLimit) {
  const GameRecord record =
      PlayAlone(game_, PluginSpec(kSearchBot, {{"usual_depth", "5"}}), {.nodes = 200});
  for (size_t i = 0; i < game_.seats; ++i) {
    EXPECT_LE(record.costs[SeatAt(i)].nodes, 200 * record.costs[SeatAt(i)].moves);
  }
}

INSTANTIATE_TEST_SUITE_P(Games, PluginTurnTest,
                         ::testing::Values("triumvirate", "three-way", "tri-d"),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::erase(name, '-');
                           return name;
                         });

// Returns how the first seat leaves a game when the bots behave like `does`.
Termination EndingOf(const std::string& does, TimeControl time_control = {}) {
  const GameRecord record =
      PlayAlone(**FindGame("triumvirate"), PluginSpec(kOddBot, {{"does", does}}), time_control);
  return record.endings[Seat::kFirst].value_or(Termination::kPlyLimit);
}

TEST(PluginFaults, EachFaultForfeitsAsDocumented) {
  EXPECT_EQ(EndingOf("nothing"), Termination::kPlyLimit);
  EXPECT_EQ(EndingOf("fail_new_game"), Termination::kCrash);
  EXPECT_EQ(EndingOf("fail"), Termination::kCrash);
  EXPECT_EQ(EndingOf("answer_nonsense"), Termination::kCrash);
  EXPECT_EQ(EndingOf("play_illegally"), Termination::kIllegalMove);
  EXPECT_EQ(EndingOf("claim"), Termination::kIllegalMove) << "insists on an invalid draw claim";
  EXPECT_EQ(EndingOf("resign"), Termination::kResignation);
  EXPECT_EQ(EndingOf("answer_late", {.movetime_ms = 1, .margin_ms = 0}), Termination::kTimeForfeit);
}

TEST(PluginFaults, InvalidEvaluationsAreNotRecorded) {
  const GameRecord record =
      PlayAlone(**FindGame("tri-d"), PluginSpec(kOddBot, {{"does", "tell_nonsense"}}));
  for (const RecordedEvent& event : record.events) EXPECT_FALSE(event.eval.has_value());
  const GameRecord told = PlayAlone(**FindGame("tri-d"), PluginSpec(kOddBot, {{"does", "tell"}}));
  EXPECT_TRUE(told.events.front().eval.has_value());
  EXPECT_EQ(told.costs[Seat::kFirst].nodes, 11 * told.costs[Seat::kFirst].moves);
}

}  // namespace
}  // namespace triarch
