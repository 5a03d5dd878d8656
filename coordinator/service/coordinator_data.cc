// What self-play adds to a coordinator: shards that are recorded with their games, and manifests.

#include <string_view>
#include <utility>

#include "coordinator/service/coordinator.h"
#include "core/base/status_macros.h"
#include "selfplay/manifest.h"
#include "selfplay/shard.h"

namespace triarch {
namespace {

std::string_view WithoutLastSlash(std::string_view place) {
  while (place.size() > 1 && place.ends_with('/')) place.remove_suffix(1);
  return place;
}

bool IsSamePlace(std::string_view a, std::string_view b) {
  return WithoutLastSlash(a) == WithoutLastSlash(b);
}

}  // namespace

void Coordinator::StartPublishing() {
  DataPublisher::Options options;
  options.on_publish = [this](const absl::Status& status) { metrics_->Published(status.ok()); };
  data_.emplace(options, [this](int64_t tournament) {
    absl::StatusOr<std::vector<ShardEntry>> shards = absl::UnknownError("");
    reader().Run([&](Store& store) { shards = store.Shards(tournament); });
    return shards;
  });
}

void Coordinator::AddShards(int64_t tournament, const std::vector<ShardEntry>& shards) {
  MutexLock lock(&mutex_);
  Entry& entry = entries_.at(tournament);
  entry.spec_digest = SpecDigest(entry.stored.spec);
  for (const ShardEntry& shard : shards) {
    ++entry.shards;
    entry.samples += shard.samples;
    entry.sample_bytes += shard.bytes;
  }
  // One that was cancelled before anything was recorded has no data, and its place may be
  // another's.
  if (shards.empty() && entry.stored.state == TournamentState::kCancelled) return;
  // A coordinator before may have recorded what no manifest says yet.
  data_->Note(tournament, entry.stored.spec.data, entry.stored.state == TournamentState::kDone);
}

absl::Status Coordinator::CheckDataIsFree(const TournamentSpec& spec) const {
  if (!spec.selfplay) return absl::OkStatus();
  {
    MutexLock lock(&mutex_);
    for (const auto& [id, entry] : entries_) {
      if (!entry.stored.spec.selfplay || !IsSamePlace(entry.stored.spec.data, spec.data)) continue;
      return absl::FailedPreconditionError(spec.data + " is where the data of tournament " +
                                           std::to_string(id) +
                                           " goes; expected a place of its own");
    }
  }
  return CheckDataIsOurs(spec.data, {});
}

// What a report may say of a shard.
absl::Status Coordinator::CheckShard(const triarch::Report& report, const Entry& entry) {
  if (!entry.stored.spec.selfplay) {
    if (!report.shard) return absl::OkStatus();
    return absl::InvalidArgumentError("a shard of a tournament that is no self-play");
  }
  if (report.games.empty()) return absl::OkStatus();
  if (!report.shard) return absl::InvalidArgumentError("games of self-play without their shard");
  if (report.shard->format == kShardFormat) return absl::OkStatus();
  return absl::InvalidArgumentError("a shard of format " + std::to_string(report.shard->format) +
                                    "; expected " + std::to_string(kShardFormat));
}

void Coordinator::CompleteShard(const Entry& entry, ShardEntry* shard) const {
  shard->game = entry.stored.spec.game;
  shard->spec = entry.spec_digest;
}

void Coordinator::NoteShard(int64_t tournament, Entry& entry, const ShardEntry& shard) {
  ++entry.shards;
  entry.samples += shard.samples;
  entry.sample_bytes += shard.bytes;
  metrics_->ShardRecorded(shard);
  data_->Note(tournament, entry.stored.spec.data, entry.stored.state == TournamentState::kDone);
}

}  // namespace triarch
