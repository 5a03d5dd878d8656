// Builds shards from games played at random, for tests.

#ifndef TRIARCH_SELFPLAY_SHARD_PLAYED_SHARD_H_
#define TRIARCH_SELFPLAY_SHARD_PLAYED_SHARD_H_

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/any_state.h"
#include "core/base/check.h"
#include "core/base/random.h"
#include "core/sample.h"
#include "selfplay/shard/sample_row.h"
#include "selfplay/shard/shard_builder.h"

namespace triarch {

inline ShardMeta PlayedMeta(const std::string& game) {
  ShardMeta meta = {.game = game,
                    .tournament = 3,
                    .spec = std::string(64, 'a'),
                    .start = "",
                    .bots = {"one", "two"},
                    .build = "1.2.3"};
  AnyState::Start(game, "").value().Visit([&meta]<class P>(const GameState<P>&) {
    meta.seats = static_cast<int64_t>(P::kInfo.seats);
    meta.cells = SampleShape<P>::kCells;
    meta.policy_size = SampleShape<P>::kPolicySize;
  });
  return meta;
}

// A game in progress.
struct PlayedGameOfShard {
  AnyState state;
  std::string start = {};
  std::vector<uint16_t> moves = {};
  std::string rows = {};
  int ply = 0;

  // Plays random moves. Every odd ply becomes a sample.
  void Play(int plies, Random* random) {
    for (int i = 0; i < plies && !state.outcome(); ++i) {
      const AnyState::Moves legal = state.LegalMoves();
      const size_t number = random->Below(static_cast<uint32_t>(legal.size()));
      PlayOne(legal, number);
    }
  }

  void PlayOne(const AnyState::Moves& legal, size_t number) {
    std::vector<uint16_t> indices;
    std::array<uint8_t, kSampleCellsMax> cells;
    std::array<uint8_t, kSampleState> bytes;
    SampleRow row;
    state.Visit([&]<class P>(const GameState<P>& game) {
      legal.As<P>().ForEach([&](typename P::Move move) {
        indices.push_back(static_cast<uint16_t>(PolicyIndex(move)));
      });
      PackPosition(game.position(), cells.data(), bytes.data());
      row.cells = {cells.data(), SampleShape<P>::kCells};
    });
    std::vector<uint8_t> policy(indices.size(), 0);
    policy[number] = 255;
    row.ply = ply;
    row.seat = state.to_move();
    row.played = indices[number];
    row.key = state.key();
    row.state = bytes;
    row.legal = indices;
    row.policy = policy;
    row.value = {{{1, 1, state.info().seats == 3 ? 1.0f : 0.0f}}};
    if (ply % 2 == 1) AppendRow(row, &rows);
    moves.push_back(indices[number]);
    state.Play(legal, number);
    ++ply;
  }

  void Leave(Seat seat) {
    moves.push_back(static_cast<uint16_t>(kSeatLeft + Index(seat)));
    state.Eliminate(seat, Termination::kResignation);
  }
};

// Returns a shard of three games with indices 10 apart. The first, of 24 plies, ends in a draw. In
// the second, seats leave after 10 and (with three seats) 16 plies, until one is left. The third
// begins from another position and is awarded to the last seat after 13 plies.
inline Shard MakePlayedShard(const std::string& game, int64_t first_index = 0) {
  Random random(static_cast<uint64_t>(first_index) + 5);
  const AnyState start = AnyState::Start(game, "", kRulesOnly).value();
  std::vector<PlayedGameOfShard> games(3, PlayedGameOfShard{.state = start});
  games[0].Play(24, &random);
  games[0].state.Adjudicate();
  games[1].Play(10, &random);
  games[1].Leave(Seat::kFirst);
  if (!games[1].state.outcome()) {
    games[1].Play(6, &random);
    games[1].Leave(Seat::kSecond);
  }
  games[2].Play(5, &random);
  const std::string position = games[2].state.ToString();
  games[2] = {.state = AnyState::Parse(game, position, kRulesOnly).value(), .start = position};
  games[2].Play(13, &random);
  games[2].state.AdjudicateWin(SeatAt(start.info().seats - 1));
  std::vector<ShardGame> done;
  for (const PlayedGameOfShard& played : games) {
    ShardGame& entry = done.emplace_back();
    entry.index = first_index + 10 * static_cast<int64_t>(done.size() - 1);
    entry.start = played.start;
    entry.moves = played.moves;
    entry.rows = played.rows;
    entry.points = Points(played.state.outcome()->place, start.info().seats);
  }
  absl::StatusOr<Shard> shard = BuildShard(PlayedMeta(game), std::move(done), false);
  CHECK(shard.ok());
  return *std::move(shard);
}

}  // namespace triarch

#endif  // TRIARCH_SELFPLAY_SHARD_PLAYED_SHARD_H_
