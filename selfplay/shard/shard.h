// Reads, writes and checks the columns of a self-play data file (a shard).

#ifndef TRIARCH_SELFPLAY_SHARD_SHARD_H_
#define TRIARCH_SELFPLAY_SHARD_SHARD_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "selfplay/shard/half.h"

namespace triarch {

// Version of the file format. Readers must reject other versions.
inline constexpr int64_t kShardFormat = 1;
// Marks in a game's moves that a seat (0, 1 or 2 is added) left by resignation or forfeit.
inline constexpr uint16_t kSeatLeft = 0xff00;
// Maximum of plies_left and ply; larger values are clamped to it.
inline constexpr uint16_t kPliesMax = 0xffff;

// Properties common to all samples of a shard.
struct ShardMeta {
  std::string game;               // "triumvirate"
  int64_t seats = 0;              // 2 or 3
  int64_t cells = 0;              // 96 or 64
  int64_t policy_size = 0;        // upper bound of policy indices
  int64_t tournament = 0;         // id of the tournament
  std::string spec;               // digest of the tournament's spec
  std::string start;              // the tournament's named start; "" is the default
  std::vector<std::string> bots;  // indexed by game_bots
  std::string build;              // version of the worker that wrote it

  friend bool operator==(const ShardMeta&, const ShardMeta&) = default;
};

// Samples of self-play in columns: N samples of G games with S seats and C cells. Games are sorted
// by index; samples by game, then by ply.
struct Shard {
  ShardMeta meta;
  // One per game.
  std::vector<int64_t> game_index;          // [G] index in the tournament, ascending
  std::vector<std::string> game_start;      // [G] text of the position; "" for the default start
  std::vector<int64_t> game_moves_offsets;  // [G+1] into game_moves
  std::vector<uint16_t> game_moves;         // policy indices, including the opening; kSeatLeft + i
  std::vector<float> game_points;           // [G,S] final placement points as shares: sum 1
  std::vector<uint8_t> game_bots;           // [G,S] indices into meta.bots
  std::vector<int32_t> game_resign_ply;     // [G,S] ply at which it would have resigned, or -1
  // One per sample.
  std::vector<uint32_t> game;           // [N] row of its game above
  std::vector<int64_t> index;           // [N] game_index of its game
  std::vector<uint16_t> ply;            // [N] moves played before, including the opening
  std::vector<uint8_t> seat;            // [N] seat to move
  std::vector<uint8_t> cells;           // [N,C] see core/GAME/sample.h
  std::vector<uint8_t> state;           // [N,16] see core/GAME/sample.h
  std::vector<uint32_t> legal_offsets;  // [N+1] into legal and policy
  std::vector<uint16_t> legal;          // policy indices of the legal moves, ascending
  std::vector<uint8_t> policy;          // parallel to legal: parts of 255, or all 0
  std::vector<uint16_t> played;         // [N] policy index of the move played
  std::vector<float> points;            // [N,S] game_points of its game
  std::vector<Half> value;              // [N,S] the bot's evaluation, shares of 1; NaN if absent
  std::vector<uint16_t> plies_left;     // [N] plies from here to the end of the game
  std::vector<float> weight;            // [N] 1, plus 1 for each dropped duplicate

  size_t games() const { return game_index.size(); }
  size_t samples() const { return game.size(); }

  friend bool operator==(const Shard&, const Shard&) = default;
};

enum class Compression : uint8_t { kDeflate, kStored };

// Length of a column along its first axis.
enum class Extent : uint8_t { kGames, kGamesAnd1, kSamples, kSamplesAnd1, kAny };

// Calls f(name, column, extent, width) for every numeric column in file order. `width` is the
// length of the second axis, or 0 without one.
template <class S, class F>
void ForEachColumn(S& shard, F f) {
  const auto seats = static_cast<size_t>(shard.meta.seats);
  const auto cells = static_cast<size_t>(shard.meta.cells);
  f("game_index", shard.game_index, Extent::kGames, size_t{0});
  f("game_moves_offsets", shard.game_moves_offsets, Extent::kGamesAnd1, size_t{0});
  f("game_moves", shard.game_moves, Extent::kAny, size_t{0});
  f("game_points", shard.game_points, Extent::kGames, seats);
  f("game_bots", shard.game_bots, Extent::kGames, seats);
  f("game_resign_ply", shard.game_resign_ply, Extent::kGames, seats);
  f("game", shard.game, Extent::kSamples, size_t{0});
  f("index", shard.index, Extent::kSamples, size_t{0});
  f("ply", shard.ply, Extent::kSamples, size_t{0});
  f("seat", shard.seat, Extent::kSamples, size_t{0});
  f("cells", shard.cells, Extent::kSamples, cells);
  f("state", shard.state, Extent::kSamples, size_t{16});
  f("legal_offsets", shard.legal_offsets, Extent::kSamplesAnd1, size_t{0});
  f("legal", shard.legal, Extent::kAny, size_t{0});
  f("policy", shard.policy, Extent::kAny, size_t{0});
  f("played", shard.played, Extent::kSamples, size_t{0});
  f("points", shard.points, Extent::kSamples, seats);
  f("value", shard.value, Extent::kSamples, seats);
  f("plies_left", shard.plies_left, Extent::kSamples, size_t{0});
  f("weight", shard.weight, Extent::kSamples, size_t{0});
}

// Checks that the columns are consistent and all values are valid. Fails with InvalidArgument,
// naming the array, the position in it and the expected value.
absl::Status CheckShard(const Shard& shard);

// Returns the file as bytes. Requires: CheckShard succeeds. The memory of `memory` is reused for
// the result. Fails with ResourceExhausted if the result is too large.
absl::StatusOr<std::string> WriteShard(const Shard& shard, Compression compression,
                                       std::string memory = {});

// Parses and checks a file. Safe for untrusted input. Fails with InvalidArgument, saying what is
// wrong and where.
absl::StatusOr<Shard> ReadShard(std::string_view bytes);
// Like ReadShard, for the NPY files of a shard by name (from ReadNpz).
absl::StatusOr<Shard> ReadShardArrays(const std::map<std::string, std::string>& files);

}  // namespace triarch

#endif  // TRIARCH_SELFPLAY_SHARD_SHARD_H_
