#include "selfplay/shard/shard_builder.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/strings/str_format.h"
#include "core/base/check.h"
#include "core/base/status_macros.h"
#include "selfplay/shard/sample_row.h"

namespace triarch {
namespace {

constexpr size_t kLegalBytes = 2;  // minimum bytes per legal move of a row

template <class T, class Values>
void Append(const Values& values, std::vector<T>* column) {
  column->insert(column->end(), values.begin(), values.end());
}

// Returns the points as shares of 1.
PerSeat<float> Shares(const PerSeat<double>& points) {
  PerSeat<float> shares;
  double sum = 0;
  for (const double part : points) sum += part;
  CHECK(sum > 0);
  for (size_t i = 0; i < kSeatsMax; ++i) {
    shares.values[i] = static_cast<float>(points.values[i] / sum);
  }
  return shares;
}

class Builder {
 public:
  Builder(ShardMeta meta, bool drop_duplicates, Shard memory)
      : seats_(static_cast<size_t>(meta.seats)),
        bounds_{.cells = static_cast<size_t>(meta.cells),
                .seats = seats_,
                .policy_size = static_cast<size_t>(meta.policy_size)},
        drop_duplicates_(drop_duplicates),
        shard_(std::move(memory)) {
    shard_.game_start.clear();
    ForEachColumn(shard_, [](const char*, auto& column, Extent, size_t) { column.clear(); });
    shard_.meta = std::move(meta);
    shard_.game_moves_offsets.push_back(0);
    shard_.legal_offsets.push_back(0);
  }

  // Reserves memory for the samples of `row_bytes` bytes of rows.
  void Reserve(size_t row_bytes) {
    const size_t samples = row_bytes / (bounds_.cells + kSampleState + kLegalBytes);
    shard_.cells.reserve(samples * bounds_.cells);
    shard_.state.reserve(samples * kSampleState);
    shard_.legal.reserve(row_bytes / kLegalBytes);
    shard_.policy.reserve(row_bytes / kLegalBytes);
    if (drop_duplicates_) sample_of_.reserve(samples);
  }

  absl::Status Add(const ShardGame& game) {
    const absl::Status status = AddRows(game);
    if (status.ok()) {
      AddGame(game);
      return status;
    }
    return absl::Status(status.code(),
                        absl::StrFormat("game %d: %s", game.index, std::string(status.message())));
  }

  Shard Take() { return std::move(shard_); }

 private:
  void AddGame(const ShardGame& game) {
    shard_.game_index.push_back(game.index);
    shard_.game_start.push_back(game.start);
    Append(game.moves, &shard_.game_moves);
    shard_.game_moves_offsets.push_back(static_cast<int64_t>(shard_.game_moves.size()));
    const PerSeat<float> points = Shares(game.points);
    for (size_t i = 0; i < seats_; ++i) {
      shard_.game_points.push_back(points[SeatAt(i)]);
      shard_.game_bots.push_back(game.bots[SeatAt(i)]);
      shard_.game_resign_ply.push_back(game.resign_plies[SeatAt(i)]);
    }
  }

  absl::Status AddRows(const ShardGame& game) {
    moves_.clear();
    for (const uint16_t move : game.moves) {
      if (move < kSeatLeft) moves_.push_back(move);
    }
    RowCursor cursor(game.rows, bounds_);
    int last_ply = -1;
    while (true) {
      ASSIGN_OR_RETURN(const bool has_row, cursor.Next(&row_));
      if (!has_row) return absl::OkStatus();
      const auto ply = static_cast<size_t>(row_.ply);
      if (row_.ply <= last_ply || ply >= moves_.size() || moves_[ply] != row_.played) {
        return absl::DataLossError(
            absl::StrFormat("the sample of ply %d does not match the moves of the game", row_.ply));
      }
      last_ply = row_.ply;
      if (drop_duplicates_ && IsDuplicate()) continue;
      if (shard_.legal.size() + row_.legal.size() > std::numeric_limits<uint32_t>::max()) {
        return absl::ResourceExhaustedError("too many legal moves for a shard");
      }
      AddSample(game);
    }
  }

  // Returns whether the current sample is a duplicate; if so, adds 1 to the weight of the first
  // one.
  bool IsDuplicate() {
    const auto [at, is_new] = sample_of_.try_emplace(row_.key, shard_.samples());
    if (!is_new) ++shard_.weight[at->second];
    return !is_new;
  }

  void AddSample(const ShardGame& game) {
    const PerSeat<float> points = Shares(game.points);
    const auto left = moves_.size() - static_cast<size_t>(row_.ply) - 1;
    shard_.game.push_back(static_cast<uint32_t>(shard_.games()));
    shard_.index.push_back(game.index);
    shard_.ply.push_back(static_cast<uint16_t>(row_.ply));
    shard_.seat.push_back(static_cast<uint8_t>(row_.seat));
    Append(row_.cells, &shard_.cells);
    Append(row_.state, &shard_.state);
    Append(row_.legal, &shard_.legal);
    if (row_.policy.empty()) {
      shard_.policy.resize(shard_.legal.size());
    } else {
      Append(row_.policy, &shard_.policy);
    }
    shard_.legal_offsets.push_back(static_cast<uint32_t>(shard_.legal.size()));
    shard_.played.push_back(row_.played);
    for (size_t i = 0; i < seats_; ++i) {
      shard_.points.push_back(points[SeatAt(i)]);
      shard_.value.push_back(row_.value ? ToHalf((*row_.value)[SeatAt(i)]) : kHalfNan);
    }
    shard_.plies_left.push_back(static_cast<uint16_t>(std::min<size_t>(left, kPliesMax)));
    shard_.weight.push_back(1);
  }

  const size_t seats_;
  const RowBounds bounds_;
  const bool drop_duplicates_;
  Shard shard_;
  SampleRow row_;                // current row
  std::vector<uint16_t> moves_;  // moves of the current game, without seats that left
  absl::flat_hash_map<uint64_t, size_t> sample_of_;  // by key
};

}  // namespace

absl::StatusOr<Shard> BuildShard(ShardMeta meta, std::vector<ShardGame> games, bool drop_duplicates,
                                 Shard memory) {
  std::sort(games.begin(), games.end(),
            [](const ShardGame& a, const ShardGame& b) { return a.index < b.index; });
  Builder builder(std::move(meta), drop_duplicates, std::move(memory));
  size_t row_bytes = 0;
  for (const ShardGame& game : games) row_bytes += game.rows.size();
  builder.Reserve(row_bytes);
  for (const ShardGame& game : games) RETURN_IF_ERROR(builder.Add(game));
  return builder.Take();
}

}  // namespace triarch
