// Reserves a data location for one self-play run.

#ifndef TRIARCH_SELFPLAY_DATASET_RUN_CLAIM_H_
#define TRIARCH_SELFPLAY_DATASET_RUN_CLAIM_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/record/shard_entry.h"
#include "selfplay/storage/blob_store.h"

// Each run has a unique name, which is part of the names of its shards and of its claim, a small
// file. So two runs never mix up their files, and names alone decide which run claimed the location
// first: the store needs no atomic create-if-absent.
namespace triarch {

// Returns a name for a new run: 16 random hex digits.
std::string NewRunName();

// Returns the name of a run's claim file: "run-0123456789abcdef".
std::string ClaimName(std::string_view run);

// Returns the runs that claim the location, in order. Fails like the blob store.
absl::StatusOr<std::vector<std::string>> ListClaims(BlobStore& blobs);

// Claims the location for the run, unless the run already owns it. `known` are the recorded shards
// of the run. Fails with FailedPrecondition if another run owns it, by its claim or by a manifest
// with shards that are neither known nor named after this run; with InvalidArgument if the manifest
// cannot be parsed; otherwise like the blob store. At most one of several concurrent callers
// succeeds.
absl::Status ClaimLocation(BlobStore& blobs, const std::string& run,
                           const std::vector<ShardEntry>& known);

}  // namespace triarch

#endif  // TRIARCH_SELFPLAY_DATASET_RUN_CLAIM_H_
