// Tracks the bundles that a lease needs and collects their parts.

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

// A bundle with the files of one of a tournament's bots.
struct NeededBundle {
  std::string bot;  // its name in the tournament
  std::string digest;

  friend bool operator==(const NeededBundle&, const NeededBundle&) = default;
};

// Returns the bundles that a worker needs for the tournament, without duplicates.
std::vector<NeededBundle> NeededBundles(const TournamentSpec& spec);

// A state machine that fetches the missing bundles of one lease one after another, in parts.
class BundleFetch {
 public:
  // Until SetMissing, every bundle of the lease counts as missing.
  BundleFetch(const Lease& lease, std::vector<NeededBundle> needed)
      : lease_(lease), missing_(std::move(needed)) {}

  const Lease& lease() const { return lease_; }
  // Sets the bundles that the cache lacks.
  void SetMissing(std::vector<NeededBundle> missing) {
    missing_ = std::move(missing);
    is_checked_ = true;
  }
  bool is_checked() const { return is_checked_; }
  bool is_done() const { return missing_.empty(); }
  // Stops after the current step because the lease is over.
  void Cancel() { is_cancelled_ = true; }
  bool is_cancelled() const { return is_cancelled_; }

  // next() and offset() return the bundle and the first byte to request. Require: the fetch is not
  // done.
  const NeededBundle& next() const { return missing_.back(); }
  int64_t offset() const { return static_cast<int64_t>(tar_.size()); }
  // Returns whether all parts of next() have arrived.
  bool is_whole() const { return size_ > 0 && offset() == size_; }

  // Appends a part. Fails with DataLoss if it does not continue this bundle or the bundle is too
  // large.
  absl::Status Add(const BundlePart& part);
  // Moves the bundle's bytes out. Requires: is_whole().
  std::string TakeTar();
  // Call when next() has been stored.
  void OnStored() { missing_.pop_back(); }

 private:
  const Lease lease_;
  std::vector<NeededBundle> missing_;
  bool is_checked_ = false;
  bool is_cancelled_ = false;
  std::string tar_;
  int64_t size_ = 0;  // size of the whole bundle; 0 if unknown
};

}  // namespace triarch

#endif  // TRIARCH_WORKER_SESSION_BUNDLE_FETCH_H_
