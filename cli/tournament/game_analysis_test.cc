#include "cli/tournament/game_analysis.h"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "bots/bots.h"
#include "core/record/tpgn.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace triarch {
namespace {

using ::testing::HasSubstr;

GameRecord Read(const std::string& tags, const std::string& movetext) {
  const std::string text = tags + "\n\n" + movetext + "\n";
  absl::StatusOr<TpgnGame> game = *TpgnReader(text).Next();
  EXPECT_TRUE(game.ok()) << game.status();
  absl::StatusOr<GameRecord> record = ReplayTpgn(*game);
  EXPECT_TRUE(record.ok()) << record.status();
  return *std::move(record);
}

PlayerMaker Bundled() {
  return [](const GameInfo& game, const BotSpec& spec) -> absl::StatusOr<Player> {
    return MakePlayer(game, spec);
  };
}

AnalysisSettings Settings(const std::string& bot = "paranoid", size_t slots = 1) {
  AnalysisSettings settings{.analyst = {.name = bot, .bot = bot}, .make_player = Bundled()};
  if (bot == "paranoid" || bot == "maxn") settings.analyst.options["nodes"] = "2000";
  if (bot == "mcts") settings.analyst.options["nodes"] = "400";
  if (settings.analyst.options.contains("nodes")) settings.analyst.options["net"] = "none";
  settings.slots = slots;
  return settings;
}

absl::StatusOr<std::vector<EventAnalysis>> AnalyzeAll(const GameRecord& record,
                                                      const AnalysisSettings& settings) {
  std::vector<AnalysisTask> tasks;
  for (size_t i = 0; i < record.events.size(); ++i) tasks.push_back({&record, i});
  auto results = Analyze(tasks, settings, [](size_t) { return true; });
  if (!results.ok()) return results.status();
  std::vector<EventAnalysis> events;
  for (const auto& result : *results) events.push_back(result.value());
  return events;
}

struct Planted {
  std::string variant;
  std::string moves;
  Seat seat;  // of the last move, which is a blunder
};

// The last move gives the queen away, for a pawn at most.
std::vector<Planted> PlantedBlunders() {
  return {{"Triumvirate",
           "1. G2-G3 C7-C5 J11-J10 2. B1-A3 K8-J6 G12-F10 3. A3-C4 B8-C6 F10-E4 4. G1-F3 D8-A5",
           Seat::kSecond},
          {"Three-Way", "1. d5-d6 l6-j6 e12-f11 2. k2-k4 j8-i8+ d11-e9 3. g4xd10+", Seat::kFirst},
          {"Tri-D",
           "1. d3W-d4N c7B-a6N 2. e0KL1-d0KL1 b7B-d6N 3. c3W-c5N b6B-c5N 4. d0KL1-e0KL1 c5N-d4N "
           "5. c1W-d0KL1 b8B-b3N",
           Seat::kSecond}};
}

GameRecord RecordOf(const Planted& planted) {
  return Read("[Variant \"" + planted.variant + "\"]", planted.moves + " *");
}

TEST(Analyze, FindsAPlantedBlunder) {
  for (const Planted& planted : PlantedBlunders()) {
    const GameRecord record = RecordOf(planted);
    for (const std::string bot : {"paranoid", "maxn", "mcts", "smart"}) {
      const auto events = AnalyzeAll(record, Settings(bot));
      ASSERT_TRUE(events.ok()) << events.status();
      ASSERT_EQ(events->size(), record.events.size());
      const EventAnalysis& last = events->back();
      EXPECT_EQ(record.events.back().seat, planted.seat);
      EXPECT_TRUE(last.is_blunder()) << planted.variant << " " << bot << " " << last.loss;
      EXPECT_NE(last.best, record.events.back().move.text());
      EXPECT_EQ(last.line.front(), last.best);
      EXPECT_NEAR(last.loss, last.before[planted.seat] - last.after[planted.seat], 1e-12);
      EXPECT_EQ(last.phase, Phase::kOpening);
      EXPECT_EQ(last.ply, record.plies);
    }
  }
}

TEST(Analyze, DoesNotDependOnTheSlots) {
  for (const Planted& planted : PlantedBlunders()) {
    const GameRecord record = RecordOf(planted);
    const auto one = AnalyzeAll(record, Settings("paranoid", 1));
    const auto three = AnalyzeAll(record, Settings("paranoid", 3));
    ASSERT_TRUE(one.ok() && three.ok());
    for (size_t i = 0; i < one->size(); ++i) {
      EXPECT_EQ((*one)[i].line, (*three)[i].line);
      EXPECT_EQ((*one)[i].loss, (*three)[i].loss);
    }
  }
}

// A bot that, like one outside this process, cannot weigh one move alone.
class PlainPlayer final : public SyncPlayer {
 public:
  explicit PlainPlayer(std::unique_ptr<SyncPlayer> inner) : inner_(std::move(inner)) {}
  void NewGame(Seat seat, uint64_t seed) override { inner_->NewGame(seat, seed); }
  Decision Choose(const AnyState& state, const AnyState::Moves& moves,
                  const SearchLimits& limits) override {
    SearchLimits plain = limits;
    plain.only_move.reset();
    plain.search_info = nullptr;
    return inner_->Choose(state, moves, plain);
  }

