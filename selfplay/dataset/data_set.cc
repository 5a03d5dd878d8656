#include "selfplay/dataset/data_set.h"

#include <algorithm>
#include <set>

#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "core/base/sha256.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "selfplay/dataset/game_replay.h"
#include "selfplay/shard/manifest.h"

namespace triarch {
namespace {

void CheckNumber(const char* name, int64_t claimed, int64_t ours,
                 std::vector<std::string>* faults) {
  if (claimed == ours) return;
  faults->push_back(
      absl::StrFormat("the manifest says %s %d; the shard has %d", name, claimed, ours));
}

void CheckText(const char* name, const std::string& claimed, const std::string& ours,
               std::vector<std::string>* faults) {
  if (claimed == ours) return;
  faults->push_back(absl::StrFormat("the manifest says %s %s; the shard has %s", name,
                                    Quote(claimed, 80), Quote(ours, 80)));
}

}  // namespace

std::vector<std::string> FindManifestFaults(const std::vector<ShardEntry>& entries) {
  std::vector<std::string> faults;
  std::set<std::string_view> names;
  for (const ShardEntry& entry : entries) {
    if (!names.insert(entry.shard).second) faults.push_back(entry.shard + ": listed twice");
    if (!IsShardName(entry.shard)) {
      faults.push_back(Quote(entry.shard, 80) + ": not a shard name");
    }
    if (entry.game != entries[0].game) {
      faults.push_back(entry.shard + ": its game is " + Quote(entry.game) + "; expected " +
                       Quote(entries[0].game) + ", as for the first shard");
    } else if (entry.spec != entries[0].spec) {
      faults.push_back(entry.shard + ": its spec digest is " + Quote(entry.spec, 80) +
                       "; expected " + Quote(entries[0].spec, 80) + ", as for the first shard");
    }
  }
  return faults;
}

std::vector<std::string> FindFileFaults(const ShardEntry& entry, std::string_view bytes) {
  std::vector<std::string> faults;
  if (static_cast<size_t>(entry.bytes) != bytes.size()) {
    faults.push_back(
        absl::StrFormat("the manifest says %d bytes; the file has %d", entry.bytes, bytes.size()));
  }
  const std::string sha256 = Sha256Hex(bytes);
  if (sha256 != entry.sha256) {
    faults.push_back("the manifest says SHA-256 " + entry.sha256 + "; the file has " + sha256);
  }
  return faults;
}

std::vector<std::string> FindEntryFaults(const ShardEntry& entry, const Shard& shard) {
  std::vector<std::string> faults;
  CheckNumber("samples", entry.samples, static_cast<int64_t>(shard.samples()), &faults);
  CheckNumber("games", entry.games, static_cast<int64_t>(shard.games()), &faults);
  if (shard.games() > 0) {
    CheckNumber("first", entry.first, shard.game_index.front(), &faults);
    CheckNumber("last", entry.last, shard.game_index.back(), &faults);
  }
  CheckText("game", entry.game, shard.meta.game, &faults);
  CheckText("spec", entry.spec, shard.meta.spec, &faults);
  CheckText("build", entry.build, shard.meta.build, &faults);
  const absl::Status shape = CheckShape(shard.meta);
  if (!shape.ok()) faults.emplace_back(shape.message());
  return faults;
}

absl::Status CheckSameRun(const ShardMeta& meta, const ShardMeta& first) {
  ShardMeta other = meta;
  other.build = first.build;
  if (other == first) return absl::OkStatus();
  return absl::InvalidArgumentError(
      "meta: tournament, game, spec, start or bots differ from the first shard");
}

absl::StatusOr<DataSet> DataSet::Open(std::unique_ptr<BlobStore> blobs) {
  const absl::StatusOr<std::string> text = blobs->Get(kManifestName);
  if (absl::IsNotFound(text.status())) {
    return absl::NotFoundError(blobs->Describe() + ": no " + std::string(kManifestName) +
                               "; expected a location with self-play data");
  }
  RETURN_IF_ERROR(text.status());
  ASSIGN_OR_RETURN(std::vector<ShardEntry> entries,
                   ParseManifest(*text, blobs->Describe() + "/" + std::string(kManifestName)));
  return DataSet(std::move(blobs), std::move(entries));
}

absl::StatusOr<ShardEntry> DataSet::Find(std::string_view name) const {
  for (const ShardEntry& entry : entries_) {
    const std::string text(name);
    if (entry.shard == text || entry.shard == "shards/" + text ||
        entry.shard == "shards/" + text + ".npz") {
      return entry;
    }
  }
  return absl::NotFoundError(location_ + ": the manifest lists no shard named " + Quote(name, 80));
}

absl::StatusOr<int64_t> DataSet::CountUnlistedFiles() const {
  std::set<std::string_view> named;
  for (const ShardEntry& entry : entries_) named.insert(entry.shard);
  ASSIGN_OR_RETURN(const std::vector<std::string> names, blobs_->List("shards/"));
  return std::count_if(names.begin(), names.end(),
                       [&named](const std::string& name) { return !named.contains(name); });
}

absl::StatusOr<std::string> DataSet::Fetch(const ShardEntry& entry) const {
  absl::StatusOr<std::string> bytes = blobs_->Get(entry.shard);
  if (!absl::IsNotFound(bytes.status())) return bytes;
  return absl::NotFoundError(location_ + "/" + entry.shard + ": the file is missing");
}

absl::StatusOr<Shard> DataSet::Read(const ShardEntry& entry) const {
  ASSIGN_OR_RETURN(const std::string bytes, Fetch(entry));
  const auto wrong = [&](const std::string& what) {
    return absl::InvalidArgumentError(location_ + "/" + entry.shard + ": " + what);
  };
  std::vector<std::string> faults = FindFileFaults(entry, bytes);
  if (!faults.empty()) return wrong(absl::StrJoin(faults, "; "));
  absl::StatusOr<Shard> shard = ReadShard(bytes);
  if (!shard.ok()) return wrong(std::string(shard.status().message()));
  faults = FindEntryFaults(entry, *shard);
  if (!faults.empty()) return wrong(absl::StrJoin(faults, "; "));
  return shard;
}

}  // namespace triarch
