// Creates a sample tournament with games and shards.

#ifndef TRIARCH_TESTS_CONTRACT_STORE_SAMPLES_H_
#define TRIARCH_TESTS_CONTRACT_STORE_SAMPLES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "core/record/game_record.h"
#include "core/record/shard_entry.h"
#include "core/record/tournament_spec.h"

// Made-up tournaments and games for store tests. Moves need not be legal, because a store does not
// check them.
namespace triarch {

inline TournamentSpec SampleSpec() {
  TournamentSpec spec;
  spec.name = "Sample";
  spec.game = "triumvirate";
  spec.bots = {{.name = "random", .bot = "random", .options = {}},
               {.name = "p3", .bot = "paranoid", .options = {{"depth", "3"}}},
               {.name = "quick", .bot = "mcts", .options = {{"nodes", "2000"}}},
               {.name = "greedy", .bot = "greedy", .options = {}}};
  spec.games = 100;
  spec.seed = 7;
  return spec;
}

// Returns game `index` of SampleSpec(); every field depends on the index.
inline GameRecord SampleRecord(int64_t index, int64_t moves = 3) {
  const TournamentSpec spec = SampleSpec();
  GameRecord record;
  record.index = index;
  record.match = index / 6;
  record.game = spec.game;
  record.event = spec.name;
  record.date = "????.??.??";
  record.time_control = "-";
  record.seed = ~static_cast<uint64_t>(index);
  for (size_t i = 0; i < kSeatsMax; ++i) {
    record.bots[SeatAt(i)] = spec.bots[(static_cast<size_t>(index) + i) % 4].name;
  }
  for (int64_t ply = 0; ply < moves; ++ply) {
    RecordedEvent event;
    event.seat = SeatAt(static_cast<size_t>(ply % 3));
    event.move = "E2-E4";
    event.is_fallback = ply == 1;
    record.events.push_back(event);
  }
  if (moves > 2) {
    record.infos = {{.ply = 2,
                     .depth = index + 1,
                     .line = "E2-E4",
                     .explanation = "{because}\nof " + std::to_string(index)}};
  }
  record.is_finished = true;
  record.outcome = {.place = {{1, 3, 2}}, .termination = Termination::kCheckmate};
  record.endings[Seat::kSecond] = Termination::kTimeForfeit;
  record.endings[Seat::kThird] = Termination::kCheckmate;
  record.plies = moves;
  record.opening_plies = 1;
  record.fallbacks = moves > 1 ? 1 : 0;
  for (size_t i = 0; i < kSeatsMax; ++i) {
    const auto n = static_cast<int64_t>(i);
    record.costs[SeatAt(i)] = {
        .moves = n + 1, .nodes = index * 100 + n, .time_us = index + n, .cpu_us = 2 * index + n};
  }
  return record;
}

inline std::vector<GameRecord> SampleRecords(int64_t first, int64_t last) {
  std::vector<GameRecord> records;
  for (int64_t index = first; index < last; ++index) records.push_back(SampleRecord(index));
  return records;
}

// Returns the entry of a shard with the games [first, last); its numbers depend on them.
inline ShardEntry SampleShard(const std::string& name, int64_t first, int64_t last) {
  return {.shard = "shards/" + name + ".npz",
          .sha256 = std::string(64, 'a'),
          .samples = 100 * (last - first),
          .bytes = 9'000'000'000 + first,
          .games = last - first,
          .first = first,
          .last = last - 1,
          .format = 1,
          .game = "triumvirate",
          .spec = std::string(64, 'c'),
          .build = "1.2-" + std::to_string(last)};
}

}  // namespace triarch

#endif  // TRIARCH_TESTS_CONTRACT_STORE_SAMPLES_H_
