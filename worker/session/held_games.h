// Holds the finished games of each lease, in memory or in the spill, until they are reported.

#ifndef TRIARCH_WORKER_SESSION_HELD_GAMES_H_
#define TRIARCH_WORKER_SESSION_HELD_GAMES_H_

#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "core/record/game_record.h"
#include "core/record/shard_entry.h"
#include "worker/session/spill.h"

namespace triarch {

// The oldest games stay in memory; the newest of many go to the spill. The spill takes time, so
// this class does not wait for it: its driver takes a Transfer, runs it and brings it back.
//
// Games of self-play are kept together until they make a shard.
class HeldGames {
 public:
  using Time = std::chrono::steady_clock::time_point;

  static constexpr int64_t kBytesPerPly = 100;  // at most, about; a third of that in the spill

  struct Options {
    int64_t batch_plies = 100'000;  // a batch of games that are reported together
    int64_t memory_plies_max = 2'000'000;
    int64_t spill_plies_max = 50'000'000;
  };

  // Finished games of one lease that are reported together.
  struct Batch {
    std::vector<GameRecord> games;   // empty while they are in the spill
    std::optional<int64_t> spilled;  // their number there
    std::vector<int64_t> indices;
    std::optional<ShardEntry> shard;  // that has their samples
    int64_t samples = 0;
    int64_t game_plies = 0;
    int64_t plies = 0;  // what they weigh, in plies
    Time since;         // when the first of them was finished
  };

  // Games on their way to the spill or back.
  class Transfer {
   public:
    // Takes long, and needs nothing of HeldGames.
    void Run();

   private:
    friend class HeldGames;
    Spill* spill_ = nullptr;
    bool is_put_ = false;            // else games are taken from there
    std::vector<GameRecord> games_;  // gone when they are put
    std::optional<int64_t> number_;  // in the spill
    absl::Status status_;
  };

  // Games that the spill lost.
  struct Loss {
    uint64_t token = 0;
    std::vector<int64_t> indices;
  };

  // Without a spill, all games stay in memory.
  HeldGames(const Options& options, std::unique_ptr<Spill> spill)
      : options_(options), spill_(std::move(spill)) {}

  // What a record weighs, in plies: one without moves takes memory too.
  static int64_t WeightOf(const GameRecord& game);

  // ---- Leases.
  // A shard of the lease's games should have about so many samples; 0: no self-play.
  void Open(uint64_t token, int64_t shard_samples);
  // Forgets the lease's games and returns how many they were.
  int64_t Close(uint64_t token);

  // ---- Games. Requires: the lease is open.
  void Add(uint64_t token, GameRecord record, Time now);
  // Takes the oldest games, of about so many plies, or those of a shard. They still take memory:
  // PutBack them, or Free their plies. Requires: there are some, in memory.
  Batch Take(uint64_t token, int64_t plies_max);
  void PutBack(uint64_t token, Batch batch);
  void Free(int64_t plies) { memory_plies_ -= plies; }

  // Oldest first.
  const std::deque<Batch>& Of(uint64_t token) const { return leases_.at(token).batches; }
  // Whether nothing more is put to the lease's oldest batch.
  bool IsOldestWhole(uint64_t token) const;
  // Whether the oldest batch is on its way to the spill or back.
  bool IsOldestMoving(uint64_t token) const { return &Of(token).front() == moving_; }
  int64_t count() const;  // of all games, the taken ones apart

  // ---- The spill.
  // Has the lease's oldest batch brought back. One lease at a time, until its games are taken.
  void Want(uint64_t token) { wanted_ = token; }
  const std::optional<uint64_t>& wanted() const { return wanted_; }
  // Empty if there is nothing to do, or a transfer is under way.
  std::optional<Transfer> NextTransfer();
  std::optional<Loss> OnTransferEnd(Transfer transfer);
  // Why the spill takes nothing now; ok if it does.
  const absl::Status& spill_status() const { return spill_status_; }
  // Tries it again.
  void ClearSpillStatus() { spill_status_ = absl::OkStatus(); }

  // Whether there is no room for another game.
  bool is_full() const;
  // Whether there is none until the transfer under way ends, either.
  bool must_wait() const;

 private:
  struct Entry {
    int64_t shard_samples = 0;
    std::deque<Batch> batches;
  };

  bool IsWhole(const Entry& entry, const Batch& batch) const;
  // The batch that goes to the spill next; null if none does.
  Batch* NextToSpill();
  void OnPut(Transfer transfer);
  std::optional<Loss> OnTaken(Transfer transfer);

  const Options options_;
  const std::unique_ptr<Spill> spill_;
  std::map<uint64_t, Entry> leases_;  // by token, so by age
  int64_t memory_plies_ = 0;          // with those that are taken
  int64_t spill_plies_ = 0;
  absl::Status spill_status_;
  bool is_transferring_ = false;
  Batch* moving_ = nullptr;         // by the transfer; null if its lease has ended
  std::optional<uint64_t> wanted_;  // the lease whose oldest games come back, or just have
};

}  // namespace triarch

#endif  // TRIARCH_WORKER_SESSION_HELD_GAMES_H_
