// Tests LibTorch with models from tiny_model.py, which play badly but have the right shape.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "bots/bots.h"
#include "bots/torch/puct.h"
#include "bots/torch/torch_models.h"
#include "core/any_state.h"
#include "core/base/temporary_folder.h"
#include "core/games.h"
#include "core/sample.h"
#include "core/text.h"

namespace triarch {
namespace {

using testing::HasSubstr;

class TorchModelTest : public testing::Test {
 protected:
  // Writes a model for the game and returns its path; `kind` selects a fault.
  std::string Write(const std::string& game, const std::string& kind = "sound") {
    const std::string path = folder_ / (game + "-" + kind + ".pt");
    const std::string command = "/usr/bin/python3 " TRIARCH_SOURCE_DIR
                                "/bots/torch/tiny_model.py " +
                                game + " " + kind + " " + path;
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
    return path;
  }

  template <Position P>
  static std::string WhyNot(const std::string& path, const std::string& digest = "") {
    return std::string(FindTorchModel({.model = path}, ShapeOf<P>(), digest).status().message());
  }

  const TemporaryFolder folder_;
};

TEST_F(TorchModelTest, PlaysEveryGame) {
  for (const GameInfo* const game : AllGames()) {
    const std::string path = Write(std::string(game->name));
    const BotSpec spec = {
        .name = "t", .bot = "torch", .options = {{"model", path}, {"leaves", "4"}}};
    absl::StatusOr<std::unique_ptr<SyncPlayer>> player = MakePlayer(*game, spec);
    ASSERT_TRUE(player.ok()) << player.status();
    (*player)->NewGame(Seat::kFirst, 1);
    AnyState state = *AnyState::Start(game->name, "");
    const std::atomic<bool> stop = false;
    SearchLimits limits = {.stop = &stop};
    limits.nodes = 24;
    for (int ply = 0; ply < 80 && !state.outcome(); ++ply) {
      const AnyState::Moves moves = state.LegalMoves();
      const Decision decision = (*player)->Choose(state, moves, limits);
      ASSERT_EQ(decision.kind, Decision::Kind::kMove);
      ASSERT_LT(decision.move, moves.size());
      ASSERT_TRUE(decision.eval);
      double sum = 0;
      for (const double share : *decision.eval) sum += share;
      EXPECT_NEAR(sum, 1, 1e-9);
      state.Play(moves, decision.move);
    }
  }
}

// The model's output for a position is the same in any batch, except for the last bits.
TEST_F(TorchModelTest, ReturnsEachPositionsResult) {
  using P = tri_d::Position;
  const std::string path = Write("tri-d");
  const auto queue = FindTorchModel({.model = path}, ShapeOf<P>(), "");
  ASSERT_TRUE(queue.ok()) << queue.status();
  EXPECT_EQ(*FindTorchModel({.model = path}, ShapeOf<P>(), ""), *queue) << "it is loaded once";
  EXPECT_NE(*FindTorchModel({.model = path, .batch = 3}, ShapeOf<P>(), ""), *queue);

  P position = *Start(kGame<P>, "");
  EvalBatch all;
  std::vector<EvalBatch> each;
  for (int i = 0; i < 5; ++i) {
    EvalBatch one;
    one.count = 1;
    one.cells.resize(SampleShape<P>::kCells);
    one.state.resize(kSampleState);
    PackPosition(position, one.cells.data(), one.state.data());
    const auto moves = position.LegalMoves();
    for (const auto move : moves) {
      one.picks.push_back(PolicyIndex(move));
      all.picks.push_back(i * SampleShape<P>::kPolicySize + PolicyIndex(move));
    }
    all.cells.insert(all.cells.end(), one.cells.begin(), one.cells.end());
    all.state.insert(all.state.end(), one.state.begin(), one.state.end());
    ++all.count;
    ASSERT_TRUE((*queue)->Evaluate(one, std::nullopt).ok());
    each.push_back(one);
    position.Play(moves[0]);
  }
  ASSERT_TRUE((*queue)->Evaluate(all, std::nullopt).ok());
  size_t logit = 0;
  size_t value = 0;
  for (const EvalBatch& one : each) {
    for (const float expected : one.logits) EXPECT_NEAR(all.logits[logit++], expected, 1e-4);
    for (const float expected : one.values) EXPECT_NEAR(all.values[value++], expected, 1e-5);
  }
  EXPECT_EQ(logit, all.logits.size());
  EXPECT_EQ(value, all.values.size());
  EXPECT_NE(each[0].logits[0], each[1].logits[0]) << "it looks at the position";
}

TEST_F(TorchModelTest, ReportsFaultsOfAFile) {
  using P = tri_d::Position;
  EXPECT_EQ(WhyNot<P>("/no/such.pt"), "cannot read the model /no/such.pt");
  const std::string text = folder_ / "text.pt";
  std::ofstream(text) << "no model";
  EXPECT_THAT(WhyNot<P>(text), HasSubstr("the model " + text + ": "));
  EXPECT_THAT(WhyNot<P>(text, std::string(64, 'a')), HasSubstr("has changed since"));
  EXPECT_THAT(WhyNot<P>(Write("triumvirate")), HasSubstr("it plays triumvirate, not tri-d"));
  EXPECT_THAT(WhyNot<P>(Write("tri-d", "bare")), HasSubstr("it has no attribute triarch_game"));
  EXPECT_THAT(WhyNot<P>(Write("tri-d", "format")), HasSubstr("it has format 2; expected 1"));
  EXPECT_THAT(WhyNot<P>(Write("tri-d", "narrow")),
              HasSubstr("its policy is Float [2, 7]; expected Float [2, 16576]"));
  EXPECT_THAT(WhyNot<P>(Write("tri-d", "points")), HasSubstr("add up to 2"));
  EXPECT_THAT(WhyNot<P>(Write("tri-d", "broken")), HasSubstr("the model failed: "));
  EXPECT_THAT(
      std::string(FindTorchModel({.model = Write("tri-d"), .device = "cuda"}, ShapeOf<P>(), "")
                      .status()
                      .message()),
      testing::AnyOf(HasSubstr("finds no CUDA device"), ""));
}

}  // namespace
}  // namespace triarch
