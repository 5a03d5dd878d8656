// Checks the values of a shard, array by array.

#include <algorithm>
#include <array>
#include <cmath>

#include "absl/strings/str_format.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "selfplay/shard/policy.h"
#include "selfplay/shard/sample_row.h"
#include "selfplay/shard/shard.h"

namespace triarch {
namespace {

constexpr float kSumSlack = 1e-4f;
constexpr float kValueSlack = 0.01f;  // for the sum of three halves

absl::Status Wrong(std::string_view array, size_t at, const std::string& what) {
  return absl::InvalidArgumentError(
      absl::StrFormat("array %s at %d: %s", std::string(array), at, what));
}

// Checks offsets [n+1]: they start at 0, never decrease, and end at the length of the array that
// they index.
template <class T>
absl::Status CheckOffsets(std::string_view name, const std::vector<T>& offsets, size_t end) {
  if (offsets.front() != 0) return Wrong(name, 0, "expected 0");
  for (size_t i = 1; i < offsets.size(); ++i) {
    if (offsets[i] < offsets[i - 1]) return Wrong(name, i, "expected at least the previous offset");
  }
  if (static_cast<size_t>(offsets.back()) != end) {
    return Wrong(name, offsets.size() - 1,
                 absl::StrFormat("%d; expected %d, the length of the array", offsets.back(), end));
  }
  return absl::OkStatus();
}

// Checks shares [n,seats]: each is from 0 to 1, and they sum to 1.
absl::Status CheckShares(std::string_view name, size_t row, const float* shares, size_t seats,
                         float slack) {
  float sum = 0;
  for (size_t seat = 0; seat < seats; ++seat) {
    if (!(shares[seat] >= 0 && shares[seat] <= 1)) {
      return Wrong(name, row, "expected numbers from 0 to 1");
    }
    sum += shares[seat];
  }
  if (std::abs(sum - 1) <= slack) return absl::OkStatus();
  return Wrong(name, row, absl::StrFormat("the sum is %g; expected 1", sum));
}

// Checks that columns over the same rows have the same length.
absl::Status CheckLengths(const Shard& shard) {
  absl::Status status;
  const auto check = [&status](const char* name, size_t size, size_t expected) {
    if (!status.ok() || size == expected) return;
    status = absl::InvalidArgumentError(
        absl::StrFormat("array %s: %d values; expected %d", name, size, expected));
  };
  ForEachColumn(shard, [&](const char* name, const auto& column, Extent extent, size_t width) {
    const size_t times = width == 0 ? 1 : width;
    if (extent == Extent::kGames) check(name, column.size(), shard.games() * times);
    if (extent == Extent::kGamesAnd1) check(name, column.size(), shard.games() + 1);
    if (extent == Extent::kSamples) check(name, column.size(), shard.samples() * times);
    if (extent == Extent::kSamplesAnd1) check(name, column.size(), shard.samples() + 1);
  });
  check("game_start", shard.game_start.size(), shard.games());
  check("policy", shard.policy.size(), shard.legal.size());
  return status;
}

class ShardChecker {
 public:
  explicit ShardChecker(const Shard& shard)
      : shard_(shard), seats_(static_cast<size_t>(shard.meta.seats)) {
    for (size_t cell = 0; cell < is_cell_.size(); ++cell) {
      const size_t owner = (cell >> 3) & 3;
      const size_t color = (cell >> 5) & 3;
      const size_t type = cell & 7;
      is_cell_[cell] = cell == 0 || (type >= 1 && type <= 6 && owner < seats_ && color < seats_);
    }
  }

  absl::Status Check() {
    RETURN_IF_ERROR(CheckLengths(shard_));
    RETURN_IF_ERROR(
        CheckOffsets("game_moves_offsets", shard_.game_moves_offsets, shard_.game_moves.size()));
    for (size_t game = 0; game < shard_.games(); ++game) RETURN_IF_ERROR(CheckGame(game));
    RETURN_IF_ERROR(CheckOffsets("legal_offsets", shard_.legal_offsets, shard_.legal.size()));
    RETURN_IF_ERROR(CheckCells());
    for (size_t sample = 0; sample < shard_.samples(); ++sample) {
      RETURN_IF_ERROR(CheckSample(sample));
      RETURN_IF_ERROR(CheckMoves(sample));
      RETURN_IF_ERROR(CheckNumbers(sample));
    }
    return absl::OkStatus();
  }

