// Fuzzes sample rows of a corrupt spill: accepted rows survive a round trip.

#include "selfplay/shard/sample_row.h"
#include "selfplay/shard/small_shard.h"
#include "tests/fuzz/fuzz.h"

FUZZ_TEXT(text) {
  triarch::RowCursor cursor(text, triarch::SmallBounds());
  triarch::SampleRow row;
  while (true) {
    const absl::StatusOr<bool> has_row = cursor.Next(&row);
    CHECK(has_row.ok() || has_row.status().code() == absl::StatusCode::kDataLoss);
    if (!has_row.ok() || !*has_row) return;
    std::string rows;
    triarch::AppendRow(row, &rows);
    triarch::RowCursor second(rows, triarch::SmallBounds());
    triarch::SampleRow again;
    CHECK(*second.Next(&again));
    CHECK(again.ply == row.ply && again.key == row.key && again.played == row.played);
    CHECK(std::equal(again.legal.begin(), again.legal.end(), row.legal.begin(), row.legal.end()));
    CHECK(
        std::equal(again.policy.begin(), again.policy.end(), row.policy.begin(), row.policy.end()));
    CHECK(!*second.Next(&again));
  }
}
