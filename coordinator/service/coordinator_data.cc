// What self-play adds to a coordinator: shards that are recorded with their games, and manifests.

#include <chrono>
#include <string_view>
#include <utility>

#include "coordinator/service/coordinator.h"
#include "core/base/status_macros.h"
#include "selfplay/dataset/run_claim.h"
#include "selfplay/shard/manifest.h"
#include "selfplay/shard/shard.h"

namespace triarch {
namespace {

constexpr std::chrono::seconds kLastPublish{5};  // at the end; the next coordinator does the rest

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
  // `triarch run` is one process.
  if (!options_.trusts_workers) options.environment = "the environment of the coordinator";
  options.on_publish = [this](const absl::Status& status) { metrics_->Published(status.ok()); };
  data_.emplace(options, [this](int64_t tournament) {
    absl::StatusOr<std::vector<ShardEntry>> shards = absl::UnknownError("");
    reader().Run([&](Store& store) { shards = store.Shards(tournament); });
    return shards;
  });
}

void Coordinator::EndPublishing() {
  data_->Finish(kLastPublish).IgnoreError();
  data_->Stop();
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
  // A coordinator before may have recorded what no manifest says yet.
  NoteData(tournament, entry);
}

void Coordinator::NoteData(int64_t tournament, const Entry& entry) {
  if (!entry.stored.spec.selfplay) return;
  TournamentState state = entry.stored.state;
  // What was reported before it was cancelled may yet count.
  const bool may_count = !entry.recording.empty() || !fatal_.ok();
  if (state == TournamentState::kCancelled && may_count) state = TournamentState::kActive;
  data_->Note(tournament, entry.stored.spec, state);
}

absl::Status Coordinator::ClaimData(TournamentSpec* submitted) const {
  submitted->run.clear();
  if (!submitted->selfplay) return absl::OkStatus();
  submitted->run = NewRunName();
  const TournamentSpec& spec = *submitted;
  {
    MutexLock lock(&mutex_);
    for (const auto& [id, entry] : entries_) {
      if (!entry.stored.spec.selfplay || !IsSamePlace(entry.stored.spec.data, spec.data)) continue;
      return absl::FailedPreconditionError(spec.data + " is where the data of tournament " +
                                           std::to_string(id) +
                                           " goes; expected a place of its own (output.data)");
    }
  }
  const absl::Status status = data_->Claim(spec, {});
  if (status.ok()) return status;
  // Whatever it is, it is for the operator to mend, and no other coordinator has better to say.
  return absl::FailedPreconditionError("its data cannot be stored: " +
                                       std::string(status.message()));
}

void Coordinator::UnclaimData(const TournamentSpec& spec, const absl::Status& why) const {
  // A commit of unknown outcome may have added it.
  if (spec.selfplay && !absl::IsUnavailable(why)) data_->Unclaim(spec);
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
  NoteData(tournament, entry);
}

}  // namespace triarch
