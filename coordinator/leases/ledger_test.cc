#include "coordinator/leases/ledger.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "core/base/random.h"

namespace triarch {
namespace {

std::string Text(const Ledger& ledger) {
  return "open " + ledger.open().ToString() + ", leased " + ledger.leased().ToString() + ", done " +
         ledger.done().ToString();
}

TEST(Ledger, BeginsWithTheRecordedGames) {
  struct Row {
    int64_t games;
    std::vector<Range> done;
    std::string text;
    bool is_complete;
  };
  const std::vector<Row> rows = {
      {10, {}, "open 0-9, leased , done ", false},
      {10, {{0, 10}}, "open , leased , done 0-9", true},
      {10, {{2, 4}, {6, 7}}, "open 0-1 4-5 7-9, leased , done 2-3 6", false},
      {10, {{5, 50}}, "open 0-4, leased , done 5-9", false},
      {10, {{20, 30}}, "open 0-9, leased , done ", false},
  };
  for (const Row& row : rows) {
    const Ledger ledger(row.games, RangeSet(row.done));
    EXPECT_EQ(Text(ledger), row.text);
    EXPECT_EQ(ledger.is_complete(), row.is_complete) << row.text;
    EXPECT_EQ(ledger.games(), row.games);
  }
}

TEST(Ledger, TakesTheLowestGamesWithoutAGap) {
  Ledger ledger(10, RangeSet({{3, 5}}));
  EXPECT_EQ(ledger.Take(2), (Range{0, 2}));
  EXPECT_EQ(ledger.Take(100), (Range{2, 3}));
  EXPECT_EQ(ledger.Take(100), (Range{5, 10}));
  EXPECT_EQ(ledger.Take(1), std::nullopt);
  EXPECT_EQ(Text(ledger), "open , leased 0-2 5-9, done 3-4");
}

TEST(Ledger, ClaimsOnlyOpenGames) {
  Ledger ledger(10, RangeSet({{0, 2}}));
  ASSERT_EQ(ledger.Take(2), (Range{2, 4}));
  EXPECT_EQ(ledger.Claim(RangeSet({{0, 6}, {8, 99}})).ToString(), "4-5 8-9");
  EXPECT_EQ(Text(ledger), "open 6-7, leased 2-5 8-9, done 0-1");
  EXPECT_EQ(ledger.Claim(RangeSet({{0, 6}})).ToString(), "");
}

TEST(Ledger, ReturnsOnlyLeasedGames) {
  Ledger ledger(10, RangeSet({{0, 2}}));
  ASSERT_EQ(ledger.Take(4), (Range{2, 6}));
  ledger.MarkDone(3);
  ledger.Return(RangeSet({{0, 5}, {8, 9}}));
  EXPECT_EQ(Text(ledger), "open 2 4 6-9, leased 5, done 0-1 3");
}

TEST(Ledger, MarksEachGameOnce) {
  Ledger ledger(4, RangeSet());
  ASSERT_EQ(ledger.Take(2), (Range{0, 2}));
  EXPECT_TRUE(ledger.MarkDone(1));
  EXPECT_FALSE(ledger.MarkDone(1));
  EXPECT_TRUE(ledger.MarkDone(3));  // open: reported under a lease that has ended
  EXPECT_FALSE(ledger.MarkDone(3));
  EXPECT_EQ(Text(ledger), "open 2, leased 0, done 1 3");
  EXPECT_TRUE(ledger.MarkDone(0));
  EXPECT_FALSE(ledger.is_complete());
  EXPECT_TRUE(ledger.MarkDone(2));
  EXPECT_TRUE(ledger.is_complete());
}

TEST(Ledger, IsSmallForABillionGames) {
  Ledger ledger(1'000'000'000, RangeSet());
  for (int lease = 0; lease < 1000; ++lease) ASSERT_TRUE(ledger.Take(100'000).has_value());
  for (int64_t lease = 0; lease < 1000; lease += 2) {
    ledger.Return(RangeSet({{lease * 100'000, (lease + 1) * 100'000}}));
  }
  EXPECT_EQ(ledger.open().range_count(), 501u);
  EXPECT_EQ(ledger.open().size() + ledger.leased().size(), ledger.games());
}

TEST(LedgerDeathTest, IgnoresIndicesOutOfRange) {
  Ledger ledger(10, RangeSet());
  EXPECT_DEATH(ledger.MarkDone(10), "CHECK failed");
  EXPECT_DEATH(ledger.MarkDone(-1), "CHECK failed");
  EXPECT_DEATH((void)ledger.Take(0), "CHECK failed");
}

// A ledger implemented as three sets of indices.
class SlowLedger {
 public:
  SlowLedger(int64_t games, const RangeSet& done_ranges) {
    for (int64_t i = 0; i < games; ++i) (done_ranges.contains(i) ? done : open).insert(i);
  }
  RangeSet Move(const RangeSet& games, std::set<int64_t>* from, std::set<int64_t>* to) {
    RangeSet moved;
    for (const Range& range : games.ranges()) {
      for (int64_t i = range.first; i < range.last; ++i) {
        if (from->erase(i) == 0) continue;
        to->insert(i);
        moved.Add({i, i + 1});
      }
    }
    return moved;
  }
  std::string Text() const {
    const auto text = [](const std::set<int64_t>& indices) {
      RangeSet ranges;
      for (const int64_t i : indices) ranges.Add({i, i + 1});
      return ranges.ToString();
    };
    return "open " + text(open) + ", leased " + text(leased) + ", done " + text(done);
  }

  std::set<int64_t> open, leased, done;
};

// Performs one random operation on both.
void Step(Random& random, Ledger& ledger, SlowLedger& slow) {
  const auto first = static_cast<int64_t>(random.Below(static_cast<uint32_t>(ledger.games())));
  const RangeSet games({{first, first + static_cast<int64_t>(random.Below(8))}});
  switch (random.Below(4)) {
    case 0: {
      const auto range = ledger.Take(1 + random.Below(6));
      ASSERT_EQ(range.has_value(), !slow.open.empty());
      if (!range) return;
      ASSERT_EQ(range->first, *slow.open.begin());
      ASSERT_EQ(slow.Move(RangeSet({*range}), &slow.open, &slow.leased).size(), range->size());
      return;
    }
    case 1:
      ASSERT_EQ(ledger.Claim(games), slow.Move(games, &slow.open, &slow.leased));
      return;
    case 2:
      ledger.Return(games);
      slow.Move(games, &slow.leased, &slow.open);
      return;
    default:
      ASSERT_EQ(ledger.MarkDone(first), slow.done.insert(first).second);
      slow.open.erase(first);
      slow.leased.erase(first);
  }
}

TEST(Ledger, AgreesWithThreeSets) {
  constexpr int64_t kGames = 50;
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const RangeSet done({{random.Below(kGames), random.Below(kGames)}});
    Ledger ledger(kGames, done);
    SlowLedger slow(kGames, done);
    for (int step = 0; step < 200 && !ledger.is_complete(); ++step) {
      ASSERT_NO_FATAL_FAILURE(Step(random, ledger, slow));
      ASSERT_EQ(Text(ledger), slow.Text());
    }
  }
}

TEST(LedgerTest, LeasesOnlyBelowTheHorizon) {
  Ledger ledger(100, RangeSet());
  EXPECT_EQ(ledger.available(), 100);
  ledger.set_horizon(10);
  EXPECT_EQ(ledger.available(), 10);
  EXPECT_EQ(ledger.Take(8), (Range{0, 8}));
  EXPECT_EQ(ledger.Take(8), (Range{8, 10}));
  EXPECT_EQ(ledger.Take(8), std::nullopt);
  EXPECT_EQ(ledger.available(), 0);
  ledger.set_horizon(1000);
  EXPECT_EQ(ledger.available(), 90);
  EXPECT_EQ(ledger.Take(8), (Range{10, 18}));
}

}  // namespace
}  // namespace triarch
