// Tests which house bots move first, and which ones strangers may ask for.

#include "arena/service/house_crew.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "arena/table/test_table.h"

namespace triarch::arena {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Collects what the crew posts, until it has come.
class HouseCrewTest : public testing::Test {
 protected:
  void Ask(const TestTable& table, std::string name) {
    crew_.Choose(*table.operator->(), *table->house_turn(),
                 [this, name = std::move(name)](std::optional<size_t> move) {
                   EXPECT_TRUE(move.has_value());
                   order_.push_back(name);
                 });
  }
  void Await(size_t count) {
    while (order_.size() < count) {
      std::vector<std::function<void()>> errands;
      {
        MutexLock lock(&mutex_);
        while (errands_.empty()) changed_.Wait(&mutex_);
        errands.swap(errands_);
      }
      for (const auto& errand : errands) errand();
    }
  }

  Mutex mutex_;
  CondVar changed_;
  std::vector<std::function<void()>> errands_;
  std::vector<std::string> order_;
  HouseCrew crew_{{.threads = 1, .move_time = std::chrono::milliseconds(1'000)},
                  [this](std::function<void()> errand) {
                    MutexLock lock(&mutex_);
                    errands_.push_back(std::move(errand));
                    changed_.NotifyOne();
                  }};
};

// Returns a table of Triumvirate at which it is a house bot's turn.
TestTable AtABotsTurn(const std::string& bot, bool is_rated = false) {
  TestTable table({.game = "triumvirate", .is_rated = is_rated});
  table.Sit({"Ann"}, is_rated);
  table.Fill({bot});
  table.PlayAny();
  return table;
}

TEST_F(HouseCrewTest, RatedGamesComeFirstAndThoseOfNobodyLast) {
  Ask(AtABotsTurn("mcts:nodes=1000000000"), "busy");  // as the others are asked
  TestTable nobodys = AtABotsTurn("greedy");
  nobodys.Resign("Ann");
  Ask(nobodys, "nobody's");
  Ask(AtABotsTurn("greedy"), "unrated");
  Ask(AtABotsTurn("greedy", true), "rated");
  Await(4);
  std::erase(order_, "busy");  // first, unless its thread began late
  EXPECT_THAT(order_, ElementsAre("rated", "unrated", "nobody's"));
}

TEST(CheckHouseBotFor, StrangersChooseOptionsButNoNames) {
  EXPECT_TRUE(CheckHouseBotFor("tri-d", "mcts:nodes=500").ok());
  EXPECT_THAT(CheckHouseBotFor("tri-d", "x=mcts:nodes=500").message(), HasSubstr("name"));
  EXPECT_THAT(CheckHouseBotFor("tri-d", "mcts:nodes=" + std::string(80, '0') + "1").message(),
              HasSubstr("80"));
  EXPECT_FALSE(CheckHouseBotFor("tri-d", "nobody").ok());
  EXPECT_FALSE(CheckHouseBotFor("chess", "mcts").ok());
}

}  // namespace
}  // namespace triarch::arena
