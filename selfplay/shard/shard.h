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

// The version of the files; whoever reads another one must refuse it.
inline constexpr int64_t kShardFormat = 1;
// In a game's moves: that seat (0, 1, 2 is added) left the game here, by resignation or forfeit.
inline constexpr uint16_t kSeatLeft = 0xff00;
// Of plies_left and of ply: that or more.
inline constexpr uint16_t kPliesMax = 0xffff;

// What all samples of a shard share.
struct ShardMeta {
  std::string game;               // "triumvirate"
  int64_t seats = 0;              // 2 or 3
  int64_t cells = 0;              // 96 or 64
  int64_t policy_size = 0;        // policy indices are below it
  int64_t tournament = 0;         // its number in the store
  std::string spec;               // digest of the tournament's spec
  std::string start;              // the tournament's named start; "" is the default
  std::vector<std::string> bots;  // game_bots are numbers of these
  std::string build;              // of the worker that wrote it

  friend bool operator==(const ShardMeta&, const ShardMeta&) = default;
};

// Samples of self-play by columns: N samples of G games of S seats on C cells. Samples are in the
// order of their games, within one in that of their plies; games in that of their indices.
struct Shard {
  ShardMeta meta;
  // One per game.
  std::vector<int64_t> game_index;          // [G] in the tournament, ascending
  std::vector<std::string> game_start;      // [G] the position's text; "" the default start
  std::vector<int64_t> game_moves_offsets;  // [G+1] of game_moves
  std::vector<uint16_t> game_moves;         // policy indices, the opening's included; kSeatLeft + i
  std::vector<float> game_points;           // [G,S] final placement points as shares: sum 1
  std::vector<uint8_t> game_bots;           // [G,S] numbers of meta.bots
  std::vector<int32_t> game_resign_ply;     // [G,S] where the seat would have resigned; -1
  // One per sample.
  std::vector<uint32_t> game;           // [N] its game's row above
  std::vector<int64_t> index;           // [N] game_index of it
  std::vector<uint16_t> ply;            // [N] moves played before, the opening's included
  std::vector<uint8_t> seat;            // [N] whose turn it is
  std::vector<uint8_t> cells;           // [N,C] core/GAME/sample.h
  std::vector<uint8_t> state;           // [N,16] likewise
  std::vector<uint32_t> legal_offsets;  // [N+1] of legal and of policy
  std::vector<uint16_t> legal;          // policy indices of the legal moves, ascending
  std::vector<uint8_t> policy;          // beside legal: 255 parts in all, or none
  std::vector<uint16_t> played;         // [N] policy index of the move played
  std::vector<float> points;            // [N,S] game_points of its game
  std::vector<Half> value;              // [N,S] the bot's own, shares of 1; NaN: it gave none
  std::vector<uint16_t> plies_left;     // [N] to the game's end after this one
  std::vector<float> weight;            // [N] 1, and 1 for each duplicate that was dropped

  size_t games() const { return game_index.size(); }
  size_t samples() const { return game.size(); }

  friend bool operator==(const Shard&, const Shard&) = default;
};

enum class Compression : uint8_t { kDeflate, kStored };

// A column's length along its first axis.
enum class Extent : uint8_t { kGames, kGamesAnd1, kSamples, kSamplesAnd1, kAny };

// Calls f(name, column, extent, width) for every column of numbers in the order of the file; width
// is the second axis, 0 if there is none.
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

// That the columns fit together and that all of their values are such as the format allows.
// InvalidArgument: the array, where in it, and what was expected.
absl::Status CheckShard(const Shard& shard);

// The file NAME.npz. Requires: CheckShard has nothing to say. `memory` is a string whose memory may
// be used again. ResourceExhausted: too large.
absl::StatusOr<std::string> WriteShard(const Shard& shard, Compression compression,
                                       std::string memory = {});

// Reads such a file; nothing of it is believed. InvalidArgument: what is wrong, and where.
absl::StatusOr<Shard> ReadShard(std::string_view bytes);
// The same of the NPY files that are in it, by their names (ReadNpz).
absl::StatusOr<Shard> ReadShardArrays(const std::map<std::string, std::string>& files);

}  // namespace triarch

#endif  // TRIARCH_SELFPLAY_SHARD_SHARD_H_
