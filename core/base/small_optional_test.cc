#include "core/base/small_optional.h"

#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <utility>

namespace triarch {
namespace {

using Pair = std::array<double, 2>;

TEST(RareOptional, HasTheSizeOfAPointer) { EXPECT_EQ(sizeof(RareOptional<Pair>), sizeof(void*)); }

TEST(RareOptional, CopiesItsValue) {
  RareOptional<Pair> first = Pair{1, 2};
  RareOptional<Pair> second = first;
  first = Pair{3, 4};
  EXPECT_EQ(*second, (Pair{1, 2}));
  EXPECT_EQ(*first, (Pair{3, 4}));
  second = first;
  EXPECT_EQ(second, first);
  const RareOptional<Pair>& same = second;
  second = same;
  EXPECT_EQ(*second, (Pair{3, 4}));
  const RareOptional<Pair> third = std::move(second);
  EXPECT_EQ(*third, (Pair{3, 4}));
}

TEST(RareOptional, BehavesLikeStdOptional) {
  RareOptional<Pair> none;
  EXPECT_FALSE(none);
  EXPECT_EQ(none, std::nullopt);
  EXPECT_EQ(std::optional<Pair>(none), std::nullopt);
  none = std::optional<Pair>(Pair{1, 2});
  EXPECT_EQ(std::optional<Pair>(none), (Pair{1, 2}));
  EXPECT_NE(none, std::nullopt);
  EXPECT_NE(none, (Pair{1, 3}));
  EXPECT_EQ(none->front(), 1);
  none = std::optional<Pair>();
  EXPECT_FALSE(none.has_value());
  none = Pair{1, 2};
  none.reset();
  EXPECT_FALSE(none.has_value());
}

TEST(OptionalInt64, BehavesLikeStdOptional) {
  OptionalInt64 number;
  EXPECT_FALSE(number);
  EXPECT_EQ(number, std::nullopt);
  EXPECT_EQ(number.value_or(7), 7);
  for (const int64_t value : {int64_t{0}, int64_t{-1}, INT64_MAX, INT64_MIN + 1}) {
    number = value;
    EXPECT_TRUE(number.has_value());
    EXPECT_EQ(*number, value);
    EXPECT_EQ(number, value);
    EXPECT_NE(number, std::nullopt);
    EXPECT_EQ(number.value_or(7), value);
  }
  number = std::optional<int64_t>();
  EXPECT_FALSE(number.has_value());
  EXPECT_EQ(sizeof number, 8u);
}

}  // namespace
}  // namespace triarch
