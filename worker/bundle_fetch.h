#ifndef TRIARCH_WORKER_BUNDLE_FETCH_H_
#define TRIARCH_WORKER_BUNDLE_FETCH_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "core/record/lease.h"
#include "core/record/tournament_spec.h"

namespace triarch {

// A bundle that a tournament's bot is from.
struct NeededBundle {
  std::string bot;  // its name in the tournament
  std::string digest;
};

// Those that a worker must fetch to play the tournament, each once.
std::vector<NeededBundle> NeededBundles(const TournamentSpec& spec);

// A lease that waits for bundles, and what has come of them: one after the other, part by part. A
// state machine.
class BundleFetch {
 public:
  // Requires: `missing` is not empty.
  BundleFetch(const Lease& lease, std::vector<NeededBundle> missing)
      : lease_(lease), missing_(std::move(missing)) {}

  const Lease& lease() const { return lease_; }
  // The one to be asked for, from which byte on.
  const NeededBundle& next() const { return missing_.back(); }
  int64_t offset() const { return static_cast<int64_t>(tar_.size()); }
  bool is_whole() const { return size_ > 0 && offset() == size_; }
  const std::string& tar() const { return tar_; }

  // DataLoss: it cannot be a part of the same, or is of one that is too large.
  absl::Status Add(const BundlePart& part);
  // The whole one has been unpacked. True if it was the last.
  bool Finish();

  // Nothing of the lease need be played any more.
  void Cancel() { is_cancelled_ = true; }
  bool is_cancelled() const { return is_cancelled_; }

 private:
  const Lease lease_;
  std::vector<NeededBundle> missing_;
  std::string tar_;
  int64_t size_ = 0;  // of the whole; 0: not known yet
  bool is_cancelled_ = false;
};

}  // namespace triarch

#endif  // TRIARCH_WORKER_BUNDLE_FETCH_H_
