#include "selfplay/shard/sample_row.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "core/base/random.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "selfplay/shard/small_shard.h"

namespace triarch {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;

// Reads all rows. Returns the first error.
absl::Status ReadAll(std::string_view rows, const RowBounds& bounds = SmallBounds()) {
  RowCursor cursor(rows, bounds);
  SampleRow row;
  while (true) {
    const absl::StatusOr<bool> has_row = cursor.Next(&row);
    if (!has_row.ok()) return has_row.status();
    if (!*has_row) return absl::OkStatus();
  }
}

TEST(SampleRow, RowsRoundTripInOrder) {
  const SmallGame small = MakeSmallGame(99);
  RowCursor cursor(small.rows, SmallBounds());
  SampleRow row;
  ASSERT_TRUE(*cursor.Next(&row));
  EXPECT_EQ(row.ply, 1);
  EXPECT_EQ(row.seat, Seat::kSecond);
  EXPECT_EQ(row.played, 7);
  EXPECT_EQ(row.key, 99u);
  ASSERT_TRUE(row.value.has_value());
  EXPECT_THAT(row.value->values, ElementsAre(0.5f, 0.25f, 0.25f));
  EXPECT_THAT(row.cells, ElementsAre(0, 1, 0b1010'0110, 0, 0b1100'1010, 3));
  EXPECT_EQ(row.state[0], 1);
  EXPECT_THAT(row.legal, ElementsAre(7, 20, 40));  // given in a different order
  EXPECT_THAT(row.policy, ElementsAre(200, 0, 55));
  ASSERT_TRUE(*cursor.Next(&row));
  EXPECT_EQ(row.ply, 3);
  EXPECT_FALSE(row.value.has_value());
  EXPECT_THAT(row.legal, ElementsAre(11));
  EXPECT_TRUE(row.policy.empty());
  EXPECT_FALSE(*cursor.Next(&row));
  EXPECT_FALSE(*cursor.Next(&row));
}

// Few and many moves are sorted by different algorithms.
TEST(SampleRow, SortsAnyNumberOfMoves) {
  Random random(7);
  const std::array<uint8_t, 6> cells{};
  const std::array<uint8_t, kSampleState> state{};
  for (const size_t count : {2u, 31u, 32u, 33u, 200u, 256u, 257u, 900u}) {
    std::vector<uint16_t> moves;
    for (size_t i = 0; i < count; ++i) moves.push_back(static_cast<uint16_t>(65'000 - 72 * i));
    const std::vector<uint16_t> ascending(moves.rbegin(), moves.rend());
    for (size_t i = count - 1; i > 0; --i) {
      std::swap(moves[i], moves[random.Below(static_cast<uint32_t>(i + 1))]);
    }
    if (std::is_sorted(moves.begin(), moves.end())) std::swap(moves.front(), moves.back());
    std::vector<uint8_t> policy(count, 0);
    policy[0] = 155;
    policy[count - 1] = 100;
    std::string rows;
    AppendRow(
        {.played = moves[0], .cells = cells, .state = state, .legal = moves, .policy = policy},
        &rows);
    RowCursor cursor(rows, {.cells = 6, .seats = 3, .policy_size = 0xff00});
    SampleRow row;
    const absl::StatusOr<bool> has_row = cursor.Next(&row);
    ASSERT_TRUE(has_row.ok()) << has_row.status();
    EXPECT_THAT(row.legal, ElementsAreArray(ascending));
    for (size_t i = 0; i < count; ++i) {
      const uint16_t move = row.legal[i];
      EXPECT_EQ(row.policy[i], move == moves[0] ? 155 : move == moves[count - 1] ? 100 : 0) << move;
    }
  }
}

TEST(SampleRow, DetectsCorruption) {
  const std::string rows = MakeSmallGame().rows;
  ASSERT_TRUE(ReadAll(rows).ok());
  int whole = 0;
  for (size_t size = 0; size < rows.size(); ++size) {
    const absl::Status status = ReadAll(rows.substr(0, size));
    if (status.ok()) {
      ++whole;
    } else {
      EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
    }
  }
  EXPECT_EQ(whole, 2);  // no row, or only the first
  const auto with = [&rows](size_t at, char byte) {
    std::string other = rows;
    other[at] = byte;
    return std::string(ReadAll(other).message());
  };
  EXPECT_THAT(with(20, 3), HasSubstr("invalid seat"));
  EXPECT_THAT(with(21, 4), HasSubstr("invalid flag"));
  EXPECT_THAT(with(22, 7), HasSubstr("wrong number of cells"));
  EXPECT_THAT(with(12, 0), HasSubstr("no legal move"));
  EXPECT_THAT(with(10, 8), HasSubstr("the played move is not legal"));
  EXPECT_THAT(with(15, 0x3c), HasSubstr("the value does not sum to 1"));
  EXPECT_THAT(with(15, 0x7f), HasSubstr("invalid value"));
  EXPECT_THAT(with(24 + 6 + 16, 21), HasSubstr("invalid legal moves"));      // 21, 20, 40
  EXPECT_THAT(with(24 + 6 + 16 + 4, 50), HasSubstr("invalid legal moves"));  // 7, 20, 50
  EXPECT_THAT(with(24 + 6 + 16 + 6, 1), HasSubstr("the policy does not sum to 255"));
}

TEST(SampleRow, RejectsRowsOfAnotherGame) {
  const std::string rows = MakeSmallGame().rows;
  EXPECT_FALSE(ReadAll(rows, {.cells = 96, .seats = 3, .policy_size = 50}).ok());
  EXPECT_FALSE(ReadAll(rows, {.cells = 6, .seats = 1, .policy_size = 50}).ok());
  EXPECT_FALSE(ReadAll(rows, {.cells = 6, .seats = 3, .policy_size = 40}).ok());
}

}  // namespace
}  // namespace triarch
