// Adds, removes, checks and serves the bundles of user-supplied bots.

#ifndef TRIARCH_COORDINATOR_SERVICE_BUNDLE_REGISTRY_H_
#define TRIARCH_COORDINATOR_SERVICE_BUNDLE_REGISTRY_H_

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "coordinator/service/access.h"
#include "coordinator/service/executor.h"
#include "coordinator/service/store_thread.h"
#include "coordinator/store/store.h"
#include "core/base/mutex.h"
#include "core/record/tournament_spec.h"

namespace triarch {

// Finds the bundle that `text` names (NAME, NAME@VERSION or NAME@DIGEST) in a list sorted from
// oldest to newest. Fails with NotFound, saying what is missing.
absl::StatusOr<StoredBundle> FindBundle(std::span<const StoredBundle> bundles,
                                        std::string_view text);

// Thread-safe. Add and Remove wait for the store; do not call them concurrently, nor while a
// tournament is being submitted. Errors are those of proto/triarch/v1/bot.proto.
class BundleRegistry {
 public:
  struct Options {
    int64_t user_bytes_max = int64_t{1} << 30;  // total size of all bundles added by users
  };
  // Returns the unfinished tournaments that need the bundle with that digest.
  using FindUses = std::function<std::vector<int64_t>(std::string_view digest)>;

  // The threads must outlive the registry. `reads` runs tasks that wait for `reader`.
  BundleRegistry(const Options& options, FindUses find_uses, StoreThread& writer,
                 StoreThread& reader, Executor& reads);

  // Loads the store's bundles.
  absl::Status Load(Store& store) ABSL_LOCKS_EXCLUDED(mutex_);

  // Sets `is_new` to whether the bundle did not exist before.
  absl::StatusOr<StoredBundle> Add(std::string_view tar, const Access::Caller& caller, bool* is_new)
      ABSL_LOCKS_EXCLUDED(mutex_);
  absl::StatusOr<StoredBundle> Remove(std::string_view name, const Access::Caller& caller)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // From oldest to newest. Never null.
  std::shared_ptr<const std::vector<StoredBundle>> All() const ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    return bundles_;
  }
  // Checks that workers can get the files of all bots that are not bundled with the program.
  absl::Status CheckBots(const TournamentSpec& spec) const;
  using TarDone = std::function<void(absl::StatusOr<std::shared_ptr<const std::string>>)>;
  // Reads the tar of a bundle without blocking. Calls `done` once, on any thread, possibly before
  // returning.
  void Fetch(const std::string& digest, TarDone done) ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  absl::Status CheckUserMayAdd(const StoredBundle& bundle, const Access::Quotas& quotas) const
      ABSL_LOCKS_EXCLUDED(mutex_);
  std::shared_ptr<const std::string> KeptTar(const std::string& digest) const
      ABSL_LOCKS_EXCLUDED(mutex_);

  const Options options_;
  const FindUses find_uses_;
  StoreThread& writer_;
  StoreThread& reader_;
  Executor& reads_;

  mutable Mutex mutex_;
  // The store's bundles, with their games.
  std::shared_ptr<const std::vector<StoredBundle>> bundles_ ABSL_GUARDED_BY(mutex_) =
      std::make_shared<std::vector<StoredBundle>>();
  // The most recently fetched tars, by digest.
  std::deque<std::pair<std::string, std::shared_ptr<const std::string>>> tars_
      ABSL_GUARDED_BY(mutex_);
};

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_SERVICE_BUNDLE_REGISTRY_H_
