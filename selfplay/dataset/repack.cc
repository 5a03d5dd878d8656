#include "selfplay/dataset/repack.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "core/base/sha256.h"
#include "core/base/status_macros.h"
#include "core/game/sample.h"
#include "selfplay/shard/manifest.h"

namespace triarch {
namespace {

// Appends the rows [first, last) of `width` values each.
template <class T>
void Append(const std::vector<T>& from, size_t first, size_t last, size_t width,
            std::vector<T>* to) {
  to->insert(to->end(), from.begin() + static_cast<ptrdiff_t>(first * width),
             from.begin() + static_cast<ptrdiff_t>(last * width));
}

class Repacker {
 public:
  Repacker(const RepackOptions& options, BlobStore& to) : options_(options), to_(to) {}

  // Adds a shard. Requires: shards are added in the order of their first games; `next_first` is the
  // first game of the next shard. `name` is for messages.
  absl::Status Add(const Shard& shard, const std::string& name, int64_t next_first) {
    const auto wrong = [&name](const std::string& what) {
      return absl::InvalidArgumentError(name + ": " + what);
    };
    if (!first_) first_ = shard.meta;
    const absl::Status run = CheckSameRun(shard.meta, *first_);
    if (!run.ok()) return wrong(std::string(run.message()));
    const std::vector<SampleRange> samples = SamplesByGame(shard);
    for (size_t game = 0; game < shard.games(); ++game) {
      const auto [at, is_new] =
          waiting_.try_emplace(shard.game_index[game], MakeEmptyShard(shard.meta));
      if (!is_new || shard.game_index[game] <= last_index_) {
        return wrong(absl::StrFormat("game %d: an earlier shard contains it too", at->first));
      }
      AppendGame(shard, game, samples[game], &at->second);
    }
    while (!waiting_.empty() && waiting_.begin()->first < next_first) {
      RETURN_IF_ERROR(Take(waiting_.begin()->second));
      waiting_.erase(waiting_.begin());
    }
    return absl::OkStatus();
  }

  absl::StatusOr<std::vector<ShardEntry>> Finish() {
    RETURN_IF_ERROR(Write());
    std::string text;
    for (const ShardEntry& entry : entries_) text += ManifestLine(entry) + "\n";
    RETURN_IF_ERROR(to_.Put(kManifestName, text));
    return std::move(entries_);
  }

 private:
  absl::Status Take(const Shard& game) {
    if (!shard_) shard_ = MakeEmptyShard(game.meta);
    builds_.insert(game.meta.build);
    last_index_ = game.game_index[0];
    AppendGame(game, 0, {0, game.samples()}, &*shard_);
    const bool is_full = static_cast<int64_t>(shard_->samples()) >= options_.shard_samples;
    return is_full ? Write() : absl::OkStatus();
  }

  absl::Status Write() {
    if (!shard_) return absl::OkStatus();
    shard_->meta.build = absl::StrJoin(builds_, ", ");
    RETURN_IF_ERROR(CheckShard(*shard_));
    ASSIGN_OR_RETURN(const std::string bytes, WriteShard(*shard_, options_.compression));
    ShardEntry entry = {.sha256 = Sha256Hex(bytes),
                        .samples = static_cast<int64_t>(shard_->samples()),
                        .bytes = static_cast<int64_t>(bytes.size()),
                        .games = static_cast<int64_t>(shard_->games()),
                        .first = shard_->game_index.front(),
                        .last = shard_->game_index.back(),
                        .format = kShardFormat,
                        .game = shard_->meta.game,
                        .spec = shard_->meta.spec,
                        .build = shard_->meta.build};
    entry.shard = absl::StrFormat("shards/%012d-%d.npz", entry.first, entries_.size() + 1);
    RETURN_IF_ERROR(to_.Put(entry.shard, bytes));
    entries_.push_back(std::move(entry));
    shard_.reset();
    builds_.clear();
    return absl::OkStatus();
  }

