// Simulates the blob store for shards, with faults.

#ifndef TRIARCH_TESTS_SIMULATION_SIM_BLOBS_H_
#define TRIARCH_TESTS_SIMULATION_SIM_BLOBS_H_

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "absl/status/status.h"
#include "tests/simulation/world.h"

namespace triarch::simulation {

// Stores shards unless it is away. Sometimes stores one and loses the answer.
class SimBlobs {
 public:
  struct Shard {
    int64_t tournament = 0;
    std::set<int64_t> games;
  };

  explicit SimBlobs(World& world) : world_(world) {}

  void GoAway(Time until) { away_until_ = until; }
  absl::Status Put(const std::string& name, Shard shard);
  // Returns null if no shard has that name.
  const Shard* Find(const std::string& name) const;

 private:
  World& world_;
  Time away_until_;
  std::map<std::string, Shard> shards_;
};

}  // namespace triarch::simulation

#endif  // TRIARCH_TESTS_SIMULATION_SIM_BLOBS_H_
