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

// One kept ply of a game on its way to a shard: rows of bytes, one after the other, as a game
// carries them (GameRecord::samples). They live in memory and in a worker's spill, nowhere else.
namespace triarch {

inline constexpr size_t kRowCellsMax = 255;  // cells of a board

// What a row says; spans are of whoever made it.
struct SampleRow {
  int ply = 0;  // moves played before it, the opening's included; 65 535 at most
  Seat seat = Seat::kFirst;
  uint16_t played = 0;  // policy index of the move that was played
  uint64_t key = 0;     // of the position: equal ones are duplicates
  // The bot's own, if it gave one: what each seat will get of the points, in any unit, 0 for a seat
  // that the game lacks. In the row it is in shares of 1, in parts of 256.
  std::optional<PerSeat<float>> value = {};
  std::span<const uint8_t> cells = {};   // [kSampleCells of the game]
  std::span<const uint8_t> state = {};   // [kSampleState]
  std::span<const uint16_t> legal = {};  // [n] policy indices of the legal moves
  std::span<const uint8_t> policy = {};  // [n] beside legal, adding up to 255; or [0]: none
};

// Appends the row. The moves may come in any order, each once; in the row they ascend. Requires
// that all is within its bounds.
void AppendRow(const SampleRow& row, std::string* rows);

// What rows of a game must fit: its cells, seats and policy indices, which are below policy_size.
struct RowBounds {
  size_t cells = 0;
  size_t seats = 0;
  size_t policy_size = 0;
};

// Reads rows one after the other, and checks them: a spill may be damaged.
class RowCursor {
 public:
  // The rows must stay.
  RowCursor(std::string_view rows, const RowBounds& bounds) : rest_(rows), bounds_(bounds) {}

  // The next row, which holds until the next call; false at the end. DataLoss: what of the row is
  // wrong.
  absl::StatusOr<bool> Next(SampleRow* row);

 private:
  std::string_view rest_;
  RowBounds bounds_;
  std::vector<uint16_t> legal_;  // of the row, as rows have no alignment
};

}  // namespace triarch

#endif  // TRIARCH_SELFPLAY_SHARD_SAMPLE_ROW_H_
