#include "tests/simulation/sim_blobs.h"

#include <utility>

namespace triarch::simulation {

absl::Status SimBlobs::Put(const std::string& name, Shard shard) {
  const auto fail = [this](absl::Status status) {
    ++world_.tally().blob_faults;
    return status;
  };
  if (world_.now() < away_until_) return fail(absl::UnavailableError("the blob store is away"));
  if (!world_.is_calm() && world_.Chance(0.005)) {
    return fail(absl::PermissionDeniedError("this worker may not write there"));
  }
  const bool is_lost = !world_.is_calm() && world_.Chance(0.02);
  if (is_lost && world_.Chance(0.5)) return fail(absl::UnavailableError("the connection was lost"));
  world_.Expect(shards_.emplace(name, std::move(shard)).second, "two shards have one name");
  ++world_.tally().shards_stored;
  if (is_lost) return fail(absl::UnavailableError("the answer was lost"));
  return absl::OkStatus();
}

const SimBlobs::Shard* SimBlobs::Find(const std::string& name) const {
  const auto shard = shards_.find(name);
  return shard == shards_.end() ? nullptr : &shard->second;
}

}  // namespace triarch::simulation
