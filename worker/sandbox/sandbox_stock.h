// Keeps a stock of started sandboxes, so that bots start quickly.

#ifndef TRIARCH_WORKER_SANDBOX_SANDBOX_STOCK_H_
#define TRIARCH_WORKER_SANDBOX_SANDBOX_STOCK_H_

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/base/mutex.h"
#include "worker/sandbox/cgroup.h"
#include "worker/sandbox/sandbox_fd.h"
#include "worker/sandbox/sandbox_spawn.h"
#include "worker/sandbox/sandbox_view.h"

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

// A folder with its identity: another folder may take its path.
struct SandboxFolder {
  SandboxView view;
  dev_t device = 0;
  ino_t inode = 0;

  static SandboxFolder Of(const SandboxView& view);
  friend bool operator==(const SandboxFolder&, const SandboxFolder&) = default;
};

// A bubblewrap process in its control group and under its own user and limits. It waits for its
// options or, once they are sent, sets up the sandbox, whose shell then waits for its script.
// Joining a version 2 group can take the kernel 10 ms, and setting up takes a few.
struct ReadySandbox {
  ProcessLimits limits;
  std::optional<SandboxFolder> shows;  // set if the options are sent
  std::unique_ptr<Cgroup> group;       // null if none can be created
  Child process = {};
  Fd script;  // for writing; see SandboxFd
  Fd options;
  Fd status;  // for reading
  // The bot's pipes.
  Fd input;
  Fd output;
  Fd errors;

  ReadySandbox() = default;
  ReadySandbox(const ReadySandbox&) = delete;
  ~ReadySandbox();  // kills the process unless it was used

  // Sends bubblewrap its options. Requires: not yet done.
  absl::Status SetUp(const SandboxFolder& folder);
};

// Creates processes, and keeps a few sandboxes ready: blank ones for any bot, and one set up for
// each of the folders used last, because bots are started again and again. A single thread that
// lives as long as this object creates all of them, because they are killed when their creating
// thread ends.
class SandboxStock {
 public:
  static SandboxStock& Get();
  ~SandboxStock();

  // Starts any process.
  absl::StatusOr<Child> Spawn(const SpawnPlan& plan);
  // Returns a sandbox that is set up for the folder or blank. `is_lasting` means that the folder
  // may be shown again at this path, unlike at a path from Show.
  absl::StatusOr<std::unique_ptr<ReadySandbox>> Take(const ProcessLimits& limits,
                                                     const SandboxFolder& folder, bool is_lasting);

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
  // Removes a live sandbox from the stock, one set up for the folder or, without one, a blank one.
  // Returns null if there is none.
  std::unique_ptr<ReadySandbox> Find(const std::optional<SandboxFolder>& shows)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Remember(const SandboxFolder& folder) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  size_t CountBlank() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Returns a folder used last for which no sandbox is set up.
  std::optional<SandboxFolder> FolderToSetUp() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool IsToRefill() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void WaitForWork() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Refill() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::StatusOr<std::unique_ptr<ReadySandbox>> Make(const ProcessLimits& limits);
  absl::Status SpawnInto(ReadySandbox* blank);
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
  std::deque<std::unique_ptr<ReadySandbox>> ready_ ABSL_GUARDED_BY(mutex_);
  std::deque<SandboxFolder> recent_ ABSL_GUARDED_BY(mutex_);  // folders used last, the last first

  std::thread thread_;  // declared last, because it uses all other members
};

}  // namespace triarch

#endif  // TRIARCH_WORKER_SANDBOX_SANDBOX_STOCK_H_
