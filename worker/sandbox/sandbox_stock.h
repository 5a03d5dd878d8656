#ifndef TRIARCH_WORKER_SANDBOX_SANDBOX_STOCK_H_
#define TRIARCH_WORKER_SANDBOX_SANDBOX_STOCK_H_

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/base/mutex.h"
#include "worker/sandbox/cgroup.h"
#include "worker/sandbox/sandbox_fd.h"
#include "worker/sandbox/sandbox_spawn.h"

namespace triarch {

// What may be used by one bot process and all that it starts.
struct ProcessLimits {
  int64_t memory_bytes = int64_t{1} << 30;
  int64_t processes = 64;  // threads count too
  int64_t open_files = 256;
  int64_t file_bytes = int64_t{64} << 20;  // each
  int64_t tmp_bytes = int64_t{64} << 20;   // in /tmp, which is also /dev/shm

  friend bool operator==(const ProcessLimits&, const ProcessLimits&) = default;
};

// A bubblewrap that waits for its options: it is in its control group, runs as nobody and has its
// limits. Only then is a start quick, for joining a group of version 2 may take the kernel 10 ms.
struct BlankSandbox {
  ProcessLimits limits;
  std::unique_ptr<Cgroup> group;  // null: none can be made here
  Child process = {};
  Fd script;  // to be written: see SandboxFd
  Fd options;
  Fd status;  // to be read
  // The bot's.
  Fd input;
  Fd output;
  Fd errors;

  BlankSandbox() = default;
  BlankSandbox(const BlankSandbox&) = delete;
  ~BlankSandbox();  // kills it if it is still here: its process can be taken
};

// Makes processes, and keeps some blank sandboxes ready. All are made by one thread that lives as
// long as this, since they are killed when the thread that made them ends.
class SandboxStock {
 public:
  static SandboxStock& Get();
  ~SandboxStock();

  // Any process.
  absl::StatusOr<Child> Spawn(const SpawnPlan& plan);
  absl::StatusOr<std::unique_ptr<BlankSandbox>> Take(const ProcessLimits& limits);

  // Another path of that folder, for sandboxes that are root's: one that every user can reach.
  // PermissionDenied if this root may not mount. To be hidden again when the bot has ended.
  absl::StatusOr<std::string> Show(const std::string& dir);
  void Hide(const std::string& path);

 private:
  SandboxStock();

  void Run();
  // Waits until the thread has done it.
  void Do(const std::function<void()>& work);
  bool IsToRefill() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void WaitForWork() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::StatusOr<std::unique_ptr<BlankSandbox>> Make(const ProcessLimits& limits);
  absl::Status SpawnInto(BlankSandbox* blank);
  absl::StatusOr<std::string> Mount(const std::string& dir);

  const CgroupRoots roots_;
  const std::string bwrap_;
  const absl::StatusOr<std::string> filter_;
  const Fd nothing_;  // /dev/null

  // For the thread only.
  uint32_t uids_used_ = 0;
  bool has_own_mounts_ = false;
  std::string mounts_;  // a folder for Show; empty: not made yet
  int64_t mounts_made_ = 0;

  Mutex mutex_;
  CondVar changed_;
  std::deque<const std::function<void()>*> work_ ABSL_GUARDED_BY(mutex_);
  ProcessLimits limits_ ABSL_GUARDED_BY(mutex_);  // of those that are kept
  std::chrono::steady_clock::time_point refill_at_ ABSL_GUARDED_BY(mutex_);
  bool joins_slowly_ ABSL_GUARDED_BY(mutex_) = true;  // those that are kept, where any was made
  bool is_wanted_ ABSL_GUARDED_BY(mutex_) = false;
  bool is_ending_ ABSL_GUARDED_BY(mutex_) = false;
  std::deque<std::unique_ptr<BlankSandbox>> ready_ ABSL_GUARDED_BY(mutex_);

  std::thread thread_;  // last: it uses all of this
};

}  // namespace triarch

#endif  // TRIARCH_WORKER_SANDBOX_SANDBOX_STOCK_H_
