// Keeps a stock of started sandboxes, so that bots start quickly.

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

// Limits of one bot process and everything it starts.
struct ProcessLimits {
  int64_t memory_bytes = int64_t{1} << 30;
  int64_t processes = 64;  // including threads
  int64_t open_files = 256;
  int64_t file_bytes = int64_t{64} << 20;  // per file
  int64_t tmp_bytes = int64_t{64} << 20;   // in /tmp, which is also /dev/shm

  friend bool operator==(const ProcessLimits&, const ProcessLimits&) = default;
};

// A bubblewrap process that waits for its options, already in its control group and under its own
// user and limits. Starting a bot in it is fast, whereas joining a version 2 group can take the
// kernel 10 ms.
struct BlankSandbox {
  ProcessLimits limits;
  std::unique_ptr<Cgroup> group;  // null if none can be created
  Child process = {};
  Fd script;  // for writing; see SandboxFd
  Fd options;
  Fd status;  // for reading
  // The bot's pipes.
  Fd input;
  Fd output;
  Fd errors;

  BlankSandbox() = default;
  BlankSandbox(const BlankSandbox&) = delete;
  ~BlankSandbox();  // kills the process unless it was used
};

// Creates processes, and keeps a few blank sandboxes ready. A single thread that lives as long as
// this object creates all of them, because they are killed when their creating thread ends.
class SandboxStock {
 public:
  static SandboxStock& Get();
  ~SandboxStock();

  // Starts any process.
  absl::StatusOr<Child> Spawn(const SpawnPlan& plan);
  absl::StatusOr<std::unique_ptr<BlankSandbox>> Take(const ProcessLimits& limits);

  // Returns another path to the folder, one that every user can reach, for sandboxes created by
  // root. Fails with PermissionDenied if root may not mount here. Call Hide after the bot has
  // ended.
  absl::StatusOr<std::string> Show(const std::string& dir);
  void Hide(const std::string& path);

 private:
  SandboxStock();

  void Run();
  // Runs `work` on the thread and waits for it to finish.
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

  // Used only by the thread.
  uint32_t uids_used_ = 0;
  bool has_own_mounts_ = false;
  std::string mounts_;  // folder of Show's mounts; empty until created
  int64_t mounts_made_ = 0;

  Mutex mutex_;
  CondVar changed_;
  std::deque<const std::function<void()>*> work_ ABSL_GUARDED_BY(mutex_);
  ProcessLimits limits_ ABSL_GUARDED_BY(mutex_);  // limits of the sandboxes in stock
  std::chrono::steady_clock::time_point refill_at_ ABSL_GUARDED_BY(mutex_);
  bool joins_slowly_ ABSL_GUARDED_BY(mutex_) = true;  // whether the last sandbox joined its group
                                                      // slowly
  bool is_wanted_ ABSL_GUARDED_BY(mutex_) = false;
  bool is_ending_ ABSL_GUARDED_BY(mutex_) = false;
  std::deque<std::unique_ptr<BlankSandbox>> ready_ ABSL_GUARDED_BY(mutex_);

  std::thread thread_;  // declared last, because it uses all other members
};

}  // namespace triarch

#endif  // TRIARCH_WORKER_SANDBOX_SANDBOX_STOCK_H_
