#include "coordinator/service/tournament_ratings.h"

#include <chrono>
#include <latch>
#include <string>
#include <vector>

#include "coordinator/service/coordinator_metrics.h"
#include "coordinator/service/executor.h"
#include "coordinator/service/store_thread.h"
#include "coordinator/store/store.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/contract/store_samples.h"

namespace triarch {
namespace {

using std::chrono::hours;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

class TournamentRatingsTest : public testing::Test {
 protected:
  TournamentRatingsTest() {
    store_.Run([this](Store& store) {
      counts_ = {.id = store.AddTournament(SampleSpec(), "").value().id,
                 .label = "1 Sample",
                 .game = "triumvirate",
                 .games = 100,
                 .done = 20};
      EXPECT_TRUE(store.Record(counts_.id, SampleRecords(0, 20)).ok());
    });
  }

  void Tick(const TournamentCounts& counts, hours at) {
    ratings_.Tick({counts}, start_ + at);
    std::latch done(1);
    reads_.Post([&done] { done.count_down(); });
    done.wait();
  }
  std::vector<RatingPoint> Points() {
    return store_.Ask([this](Store& store) { return store.Ratings(counts_.id).value(); });
  }

  const TournamentRatings::Time start_ = std::chrono::steady_clock::now();
  TournamentCounts counts_;
  CoordinatorMetrics metrics_;
  StoreThread store_{MakeMemoryStore()};
  Executor reads_{1};
  TournamentRatings ratings_{hours(1), &metrics_, store_, store_, reads_};
};

TEST_F(TournamentRatingsTest, StoresAndShowsTheRatingOfEveryBot) {
  Tick(counts_, hours(0));
  std::vector<std::string> bots;
  for (const RatingPoint& point : Points()) {
    bots.push_back(point.bot);
    EXPECT_EQ(point.games, 20);
    EXPECT_GT(point.error, 0);
  }
  EXPECT_THAT(bots, UnorderedElementsAre("random", "p3", "quick", "greedy"));
  EXPECT_THAT(metrics_.Text(),
              HasSubstr("triarch_bot_rating_elo{bot=\"p3\",tournament=\"1 Sample\"} "));
}

TEST_F(TournamentRatingsTest, RatesOncePerInterval) {
  EXPECT_TRUE(ratings_.IsDue(start_));
  Tick(counts_, hours(0));
  EXPECT_FALSE(ratings_.IsDue(start_));
  EXPECT_TRUE(ratings_.IsDue(start_ + hours(2)));
  const TournamentRatings never({}, &metrics_, store_, store_, reads_);
  EXPECT_FALSE(never.IsDue(start_));
}

TEST_F(TournamentRatingsTest, RatesAgainOnlyAfterNewGames) {
  Tick(counts_, hours(0));
  Tick(counts_, hours(2));
  EXPECT_EQ(Points().size(), 4u);
  store_.Run(
      [this](Store& store) { EXPECT_TRUE(store.Record(counts_.id, SampleRecords(20, 21)).ok()); });
  counts_.done = 21;
  Tick(counts_, hours(4));
  EXPECT_EQ(Points().size(), 8u);
}

TEST_F(TournamentRatingsTest, SkipsTournamentsWithNothingToRate) {
  TournamentCounts unplayed = counts_;
  unplayed.done = 0;
  TournamentCounts selfplay = counts_;
  selfplay.is_selfplay = true;
  // It ended before this coordinator began.
  TournamentCounts ended = counts_;
  ended.state = TournamentState::kDone;
  for (const TournamentCounts& counts : {unplayed, selfplay, ended}) {
    Tick(counts, hours(0));
    EXPECT_THAT(Points(), IsEmpty());
  }
}

}  // namespace
}  // namespace triarch
