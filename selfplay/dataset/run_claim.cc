#include "selfplay/dataset/run_claim.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <set>

#include "absl/strings/str_format.h"
#include "core/base/status_macros.h"
#include "selfplay/shard/manifest.h"

namespace triarch {
namespace {

constexpr std::string_view kClaim = "run-";
constexpr size_t kRunDigits = 16;

bool IsRunName(std::string_view text) {
  return text.size() == kRunDigits &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

absl::Status BelongsToAnotherRun(const BlobStore& blobs, const std::string& why) {
  return absl::FailedPreconditionError(
      blobs.Describe() + " holds the data of another run (" + why +
      "); use another location (--data, output.data) or the database of that run");
}

absl::Status CheckClaims(BlobStore& blobs, const std::vector<std::string>& claims,
                         const std::string& run) {
  for (const std::string& claim : claims) {
    if (claim == run) continue;
    return BelongsToAnotherRun(
        blobs, "claim file " + ClaimName(claim) + "; remove it if that run has no data");
  }
  return absl::OkStatus();
}

absl::Status CheckManifest(BlobStore& blobs, const std::string& run,
                           const std::vector<ShardEntry>& known) {
  const absl::StatusOr<std::string> text = blobs.Get(kManifestName);
  if (absl::IsNotFound(text.status())) return absl::OkStatus();
  RETURN_IF_ERROR(text.status());
  ASSIGN_OR_RETURN(const std::vector<ShardEntry> there,
                   ParseManifest(*text, blobs.Describe() + "/" + std::string(kManifestName)));
  std::set<std::string_view> names;
  for (const ShardEntry& shard : known) names.insert(shard.shard);
  for (const ShardEntry& shard : there) {
    // A restored database may know fewer shards than the run's own manifest.
    if (names.contains(shard.shard) || shard.shard.starts_with(ShardPrefix(run))) continue;
    return BelongsToAnotherRun(blobs, shard.shard + " is not recorded in this database");
  }
  return absl::OkStatus();
}

}  // namespace

std::string NewRunName() {
  std::random_device device;
  const uint64_t number = static_cast<uint64_t>(device()) << 32 | device();
  return absl::StrFormat("%016x", number);
}

std::string ClaimName(std::string_view run) { return std::string(kClaim) + std::string(run); }

absl::StatusOr<std::vector<std::string>> ListClaims(BlobStore& blobs) {
  ASSIGN_OR_RETURN(const std::vector<std::string> names, blobs.List(kClaim));
  std::vector<std::string> runs;
  for (const std::string& name : names) {
    const std::string run = name.substr(kClaim.size());
    if (IsRunName(run)) runs.push_back(run);  // ignore other files
  }
  return runs;
}

absl::Status ClaimLocation(BlobStore& blobs, const std::string& run,
                           const std::vector<ShardEntry>& known) {
  ASSIGN_OR_RETURN(const std::vector<std::string> claims, ListClaims(blobs));
  RETURN_IF_ERROR(CheckClaims(blobs, claims, run));
  RETURN_IF_ERROR(CheckManifest(blobs, run, known));
  if (!claims.empty()) return absl::OkStatus();
  absl::Status status =
      blobs.Put(ClaimName(run), "This folder holds the data of this Triarch self-play run.\n");
  if (status.ok()) {
    // A concurrent claim was either written before this listing, or its writer will see ours.
    const absl::StatusOr<std::vector<std::string>> after = ListClaims(blobs);
    status = after.ok() ? CheckClaims(blobs, *after, run) : after.status();
  }
  // Even a Put that failed may have written the file.
  if (!status.ok()) blobs.Remove(ClaimName(run)).IgnoreError();
  return status;
}

}  // namespace triarch