  const RepackOptions options_;
  BlobStore& to_;
  std::optional<ShardMeta> first_;
  std::map<int64_t, Shard> waiting_;  // by game index; each shard holds one game
  int64_t last_index_ = -1;           // last game taken
  std::optional<Shard> shard_;        // the shard being built
  std::set<std::string> builds_;      // builds of its games
  std::vector<ShardEntry> entries_;
};

}  // namespace

Shard MakeEmptyShard(const ShardMeta& meta) {
  Shard shard;
  shard.meta = meta;
  shard.game_moves_offsets = {0};
  shard.legal_offsets = {0};
  return shard;
}

void AppendGame(const Shard& from, size_t game, SampleRange samples, Shard* to) {
  const auto seats = static_cast<size_t>(from.meta.seats);
  const auto cells = static_cast<size_t>(from.meta.cells);
  Append(from.game_index, game, game + 1, 1, &to->game_index);
  to->game_start.push_back(from.game_start[game]);
  Append(from.game_moves, static_cast<size_t>(from.game_moves_offsets[game]),
         static_cast<size_t>(from.game_moves_offsets[game + 1]), 1, &to->game_moves);
  to->game_moves_offsets.push_back(static_cast<int64_t>(to->game_moves.size()));
  Append(from.game_points, game, game + 1, seats, &to->game_points);
  Append(from.game_bots, game, game + 1, seats, &to->game_bots);
  Append(from.game_resign_ply, game, game + 1, seats, &to->game_resign_ply);

  const auto [first, last] = samples;
  to->game.insert(to->game.end(), last - first, static_cast<uint32_t>(to->games() - 1));
  Append(from.index, first, last, 1, &to->index);
  Append(from.ply, first, last, 1, &to->ply);
  Append(from.seat, first, last, 1, &to->seat);
  Append(from.cells, first, last, cells, &to->cells);
  Append(from.state, first, last, kSampleState, &to->state);
  const size_t first_legal = from.legal_offsets[first];
  const size_t legal_before = to->legal.size();
  Append(from.legal, first_legal, from.legal_offsets[last], 1, &to->legal);
  Append(from.policy, first_legal, from.legal_offsets[last], 1, &to->policy);
  for (size_t sample = first; sample < last; ++sample) {
    to->legal_offsets.push_back(
        static_cast<uint32_t>(legal_before + from.legal_offsets[sample + 1] - first_legal));
  }
  Append(from.played, first, last, 1, &to->played);
  Append(from.points, first, last, seats, &to->points);
  Append(from.value, first, last, seats, &to->value);
  Append(from.plies_left, first, last, 1, &to->plies_left);
  Append(from.weight, first, last, 1, &to->weight);
}

absl::StatusOr<std::vector<ShardEntry>> Repack(const DataSet& data, const RepackOptions& options,
                                               BlobStore& to) {
  const absl::StatusOr<std::string> there = to.Get(kManifestName);
  if (there.ok()) {
    return absl::FailedPreconditionError(to.Describe() + ": " + std::string(kManifestName) +
                                         " exists; expected an empty location");
  }
  if (!absl::IsNotFound(there.status())) return there.status();
  std::vector<ShardEntry> entries = data.entries();
  std::stable_sort(entries.begin(), entries.end(),
                   [](const ShardEntry& a, const ShardEntry& b) { return a.first < b.first; });
  Repacker repacker(options, to);
  for (size_t i = 0; i < entries.size(); ++i) {
    ASSIGN_OR_RETURN(const Shard shard, data.Read(entries[i]));
    const bool is_last = i + 1 == entries.size();
    const int64_t next = is_last ? std::numeric_limits<int64_t>::max() : entries[i + 1].first;
    RETURN_IF_ERROR(repacker.Add(shard, data.location() + "/" + entries[i].shard, next));
  }
  return repacker.Finish();
}

}  // namespace triarch
