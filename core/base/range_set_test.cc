#include "core/base/range_set.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "core/base/random.h"

namespace triarch {
namespace {

TEST(RangeSet, JoinsRangesThatTouchOrOverlap) {
  struct Row {
    std::vector<Range> added;
    std::string text;
    int64_t size;
  };
  const std::vector<Row> rows = {
      {{}, "", 0},
      {{{3, 3}}, "", 0},
      {{{5, 2}}, "", 0},
      {{{3, 4}}, "3", 1},
      {{{0, 5}, {7, 8}, {9, 13}}, "0-4 7 9-12", 10},
      {{{0, 5}, {5, 7}}, "0-6", 7},
      {{{5, 7}, {0, 5}}, "0-6", 7},
      {{{0, 2}, {4, 6}, {2, 4}}, "0-5", 6},
      {{{0, 2}, {4, 6}, {8, 10}, {1, 9}}, "0-9", 10},
      {{{0, 10}, {3, 4}}, "0-9", 10},
      {{{3, 4}, {0, 10}}, "0-9", 10},
      {{{-5, -3}, {-3, 2}}, "-5-1", 7},
  };
  for (const Row& row : rows) {
    const RangeSet set(row.added);
    EXPECT_EQ(set.ToString(), row.text);
    EXPECT_EQ(set.size(), row.size) << row.text;
    EXPECT_EQ(set.empty(), row.size == 0) << row.text;
    EXPECT_EQ(RangeSet(set.ranges()), set);
  }
}

TEST(RangeSet, ReportsHowManyIndicesWereNew) {
  RangeSet set;
  EXPECT_EQ(set.Add({10, 20}), 10);
  EXPECT_EQ(set.Add({10, 20}), 0);
  EXPECT_EQ(set.Add({5, 25}), 10);
  EXPECT_EQ(set.Add({25, 26}), 1);
  EXPECT_EQ(set.Add({8, 8}), 0);
  EXPECT_EQ(set.ToString(), "5-25");
}

TEST(RangeSet, RemovesRanges) {
  struct Row {
    Range removed;
    int64_t count;
    std::string left;  // of 0-9 20-29 40
  };
  const std::vector<Row> rows = {
      {{0, 10}, 10, "20-29 40"},
      {{-5, 3}, 3, "3-9 20-29 40"},
      {{9, 20}, 1, "0-8 20-29 40"},
      {{10, 20}, 0, "0-9 20-29 40"},
      {{4, 5}, 1, "0-3 5-9 20-29 40"},
      {{5, 25}, 10, "0-4 25-29 40"},
      {{5, 41}, 16, "0-4"},
      {{0, 100}, 21, ""},
      {{40, 41}, 1, "0-9 20-29"},
      {{41, 50}, 0, "0-9 20-29 40"},
      {{7, 7}, 0, "0-9 20-29 40"},
      {{8, 3}, 0, "0-9 20-29 40"},
  };
  for (const Row& row : rows) {
    RangeSet set({{0, 10}, {20, 30}, {40, 41}});
    EXPECT_EQ(set.Remove(row.removed), row.count) << row.left;
    EXPECT_EQ(set.ToString(), row.left);
    EXPECT_EQ(set.size(), 21 - row.count) << row.left;
  }
}

TEST(RangeSet, FindsIndicesWithinAndMissingFromARange) {
  const RangeSet set({{0, 10}, {20, 30}, {40, 41}});
  struct Row {
    Range range;
    std::string within;
    std::string missing;
  };
  const std::vector<Row> rows = {
      {{0, 10}, "0-9", ""},    {{5, 25}, "5-9 20-24", "10-19"},
      {{10, 20}, "", "10-19"}, {{-3, 50}, "0-9 20-29 40", "-3--1 10-19 30-39 41-49"},
      {{25, 26}, "25", ""},    {{41, 43}, "", "41-42"},
      {{7, 7}, "", ""},        {{9, 2}, "", ""},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(set.Within(row.range).ToString(), row.within) << row.range.first;
    EXPECT_EQ(set.MissingFrom(row.range).ToString(), row.missing) << row.range.first;
  }
}

TEST(RangeSet, FindsTheFirstRange) {
  EXPECT_EQ(RangeSet().first(), std::nullopt);
  EXPECT_EQ(RangeSet({{7, 9}, {3, 5}}).first(), (Range{3, 5}));
}

TEST(RangeSet, StaysSmallWithManyIndices) {
  RangeSet set({{0, int64_t{1'000'000'000}}});
  for (int64_t index = 0; index < 100; ++index) set.Remove({index * 1000, index * 1000 + 1});
  EXPECT_EQ(set.range_count(), 100u);
  EXPECT_EQ(set.size(), 999'999'900);
}

TEST(RangeSet, AgreesWithStdSet) {
  for (uint64_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    RangeSet ranges;
    std::set<int64_t> indices;
    const auto draw = [&] { return static_cast<int64_t>(random.Below(60)); };
    for (int step = 0; step < 400; ++step) {
      const int64_t first = draw();
      const Range range{first, first + static_cast<int64_t>(random.Below(9))};
      int64_t changed = 0;
      const bool adds = random.Below(2) == 0;
      for (int64_t i = range.first; i < range.last; ++i) {
        changed += adds ? static_cast<int64_t>(indices.insert(i).second)
                        : static_cast<int64_t>(indices.erase(i));
      }
      ASSERT_EQ(adds ? ranges.Add(range) : ranges.Remove(range), changed);
      ASSERT_EQ(ranges.size(), static_cast<int64_t>(indices.size()));
      const Range window{draw(), draw()};
      RangeSet expected;
      for (int64_t i = 0; i < 70; ++i) {
        ASSERT_EQ(ranges.contains(i), indices.contains(i)) << i;
        if (window.contains(i) && indices.contains(i)) expected.Add({i, i + 1});
      }
      ASSERT_EQ(ranges.Within(window), expected);
      ASSERT_EQ(ranges.MissingFrom(window).size(),
                std::max<int64_t>(window.size(), 0) - expected.size());
    }
  }
}

}  // namespace
}  // namespace triarch
