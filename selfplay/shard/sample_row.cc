#include "selfplay/shard/sample_row.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "absl/status/status.h"
#include "core/base/check.h"
#include "core/base/status_macros.h"
#include "selfplay/shard/half.h"
#include "selfplay/shard/policy.h"

namespace triarch {
namespace {

// Values are rounded to 1/256. A search is not more precise, and shards become a third smaller.
constexpr float kValueParts = 256;
constexpr uint8_t kHasValue = 1;
constexpr uint8_t kHasPolicy = 2;

// Has no padding, so that equal rows have equal bytes.
struct RowHeader {
  uint64_t key = 0;
  uint16_t ply = 0;
  uint16_t played = 0;
  uint16_t legal_count = 0;
  std::array<Half, kSeatsMax> value{};
  uint8_t seat = 0;
  uint8_t flags = 0;
  uint8_t cell_count = 0;
  uint8_t zero = 0;
};
static_assert(sizeof(RowHeader) == 24);

absl::Status BadRow(const char* what) {
  return absl::DataLossError(std::string("corrupt sample row: ") + what);
}

template <class T>
void Append(std::span<const T> values, std::string* rows) {
  rows->append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
}

// Converts the value to shares. Returns false if all of it is zero.
bool SetValue(const SampleRow& row, std::array<Half, kSeatsMax>* value) {
  if (!row.value) return false;
  float sum = 0;
  for (const float share : *row.value) {
    CHECK(share >= 0 && std::isfinite(share));
    sum += share;
  }
  if (!(sum > 0)) return false;
  for (size_t i = 0; i < kSeatsMax; ++i) {
    (*value)[i] = ToHalf(std::round(row.value->values[i] / sum * kValueParts) / kValueParts);
  }
  return true;
}

using Ranks = std::vector<uint16_t>;

// Counts, for each move, how many moves are less than it. Compares all pairs, vectorized and
// without branches: for a few dozen moves this takes a fifth of the time of std::sort.
void CountLess(std::span<const uint16_t> moves, Ranks* ranks) {
  constexpr size_t kAtOnce = 32;
  ranks->resize((moves.size() + kAtOnce - 1) / kAtOnce * kAtOnce);
  for (size_t first = 0; first < moves.size(); first += kAtOnce) {
    std::array<uint16_t, kAtOnce> some{};
    std::array<uint16_t, kAtOnce> less{};
    std::copy_n(moves.begin() + static_cast<ptrdiff_t>(first),
                std::min(kAtOnce, moves.size() - first), some.begin());
    for (const uint16_t other : moves) {
      for (size_t i = 0; i < kAtOnce; ++i) {
        less[i] = static_cast<uint16_t>(less[i] + (other < some[i] ? 1 : 0));
      }
    }
    std::copy(less.begin(), less.end(), ranks->begin() + static_cast<ptrdiff_t>(first));
  }
}

// Like CountLess, but sorts, which is faster for many moves.
void SortRanks(std::span<const uint16_t> moves, Ranks* ranks) {
  std::vector<uint32_t> pairs;  // move << 16 | number
  for (size_t i = 0; i < moves.size(); ++i) {
    pairs.push_back(static_cast<uint32_t>(moves[i]) << 16 | static_cast<uint32_t>(i));
  }
  std::sort(pairs.begin(), pairs.end());
  ranks->resize(moves.size());
  for (size_t rank = 0; rank < pairs.size(); ++rank) {
    (*ranks)[pairs[rank] & 0xffff] = static_cast<uint16_t>(rank);
  }
}

// Appends the moves in ascending order, and their policy in the same order.
void AppendSorted(const SampleRow& row, std::string* rows) {
  constexpr size_t kComparedMax = 256;
  thread_local Ranks ranks;
  thread_local std::vector<uint16_t> legal;
  thread_local std::vector<uint8_t> policy;
  row.legal.size() <= kComparedMax ? CountLess(row.legal, &ranks) : SortRanks(row.legal, &ranks);
  legal.resize(row.legal.size());
  policy.resize(row.policy.size());
  for (size_t i = 0; i < row.legal.size(); ++i) legal[ranks[i]] = row.legal[i];
  for (size_t i = 0; i < row.policy.size(); ++i) policy[ranks[i]] = row.policy[i];
  Append(std::span<const uint16_t>(legal), rows);
  Append(std::span<const uint8_t>(policy), rows);
}

absl::Status CheckHeader(const RowHeader& header, const RowBounds& bounds) {
  if (header.cell_count != bounds.cells) return BadRow("wrong number of cells");
  if (header.seat >= bounds.seats) return BadRow("invalid seat");
  if (header.legal_count == 0) return BadRow("no legal move");
  if ((header.flags & ~(kHasValue | kHasPolicy)) != 0 || header.zero != 0)
    return BadRow("invalid flag");
  return absl::OkStatus();
}

absl::Status CheckValue(const PerSeat<float>& value) {
  constexpr float kRounding = 0.01f;  // for the sum of three halves
  float sum = 0;
  for (const float share : value) {
    if (!(share >= 0 && share <= 1)) return BadRow("invalid value");
    sum += share;
  }
  return std::abs(sum - 1) <= kRounding ? absl::OkStatus() : BadRow("the value does not sum to 1");
}

absl::Status CheckMoves(const SampleRow& row, size_t policy_size) {
  bool is_rising = true;
  bool has_played = row.legal[0] == row.played;
  for (size_t i = 1; i < row.legal.size(); ++i) {
    is_rising &= row.legal[i - 1] < row.legal[i];
    has_played |= row.legal[i] == row.played;
  }
  if (!is_rising || row.legal.back() >= policy_size) return BadRow("invalid legal moves");
  if (!has_played) return BadRow("the played move is not legal");
  int sum = 0;
  for (const uint8_t share : row.policy) sum += share;
  return row.policy.empty() || sum == kPolicySum ? absl::OkStatus()
                                                 : BadRow("the policy does not sum to 255");
}

}  // namespace

void AppendRow(const SampleRow& row, std::string* rows) {
  CHECK(row.ply >= 0 && row.ply <= 0xffff && row.cells.size() <= kRowCellsMax &&
        row.state.size() == kSampleState);
  CHECK(!row.legal.empty() && row.legal.size() <= 0xffff &&
        (row.policy.empty() || row.policy.size() == row.legal.size()));
  RowHeader header{.key = row.key,
                   .ply = static_cast<uint16_t>(row.ply),
                   .played = row.played,
                   .legal_count = static_cast<uint16_t>(row.legal.size()),
                   .seat = static_cast<uint8_t>(row.seat),
                   .cell_count = static_cast<uint8_t>(row.cells.size())};
  if (SetValue(row, &header.value)) header.flags |= kHasValue;
  if (!row.policy.empty()) header.flags |= kHasPolicy;
  rows->append(reinterpret_cast<const char*>(&header), sizeof header);
  Append(row.cells, rows);
  Append(row.state, rows);
  if (std::is_sorted(row.legal.begin(), row.legal.end())) {
    Append(row.legal, rows);
    Append(row.policy, rows);
  } else {
    AppendSorted(row, rows);
  }
}

absl::StatusOr<bool> RowCursor::Next(SampleRow* row) {
  if (rest_.empty()) return false;
  RowHeader header;
  if (rest_.size() < sizeof header) return BadRow("it is truncated");
  std::memcpy(&header, rest_.data(), sizeof header);
  RETURN_IF_ERROR(CheckHeader(header, bounds_));
  const size_t moves = header.legal_count;
  const bool has_policy = (header.flags & kHasPolicy) != 0;
  const size_t size =
      sizeof header + header.cell_count + kSampleState + 2 * moves + (has_policy ? moves : 0);
  if (rest_.size() < size) return BadRow("it is truncated");
  const auto* const bytes = reinterpret_cast<const uint8_t*>(rest_.data()) + sizeof header;
  row->ply = header.ply;
  row->seat = SeatAt(header.seat);
  row->played = header.played;
  row->key = header.key;
  row->value.reset();
  if ((header.flags & kHasValue) != 0) {
    row->value.emplace();
    for (size_t i = 0; i < kSeatsMax; ++i) row->value->values[i] = ToFloat(header.value[i]);
    RETURN_IF_ERROR(CheckValue(*row->value));
  }
  row->cells = {bytes, header.cell_count};
  row->state = {bytes + header.cell_count, kSampleState};
  const uint8_t* const legal = bytes + header.cell_count + kSampleState;
  legal_.resize(moves);
  std::memcpy(legal_.data(), legal, 2 * moves);
  row->legal = legal_;
  row->policy = {legal + 2 * moves, has_policy ? moves : 0};
  RETURN_IF_ERROR(CheckMoves(*row, bounds_.policy_size));
  rest_.remove_prefix(size);
  return true;
}

}  // namespace triarch
