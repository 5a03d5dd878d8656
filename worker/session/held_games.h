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

// The oldest games stay in memory; when there are many, the newest go to the spill. The spill is
// slow, so this class does not wait for it: its driver takes a Transfer, runs it and returns it.
//
// Games of self-play are kept together until they make up a shard.
class HeldGames {
 public:
  using Time = std::chrono::steady_clock::time_point;

  static constexpr int64_t kBytesPerPly = 100;  // upper estimate in memory; a third in the spill

  struct Options {
    int64_t batch_plies = 100'000;  // size of a batch of games reported together
    int64_t memory_plies_max = 2'000'000;
    int64_t spill_plies_max = 50'000'000;
  };

  // Finished games of one lease that are reported together.
  struct Batch {
    std::vector<GameRecord> games;   // empty while they are in the spill
    std::optional<int64_t> spilled;  // their number in the spill
    std::vector<int64_t> indices;
    std::optional<ShardEntry> shard;  // the shard with their samples
    int64_t samples = 0;
    int64_t game_plies = 0;
    int64_t plies = 0;  // weight in plies
    Time since;         // when the first of them finished
  };

  // Moves games to the spill or back.
  class Transfer {
   public:
    // Takes a long time, and does not access HeldGames.
    void Run();

   private:
    friend class HeldGames;
    Spill* spill_ = nullptr;
    bool is_put_ = false;            // true if to the spill, false if back from it
    std::vector<GameRecord> games_;  // empty once they are in the spill
    std::optional<int64_t> number_;  // in the spill
    absl::Status status_;
  };

  // Games that the spill lost.
  struct Loss {
    uint64_t token = 0;
    std::vector<int64_t> indices;
  };

  // Keeps all games in memory if there is no spill.
  HeldGames(const Options& options, std::unique_ptr<Spill> spill)
      : options_(options), spill_(std::move(spill)) {}

  // Returns the weight of a record in plies. A record without moves also takes memory.
  static int64_t WeightOf(const GameRecord& game);

  // ---- Leases.
  // Opens a lease whose shards should have about `shard_samples` samples, or 0 without self-play.
  void Open(uint64_t token, int64_t shard_samples);
  // Drops the lease's games and returns their number.
  int64_t Close(uint64_t token);

  // ---- Games.
  // Requires: the lease is open.
  void Add(uint64_t token, GameRecord record, Time now);
  // Takes the lease's oldest games, about `plies_max` plies or the games of a shard. They still
  // count as memory until PutBack or Free is called. Requires: the lease has games in memory.
  Batch Take(uint64_t token, int64_t plies_max);
  void PutBack(uint64_t token, Batch batch);
  void Free(int64_t plies) { memory_plies_ -= plies; }

  // Returns the lease's batches, oldest first.
  const std::deque<Batch>& Of(uint64_t token) const { return leases_.at(token).batches; }
  // Returns whether the lease's oldest batch is complete.
  bool IsOldestWhole(uint64_t token) const;
  // Returns whether the lease's oldest batch is being moved to the spill or back.
  bool IsOldestMoving(uint64_t token) const { return &Of(token).front() == moving_; }
  int64_t count() const;  // number of all games except the taken ones

  // ---- The spill.
  // Requests the lease's oldest batch from the spill. Applies to one lease at a time, until its
  // games are taken.
  void Want(uint64_t token) { wanted_ = token; }
  const std::optional<uint64_t>& wanted() const { return wanted_; }
  // Returns nothing if there is nothing to do or a transfer is pending.
  std::optional<Transfer> NextTransfer();
  std::optional<Loss> OnTransferEnd(Transfer transfer);
  // Returns why the spill is unavailable, or ok if it works.
  const absl::Status& spill_status() const { return spill_status_; }
  // Allows the spill to be tried again.
  void ClearSpillStatus() { spill_status_ = absl::OkStatus(); }

  // Returns whether there is no room for another game.
  bool is_full() const;
  // Returns whether there will be no room until the pending transfer ends.
  bool must_wait() const;

 private:
  struct Entry {
    int64_t shard_samples = 0;
    std::deque<Batch> batches;
  };

  bool IsWhole(const Entry& entry, const Batch& batch) const;
  // Returns the batch that goes to the spill next, or null if no batch does.
  Batch* NextToSpill();
  void OnPut(Transfer transfer);
  std::optional<Loss> OnTaken(Transfer transfer);

  const Options options_;
  const std::unique_ptr<Spill> spill_;
  std::map<uint64_t, Entry> leases_;  // by token, hence by age
  int64_t memory_plies_ = 0;          // including the taken games
  int64_t spill_plies_ = 0;
  absl::Status spill_status_;
  bool is_transferring_ = false;
  Batch* moving_ = nullptr;  // the batch being moved by the transfer; null if its lease has ended
  std::optional<uint64_t> wanted_;  // the lease whose oldest games are being restored or were last
                                    // restored
};

}  // namespace triarch

#endif  // TRIARCH_WORKER_SESSION_HELD_GAMES_H_