 private:
  std::unique_ptr<SyncPlayer> inner_;
};

TEST(Analyze, AsksAPlainBotAboutThePositionAfterTheMove) {
  AnalysisSettings settings = Settings("maxn");
  settings.make_player = [](const GameInfo& game, const BotSpec& spec) -> absl::StatusOr<Player> {
    return std::make_unique<PlainPlayer>(*MakePlayer(game, spec));
  };
  for (const Planted& planted : PlantedBlunders()) {
    const auto events = AnalyzeAll(RecordOf(planted), settings);
    ASSERT_TRUE(events.ok()) << events.status();
    EXPECT_TRUE(events->back().is_blunder()) << planted.variant << " " << events->back().loss;
    EXPECT_EQ(events->back().line.size(), 1u) << "it predicts no line";
  }
}

TEST(Analyze, CountsResignationsAndForfeits) {
  const GameRecord record =
      Read("[Variant \"Triumvirate\"]",
           "1. D2-D3 C7-C6 L11-L9 {White resigns} 2. -- I7-I5 {Red forfeits: crash} 0-1-0");
  const auto events = AnalyzeAll(record, Settings());
  ASSERT_TRUE(events.ok()) << events.status();
  const EventAnalysis& resigns = (*events)[3];
  EXPECT_GT(resigns.before[Seat::kFirst], 0.4);
  EXPECT_EQ(resigns.after[Seat::kFirst], 0) << "last place";
  EXPECT_GT(resigns.loss, 0.4);
  const EventAnalysis& crash = (*events)[5];
  EXPECT_EQ(crash.after[Seat::kThird], 0.5) << "second place";
  EXPECT_EQ(crash.after[Seat::kSecond], 1);
  EXPECT_EQ(crash.ply, 5);
}

TEST(Analyze, KnowsTheOutcomeOfTheLastMove) {
  const GameRecord record =
      Read("[Variant \"Tri-D\"]",
           "1. z0QL1-d0KL1 b7B-a5B 2. c2W-a3N b6B-b4W 3. c3W-c5B b4W-a3N 4. a2W-b3N a3N-b2W 5. "
           "d3W-d4W b2W-c1W=R+ 6. b1W-b2W b8B-b3N+ 7. b2W-c1W a5B-b3W# 0-1");
  const auto events = AnalyzeAll(record, Settings());
  ASSERT_TRUE(events.ok()) << events.status();
  EXPECT_GT(events->back().before[Seat::kSecond], 0.99);
  EXPECT_EQ(events->back().best, "a5B-b3W") << "it mates";
  EXPECT_LT(events->back().loss, 0.01);
}

TEST(Analyze, HandlesPromotionsOfFreedPawns) {
  const GameRecord record = Read(
      "[Variant \"Tri-D\"]\n[SetUp \"1\"]\n[FEN \"QL1,KL1,QL6,KL6 "
      "4/4/4/2K1|4/4/4/4|P3/4/4/2k1|2/2|2/2|2/2|2/2 b - - 3 11\"]",
      "11... QL6-QL4 12. a8B=Q c1W-c2W c5B-b5B *");
  const auto events = AnalyzeAll(record, Settings());
  ASSERT_TRUE(events.ok()) << events.status();
  ASSERT_EQ(events->size(), 4u);
  EXPECT_EQ((*events)[1].best, "a8B=Q");
  EXPECT_EQ((*events)[1].loss, 0);
  EXPECT_EQ((*events)[1].phase, Phase::kEnding);
}

TEST(Analyze, NeedsABotThatEvaluates) {
  const GameRecord record = RecordOf(PlantedBlunders()[0]);
  const absl::Status status = AnalyzeAll(record, Settings("greedy")).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(status.message()), HasSubstr("it gives no evaluation; expected a bot"));
}

TEST(Analyze, EndsEarlyOnRequest) {
  const GameRecord record = RecordOf(PlantedBlunders()[0]);
  std::vector<AnalysisTask> tasks(1000, {&record, 0});
  AnalysisSettings settings = Settings();
  settings.analyst.options["nodes"] = "100000";
  const auto results = Analyze(tasks, settings, [](size_t) { return false; });
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_EQ(results->size(), 1000u);
  EXPECT_FALSE(results->back().has_value());
}

}  // namespace
}  // namespace triarch
