// Runs code that may crash or hang in a child process.

#ifndef TRIARCH_WORKER_HOST_FORKED_CALL_H_
#define TRIARCH_WORKER_HOST_FORKED_CALL_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <new>
#include <string>
#include <string_view>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"

namespace triarch {

// How a child process ended.
struct ForkedEnd {
  bool is_done = false;  // the code returned
  std::string how = {};  // otherwise: "crashed with signal 11 (segmentation fault)"
};

// Sends a line, without line breaks and other than "done", to the parent process.
using SendLine = std::function<void(std::string_view)>;

// When to kill a child.
struct ForkedLimits {
  std::chrono::milliseconds patience{0};           // longest time without progress
  std::function<bool()> is_interrupted = nullptr;  // may be null
};

// Forks, runs `work` in the child and calls `on_line` here for each line that it sends. Kills the
// child when `progress()` has not changed for too long, or on an interrupt. Fails if the system
// allows no process. Requires: no other thread of this process holds a lock that `work` needs.
absl::StatusOr<ForkedEnd> RunForked(absl::FunctionRef<void(const SendLine&)> work,
                                    absl::FunctionRef<void(std::string_view)> on_line,
                                    absl::FunctionRef<uint64_t()> progress,
                                    const ForkedLimits& limits);

// Maps memory that this process shares with its later children.
void* MapShared(size_t bytes);
void UnmapShared(void* memory, size_t bytes);

// An object in such memory, such as a struct of atomics.
template <class T>
class SharedWithChildren {
 public:
  SharedWithChildren() : value_(new (MapShared(sizeof(T))) T()) {}
  ~SharedWithChildren() { UnmapShared(value_, sizeof(T)); }
  SharedWithChildren(const SharedWithChildren&) = delete;
  SharedWithChildren& operator=(const SharedWithChildren&) = delete;

  T& operator*() const { return *value_; }
  T* operator->() const { return value_; }

 private:
  T* const value_;
};

}  // namespace triarch

#endif  // TRIARCH_WORKER_HOST_FORKED_CALL_H_
