#include "coordinator/service/data_publisher.h"

#include <algorithm>
#include <memory>
#include <set>
#include <string_view>
#include <utility>

#include "core/base/status_macros.h"
#include "selfplay/dataset/run_claim.h"
#include "selfplay/shard/manifest.h"

namespace triarch {
namespace {

std::string_view WithoutLastSlash(std::string_view location) {
  while (location.size() > 1 && location.ends_with('/')) location.remove_suffix(1);
  return location;
}

// Removes those files of a run that do not count, when nothing writes for it any more. Files of
// other runs and programs have other names.
absl::Status Collect(BlobStore& blobs, const std::string& run,
                     const std::vector<ShardEntry>& shards) {
  std::set<std::string_view> counted;
  for (const ShardEntry& shard : shards) counted.insert(shard.shard);
  ASSIGN_OR_RETURN(const std::vector<std::string> names, blobs.List(ShardPrefix(run)));
  for (const std::string& name : names) {
    if (IsShardName(name) && !counted.contains(name)) RETURN_IF_ERROR(blobs.Remove(name));
  }
  RETURN_IF_ERROR(blobs.RemoveUnfinished(ShardPrefix(run)));
  RETURN_IF_ERROR(blobs.RemoveUnfinished(ClaimName(run)));
  return blobs.RemoveUnfinished(kManifestName);
}

absl::StatusOr<bool> IsClaimed(BlobStore& blobs, const std::string& run) {
  ASSIGN_OR_RETURN(const std::vector<std::string> claims, ListClaims(blobs));
  return std::find(claims.begin(), claims.end(), run) != claims.end();
}

}  // namespace

DataPublisher::DataPublisher(const Options& options, ReadShards read_shards)
    : options_(options), read_shards_(std::move(read_shards)), executor_(1) {}

void DataPublisher::Note(int64_t tournament, const TournamentSpec& spec, TournamentState state) {
  MutexLock lock(&mutex_);
  Run& run = runs_[tournament];
  run.data = spec.data;
  run.name = spec.run;
  run.has_changed = true;
  if (IsOver(run.state)) return;
  // Finished runs are published immediately.
  if (IsOver(state)) run.next = Time();
  run.state = state;
}

void DataPublisher::NoteStray(std::string_view shard) {
  MutexLock lock(&mutex_);
  for (auto& [tournament, run] : runs_) {
    if (IsOver(run.state) && shard.starts_with(ShardPrefix(run.name))) run.has_changed = true;
  }
}

void DataPublisher::Forget(int64_t tournament) {
  MutexLock lock(&mutex_);
  const auto run = runs_.find(tournament);
  if (run == runs_.end()) return;
  run->second.is_forgotten = true;
  WaitFor(run->second, std::nullopt);
}

void DataPublisher::Tick(Time now) {
  std::vector<int64_t> due;
  {
    MutexLock lock(&mutex_);
    for (auto& [tournament, run] : runs_) {
      if (run.is_forgotten) continue;
      if (IsOver(run.state)) {
        if (!run.search_again) run.search_again = now + options_.search_again;
        if (now >= *run.search_again) {
          run.search_again = Time::max();
          run.has_changed = true;
        }
      }
      if (!run.has_changed || run.is_under_way || now < run.next) continue;
      run.is_under_way = true;
      run.has_changed = false;
      run.next = now + options_.every;
      due.push_back(tournament);
    }
  }
  for (const int64_t tournament : due) {
    executor_.Post([this, tournament] { Publish(tournament); });
  }
}

void DataPublisher::Publish(int64_t tournament) {
  Run run;
  {
    MutexLock lock(&mutex_);
    run = runs_.at(tournament);
  }
  const absl::StatusOr<bool> is_current = Write(tournament, run);
  options_.on_publish(is_current.status());
  MutexLock lock(&mutex_);
  Run& published = runs_.at(tournament);
  published.is_under_way = false;
  published.status = is_current.status();
  if (!is_current.value_or(false)) published.has_changed = true;
  changed_.NotifyAll();
}

absl::StatusOr<std::unique_ptr<BlobStore>> DataPublisher::Open(const std::string& data) const {
  return OpenBlobStore(data, {.retry_for = options_.retry_for,
                              .stop = &is_stopped_,
                              .environment = options_.environment,
                              .roots = options_.roots});
}

absl::StatusOr<bool> DataPublisher::Write(int64_t tournament, const Run& run) const {
  ASSIGN_OR_RETURN(const std::unique_ptr<BlobStore> blobs, Open(run.data));
  if (run.state == TournamentState::kCancelled) {
    // An emptied location no longer belongs to this run, and may by now belong to another.
    ASSIGN_OR_RETURN(const bool is_claimed, IsClaimed(*blobs, run.name));
    if (!is_claimed) return true;
  }
  ASSIGN_OR_RETURN(const std::vector<ShardEntry> shards, read_shards_(tournament));
  RETURN_IF_ERROR(ClaimLocation(*blobs, run.name, shards));
  std::string text;
  for (const ShardEntry& shard : shards) text += ManifestLine(shard) + '\n';
  RETURN_IF_ERROR(blobs->Put(kManifestName, text));
  if (IsOver(run.state)) RETURN_IF_ERROR(Collect(*blobs, run.name, shards));
  // If this coordinator hung after asking the store, it may have replaced its successor's manifest
  // with an old one.
  ASSIGN_OR_RETURN(const std::vector<ShardEntry> now, read_shards_(tournament));
  return now == shards;
}

void DataPublisher::WaitFor(const Run& run, std::optional<Time> end) {
  while (run.is_under_way) {
    if (!end || is_stopped_) {
      changed_.Wait(&mutex_);
    } else if (!changed_.WaitUntil(&mutex_, *end)) {
      is_stopped_ = true;
    }
  }
}

absl::Status DataPublisher::Finish(std::optional<std::chrono::milliseconds> patience) {
  std::optional<Time> end;
  if (patience) end = std::chrono::steady_clock::now() + *patience;
  {
    MutexLock lock(&mutex_);
    for (auto& [tournament, run] : runs_) run.next = Time();
  }
  absl::Status status;
  Tick(std::chrono::steady_clock::now());
  MutexLock lock(&mutex_);
  for (const auto& [tournament, run] : runs_) {
    WaitFor(run, end);
    if (run.is_forgotten) continue;
    // The run may have changed during writing.
    if (run.has_changed && run.status.ok()) {
      runs_.at(tournament).is_under_way = true;
      runs_.at(tournament).has_changed = false;
      executor_.Post([this, id = tournament] { Publish(id); });
      WaitFor(run, end);
    }
    status.Update(run.status);
  }
  return status;
}

absl::Status DataPublisher::Claim(const TournamentSpec& spec,
                                  const std::vector<ShardEntry>& known) const {
  ASSIGN_OR_RETURN(const std::unique_ptr<BlobStore> blobs, Open(spec.data));
  return ClaimLocation(*blobs, spec.run, known);
}

absl::Status DataPublisher::ClaimNewRun(TournamentSpec* spec) const {
  spec->run.clear();
  if (!spec->selfplay) return absl::OkStatus();
  spec->run = NewRunName();
  {
    MutexLock lock(&mutex_);
    for (const auto& [tournament, run] : runs_) {
      if (run.is_forgotten) continue;
      if (WithoutLastSlash(run.data) != WithoutLastSlash(spec->data)) continue;
      return absl::FailedPreconditionError("tournament " + std::to_string(tournament) +
                                           " writes its data to " + spec->data +
                                           "; expected another location (output.data)");
    }
  }
  const absl::Status status = Claim(*spec, {});
  if (status.ok()) return status;
  // Whatever the error, the operator must fix it; another coordinator would fail too.
  return absl::FailedPreconditionError("its data cannot be stored: " +
                                       std::string(status.message()));
}

void DataPublisher::Unclaim(const TournamentSpec& spec) const {
  if (!spec.selfplay) return;
  const absl::StatusOr<std::unique_ptr<BlobStore>> blobs = Open(spec.data);
  if (blobs.ok()) (*blobs)->Remove(ClaimName(spec.run)).IgnoreError();
}

absl::Status DataPublisher::status(int64_t tournament) const {
  MutexLock lock(&mutex_);
  const auto run = runs_.find(tournament);
  return run == runs_.end() ? absl::OkStatus() : run->second.status;
}

}  // namespace triarch
