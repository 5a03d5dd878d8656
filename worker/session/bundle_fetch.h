// Tracks which bundles a lease waits for, and collects their parts.

#ifndef TRIARCH_WORKER_SESSION_BUNDLE_FETCH_H_
#define TRIARCH_WORKER_SESSION_BUNDLE_FETCH_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "core/record/lease.h"
#include "core/record/tournament_spec.h"

namespace triarch {

// A bundle that holds the files of one of a tournament's bots.
struct NeededBundle {
  std::string bot;  // its name in the tournament
  std::string digest;

  friend bool operator==(const NeededBundle&, const NeededBundle&) = default;
};

// Returns the bundles that a worker must have to play the tournament, each once.
std::vector<NeededBundle> NeededBundles(const TournamentSpec& spec);

// A state machine: fetches the missing bundles of one lease one after the other, in parts.
class BundleFetch {
 public:
  // Until SetMissing, every bundle of the lease counts as missing.
  BundleFetch(const Lease& lease, std::vector<NeededBundle> needed)
      : lease_(lease), missing_(std::move(needed)) {}

  const Lease& lease() const { return lease_; }
  // The cache lacks only these.
  void SetMissing(std::vector<NeededBundle> missing) {
    missing_ = std::move(missing);
    is_checked_ = true;
  }
  bool is_checked() const { return is_checked_; }
  bool is_done() const { return missing_.empty(); }
  // The lease is over: the step under way is the last.
  void Cancel() { is_cancelled_ = true; }
  bool is_cancelled() const { return is_cancelled_; }

  // The bundle to ask for, and the first byte to ask for. Requires: it is not done.
  const NeededBundle& next() const { return missing_.back(); }
  int64_t offset() const { return static_cast<int64_t>(tar_.size()); }
  // Whether all parts of next() have arrived.
  bool is_whole() const { return size_ > 0 && offset() == size_; }

  // Appends a part. DataLoss: it does not continue this bundle, or the bundle is too large.
  absl::Status Add(const BundlePart& part);
  // Gives the bytes away. Requires: next() is whole.
  std::string TakeTar();
  // next() has been stored.
  void OnStored() { missing_.pop_back(); }

 private:
  const Lease lease_;
  std::vector<NeededBundle> missing_;
  bool is_checked_ = false;
  bool is_cancelled_ = false;
  std::string tar_;
  int64_t size_ = 0;  // of the whole bundle; 0 while it is not known
};

}  // namespace triarch

#endif  // TRIARCH_WORKER_SESSION_BUNDLE_FETCH_H_
