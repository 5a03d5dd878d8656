// Encodes the training sample of one ply as a row of bytes.

#ifndef TRIARCH_SELFPLAY_SHARD_SAMPLE_ROW_H_
#define TRIARCH_SELFPLAY_SHARD_SAMPLE_ROW_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "core/game/sample.h"
#include "core/game/seat.h"

// A game carries its rows in GameRecord::samples. They exist only in memory and in a worker's spill
// file until a shard is built.
namespace triarch {

inline constexpr size_t kRowCellsMax = 255;  // most cells of a board

// The content of a row. The spans are views.
struct SampleRow {
  int ply = 0;  // moves played before it, including the opening; at most 65 535
  Seat seat = Seat::kFirst;
  uint16_t played = 0;  // policy index of the move played
  uint64_t key = 0;     // hash of the position, to find duplicates
  // The bot's evaluation, if any: the points that each seat is expected to get, in any unit; 0 for
  // a missing seat. Stored as shares of 1, rounded to 1/256.
  std::optional<PerSeat<float>> value = {};
  std::span<const uint8_t> cells = {};   // [kSampleCells of the game]
  std::span<const uint8_t> state = {};   // [kSampleState]
  std::span<const uint16_t> legal = {};  // [n] policy indices of the legal moves
  std::span<const uint8_t> policy = {};  // [n] parallel to legal, sum 255; or [0] if none
};

// Appends a row. The moves may come in any order but without duplicates; the row stores them in
// ascending order. Requires: all fields are within their limits.
void AppendRow(const SampleRow& row, std::string* rows);

// Limits on the rows of a game. Policy indices are below policy_size.
struct RowBounds {
  size_t cells = 0;
  size_t seats = 0;
  size_t policy_size = 0;
};

// Reads rows in sequence and checks each, because a spill file may be corrupt.
class RowCursor {
 public:
  // `rows` must outlive the cursor.
  RowCursor(std::string_view rows, const RowBounds& bounds) : rest_(rows), bounds_(bounds) {}

  // Reads the next row, which is valid until the next call; returns false at the end. Fails with
  // DataLoss if the row is corrupt.
  absl::StatusOr<bool> Next(SampleRow* row);

 private:
  std::string_view rest_;
  RowBounds bounds_;
  std::vector<uint16_t> legal_;  // copied from the row, which is not aligned
};

}  // namespace triarch

#endif  // TRIARCH_SELFPLAY_SHARD_SAMPLE_ROW_H_
