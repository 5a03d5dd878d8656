#include "coordinator/service/data_publisher.h"

#include <memory>
#include <set>
#include <utility>

#include "core/base/status_macros.h"
#include "selfplay/manifest.h"
#include "selfplay/sink.h"

namespace triarch {
namespace {

constexpr const char* kManifest = "manifest.jsonl";
constexpr const char* kShards = "shards/";

std::set<std::string> NamesOf(const std::vector<ShardEntry>& shards) {
  std::set<std::string> names;
  for (const ShardEntry& shard : shards) names.insert(shard.shard);
  return names;
}

// Whatever is unfinished for so long in a run that is done was left by somebody who is gone.
constexpr std::chrono::seconds kStaleAfter{60};

// Removes the shards that do not count.
absl::Status Collect(Sink& sink, const std::set<std::string>& counted) {
  ASSIGN_OR_RETURN(const std::vector<std::string> names, sink.List(kShards));
  for (const std::string& name : names) {
    // Files of others are left alone.
    if (IsShardName(name) && !counted.contains(name)) RETURN_IF_ERROR(sink.Remove(name));
  }
  return sink.RemoveStale(kStaleAfter);
}

absl::Status CheckManifest(Sink& sink, const std::vector<ShardEntry>& known) {
  const absl::StatusOr<std::string> text = sink.Get(kManifest);
  if (absl::IsNotFound(text.status())) return absl::OkStatus();
  RETURN_IF_ERROR(text.status());
  ASSIGN_OR_RETURN(const std::vector<ShardEntry> there,
                   ParseManifest(*text, sink.Describe() + "/" + kManifest));
  const std::set<std::string> names = NamesOf(known);
  for (const ShardEntry& shard : there) {
    if (names.contains(shard.shard)) continue;
    return absl::FailedPreconditionError(
        sink.Describe() + " has the data of another run (" + shard.shard +
        " is not recorded here); expected an empty place, or the database of that run");
  }
  return absl::OkStatus();
}

}  // namespace

DataPublisher::DataPublisher(const Options& options, ReadShards read_shards)
    : options_(options), read_shards_(std::move(read_shards)), executor_(1) {}

void DataPublisher::Note(int64_t tournament, const std::string& data, bool is_done) {
  MutexLock lock(&mutex_);
  Run& run = runs_[tournament];
  run.data = data;
  // What is done is worth saying at once.
  if (is_done && !run.is_done) run.next = Time();
  run.is_done = run.is_done || is_done;
  run.has_changed = true;
}

void DataPublisher::NoteStray() {
  MutexLock lock(&mutex_);
  has_strays_ = true;
}

void DataPublisher::Tick(Time now) {
  std::vector<int64_t> due;
  {
    MutexLock lock(&mutex_);
    const bool collects = has_strays_ && now >= strays_next_;
    if (collects) {
      has_strays_ = false;
      strays_next_ = now + options_.every_strays;
    }
    for (auto& [tournament, run] : runs_) {
      run.has_changed = run.has_changed || (collects && run.is_done);
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
  const absl::StatusOr<bool> is_current = Write(tournament, run.data, run.is_done);
  options_.on_publish(is_current.status());
  MutexLock lock(&mutex_);
  Run& published = runs_.at(tournament);
  published.is_under_way = false;
  published.status = is_current.status();
  if (!is_current.value_or(false)) published.has_changed = true;
  changed_.NotifyAll();
}

absl::StatusOr<bool> DataPublisher::Write(int64_t tournament, const std::string& data,
                                          bool is_done) const {
  ASSIGN_OR_RETURN(const std::unique_ptr<Sink> sink,
                   OpenSink(data, {.retry_for = options_.retry_for}));
  ASSIGN_OR_RETURN(const std::vector<ShardEntry> shards, read_shards_(tournament));
  // Since it was checked last, the place may have been given to another run.
  RETURN_IF_ERROR(CheckManifest(*sink, shards));
  std::string text;
  for (const ShardEntry& shard : shards) text += ManifestLine(shard) + '\n';
  RETURN_IF_ERROR(sink->Put(kManifest, text));
  if (is_done) RETURN_IF_ERROR(Collect(*sink, NamesOf(shards)));
  // One that stood still since it asked the store has put an old manifest in place of the one that
  // its successor wrote.
  ASSIGN_OR_RETURN(const std::vector<ShardEntry> now, read_shards_(tournament));
  return now == shards;
}

absl::Status DataPublisher::Finish() {
  {
    MutexLock lock(&mutex_);
    for (auto& [tournament, run] : runs_) run.next = Time();
    strays_next_ = Time();
  }
  absl::Status status;
  Tick(std::chrono::steady_clock::now());
  MutexLock lock(&mutex_);
  for (const auto& [tournament, run] : runs_) {
    while (run.is_under_way) changed_.Wait(&mutex_);
    // It may have changed while it was written.
    if (run.has_changed && run.status.ok()) {
      runs_.at(tournament).is_under_way = true;
      runs_.at(tournament).has_changed = false;
      executor_.Post([this, id = tournament] { Publish(id); });
      while (run.is_under_way) changed_.Wait(&mutex_);
    }
    status.Update(run.status);
  }
  return status;
}

absl::Status DataPublisher::status(int64_t tournament) const {
  MutexLock lock(&mutex_);
  const auto run = runs_.find(tournament);
  return run == runs_.end() ? absl::OkStatus() : run->second.status;
}

absl::Status CheckDataIsOurs(const std::string& data, const std::vector<ShardEntry>& known) {
  ASSIGN_OR_RETURN(const std::unique_ptr<Sink> sink,
                   OpenSink(data, {.retry_for = DataPublisher::Options().retry_for}));
  return CheckManifest(*sink, known);
}

}  // namespace triarch
