#ifndef TRIARCH_SELFPLAY_STORAGE_RUN_CLAIM_H_
#define TRIARCH_SELFPLAY_STORAGE_RUN_CLAIM_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/record/shard_entry.h"
#include "selfplay/storage/blob_store.h"

// Whose data lie in a place. A run has a name that no other one has; its shards and its claim, a
// small file, have that in theirs. So two runs never take each other's files for their own, and
// which of them was first is told by names alone: no store need make a file only if there is none.
namespace triarch {

// A name for a new run: 16 digits of a random hexadecimal number.
std::string NewRunName();

// What the names of a run's shards begin with: "shards/0123456789abcdef-".
std::string ShardPrefix(std::string_view run);
// The file that says whose place it is: "run-0123456789abcdef".
std::string ClaimName(std::string_view run);

// The runs whose claims are in the place, in order. Errors are the blobs's.
absl::StatusOr<std::vector<std::string>> ClaimsIn(BlobStore& blobs);

// Makes the place the run's, unless it is already. `known` are the shards that are recorded of the
// run. FailedPrecondition: it is another run's, by its claim or by a manifest that names shards
// which are neither known nor the run's by their names; InvalidArgument: its manifest cannot be
// read; else as the blobs. Of several who claim a place at the same time at most one is told OK.
absl::Status ClaimPlace(BlobStore& blobs, const std::string& run,
                        const std::vector<ShardEntry>& known);

}  // namespace triarch

#endif  // TRIARCH_SELFPLAY_STORAGE_RUN_CLAIM_H_