 private:
  absl::Status CheckGame(size_t game) const {
    const int64_t index = shard_.game_index[game];
    if (index < 0 || (game > 0 && index <= shard_.game_index[game - 1])) {
      return Wrong("game_index", game, "expected ascending numbers from 0");
    }
    if (!IsPlainText(shard_.game_start[game])) {
      return Wrong("game_start", game, "expected UTF-8 without control characters");
    }
    const auto begin = static_cast<size_t>(shard_.game_moves_offsets[game]);
    const auto end = static_cast<size_t>(shard_.game_moves_offsets[game + 1]);
    for (size_t i = begin; i < end; ++i) {
      const uint16_t move = shard_.game_moves[i];
      if (move >= shard_.meta.policy_size && (move < kSeatLeft || move >= kSeatLeft + seats_)) {
        return Wrong("game_moves", i, absl::StrFormat("invalid move %d", move));
      }
    }
    for (size_t i = game * seats_; i < (game + 1) * seats_; ++i) {
      if (shard_.game_bots[i] >= shard_.meta.bots.size()) {
        return Wrong("game_bots", game, "expected indices into the bots in meta");
      }
      if (shard_.game_resign_ply[i] < -1) {
        return Wrong("game_resign_ply", game, "expected plies, or -1");
      }
    }
    return CheckShares("game_points", game, &shard_.game_points[game * seats_], seats_, kSumSlack);
  }

  absl::Status CheckCells() const {
    for (size_t i = 0; i < shard_.cells.size(); ++i) {
      if (is_cell_[shard_.cells[i]]) continue;
      return Wrong("cells", i / static_cast<size_t>(shard_.meta.cells),
                   absl::StrFormat("invalid piece %d", shard_.cells[i]));
    }
    return absl::OkStatus();
  }

  // Samples are grouped by game; the moves of each game are collected once.
  absl::Status CheckSample(size_t sample) {
    const size_t game = shard_.game[sample];
    const bool is_same = sample > 0 && game == shard_.game[sample - 1];
    if (game >= shard_.games() || (sample > 0 && game < shard_.game[sample - 1])) {
      return Wrong("game", sample, "expected rows of games in order");
    }
    if (!is_same) TakeMoves(game);
    if (shard_.index[sample] != shard_.game_index[game]) {
      return Wrong("index", sample, "expected the index of its game");
    }
    const size_t ply = shard_.ply[sample];
    if (ply >= moves_.size() || (is_same && ply <= shard_.ply[sample - 1])) {
      return Wrong("ply", sample, "expected ascending plies of its game");
    }
    if (shard_.played[sample] != moves_[ply]) {
      return Wrong("played", sample, "expected the move in game_moves");
    }
    const size_t left = std::min<size_t>(moves_.size() - ply - 1, kPliesMax);
    if (shard_.plies_left[sample] != left) {
      return Wrong("plies_left", sample,
                   absl::StrFormat("%d; expected %d", shard_.plies_left[sample], left));
    }
    if (shard_.seat[sample] >= seats_) return Wrong("seat", sample, "expected a seat of the game");
    if (shard_.state[sample * kSampleState] != shard_.seat[sample]) {
      return Wrong("state", sample, "expected byte 0 to be the seat to move");
    }
    return absl::OkStatus();
  }

  void TakeMoves(size_t game) {
    const auto begin = shard_.game_moves.begin() + shard_.game_moves_offsets[game];
    const auto end = shard_.game_moves.begin() + shard_.game_moves_offsets[game + 1];
    moves_.clear();
    std::copy_if(begin, end, std::back_inserter(moves_),
                 [](uint16_t move) { return move < kSeatLeft; });
  }

  absl::Status CheckMoves(size_t sample) const {
    const size_t begin = shard_.legal_offsets[sample];
    const size_t end = shard_.legal_offsets[sample + 1];
    bool has_played = false;
    int sum = 0;
    for (size_t i = begin; i < end; ++i) {
      const uint16_t move = shard_.legal[i];
      if (move >= shard_.meta.policy_size || (i > begin && move <= shard_.legal[i - 1])) {
        return Wrong("legal", i, "expected ascending policy indices");
      }
      has_played |= move == shard_.played[sample];
      sum += shard_.policy[i];
    }
    if (!has_played) return Wrong("played", sample, "expected one of the legal moves");
    if (sum != kPolicySum && sum != 0) {
      return Wrong("policy", sample, absl::StrFormat("the sum is %d; expected 255 or 0", sum));
    }
    return absl::OkStatus();
  }

  absl::Status CheckNumbers(size_t sample) const {
    const float weight = shard_.weight[sample];
    if (!(weight >= 1 && std::isfinite(weight))) {
      return Wrong("weight", sample, "expected 1 or more");
    }
    std::array<float, kSeatsMax> value{};
    size_t nans = 0;
    for (size_t seat = 0; seat < seats_; ++seat) {
      const size_t i = sample * seats_ + seat;
      if (shard_.points[i] != shard_.game_points[shard_.game[sample] * seats_ + seat]) {
        return Wrong("points", sample, "expected game_points of its game");
      }
      value[seat] = ToFloat(shard_.value[i]);
      if (std::isnan(value[seat])) ++nans;
    }
    if (nans == seats_) return absl::OkStatus();
    return CheckShares("value", sample, value.data(), seats_, kValueSlack);
  }

  const Shard& shard_;
  const size_t seats_;
  std::array<bool, 256> is_cell_{};
  std::vector<uint16_t> moves_;  // moves of the current game, without seats that left
};

}  // namespace

absl::Status CheckShard(const Shard& shard) { return ShardChecker(shard).Check(); }

}  // namespace triarch
