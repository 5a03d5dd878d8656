// Keeps a stock of sandboxes that are set up, so that bots start quickly.

#ifndef TRIARCH_WORKER_SANDBOX_SANDBOX_STOCK_H_
#define TRIARCH_WORKER_SANDBOX_SANDBOX_STOCK_H_

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

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

// A sandbox without a bot and its folder: a bubblewrap process in its control group and under its
// own user and limits, and the sandbox's shell, which waits for its script. Joining a version 2
// group can take the kernel 10 ms, and bubblewrap's some 60 mounts take a few.
struct BlankSandbox {
  ProcessLimits limits;
  std::chrono::steady_clock::time_point made_at;
  std::unique_ptr<Cgroup> group;  // null if none can be created
  std::optional<uid_t> user;      // if it is not this process's
  Child process = {};
  Fd script;  // for writing; see SandboxFd
  Fd status;  // for reading
  // The bot's pipes.
  Fd input;
  Fd output;
  Fd errors;

  BlankSandbox() = default;
  BlankSandbox(const BlankSandbox&) = delete;
  ~BlankSandbox();  // ends and reaps the processes unless it was used; may wait
};

// Creates processes, and keeps a few blank sandboxes ready. A single thread that lives as long as
// this object creates all of them, because they are killed when their creating thread ends.
class SandboxStock {
 public:
  static SandboxStock& Get();

  // Sandboxes are replaced after `lifetime`, because what they show (ld.so.cache) may change
  // outside, and because the numbers of their users are given again after some 1000 bots.
  explicit SandboxStock(std::chrono::milliseconds lifetime = std::chrono::minutes(1));
  SandboxStock(const SandboxStock&) = delete;
  ~SandboxStock();

  // Starts any process.
  absl::StatusOr<Child> Spawn(const SpawnPlan& plan);
  // Returns a sandbox from the stock or, if there is none with these limits, a new one, which is
  // still being set up.
  absl::StatusOr<std::unique_ptr<BlankSandbox>> Take(const ProcessLimits& limits);

  // Returns how many sandboxes of the stock were taken.
  int64_t taken() const;
  // Returns how many are in stock; they may still be being set up.
  size_t ready() const;
  static constexpr size_t kFull = 3;  // a game has three seats

 private:
  using Clock = std::chrono::steady_clock;

  void Run();
  // Runs `work` on the thread and waits for it to finish.
  void Do(const std::function<void()>& work);
  bool IsToRefill() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Removes the oldest sandbox from the stock without waiting for its end.
  void DiscardOldest() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void DiscardExpired() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void WaitForWork() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Refill() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::StatusOr<std::unique_ptr<BlankSandbox>> Make(const ProcessLimits& limits);
  absl::Status SpawnInto(BlankSandbox* blank);

  const std::chrono::milliseconds lifetime_;
  const CgroupRoots roots_;
  const std::string bwrap_;
  const absl::StatusOr<std::string> filter_;
  uint32_t users_ = 0;  // given so far; used only by the thread

  mutable Mutex mutex_;
  CondVar changed_;
  std::deque<const std::function<void()>*> work_ ABSL_GUARDED_BY(mutex_);
  ProcessLimits limits_ ABSL_GUARDED_BY(mutex_);  // limits of the sandboxes in stock
  Clock::time_point refill_at_ ABSL_GUARDED_BY(mutex_);
  bool joins_slowly_ ABSL_GUARDED_BY(mutex_) = true;  // whether the last sandbox joined its group
                                                      // slowly
  bool is_wanted_ ABSL_GUARDED_BY(mutex_) = false;
  bool is_ending_ ABSL_GUARDED_BY(mutex_) = false;
  int64_t taken_ ABSL_GUARDED_BY(mutex_) = 0;
  std::deque<std::unique_ptr<BlankSandbox>> ready_ ABSL_GUARDED_BY(mutex_);  // the oldest first
  // Destroyed by the thread without the lock, because that may wait.
  std::vector<std::unique_ptr<BlankSandbox>> discarded_ ABSL_GUARDED_BY(mutex_);

  std::thread thread_;  // declared last, because it uses all other members
};

}  // namespace triarch

#endif  // TRIARCH_WORKER_SANDBOX_SANDBOX_STOCK_H_
