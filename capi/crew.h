// Divides work among threads that wait between calls.

#ifndef TRIARCH_CAPI_CREW_H_
#define TRIARCH_CAPI_CREW_H_

#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

#include "absl/functional/function_ref.h"
#include "core/base/mutex.h"

namespace triarch::capi {

class Crew {
 public:
  // Throws std::system_error if the threads cannot be started. Requires: `size` is at least 1.
  explicit Crew(size_t size);
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  size_t size() const { return threads_.size() + 1; }
  // Calls work(0) to work(size() - 1), each on another thread, the first on the caller's. Returns
  // when all have returned.
  void Run(absl::FunctionRef<void(size_t)> work);

 private:
  void Serve(size_t number);
  void Stop();

  Mutex mutex_;
  CondVar changed_;
  const absl::FunctionRef<void(size_t)>* work_ ABSL_GUARDED_BY(mutex_) = nullptr;
  uint64_t round_ ABSL_GUARDED_BY(mutex_) = 0;  // grows with each Run
  size_t busy_ ABSL_GUARDED_BY(mutex_) = 0;
  bool is_stopped_ ABSL_GUARDED_BY(mutex_) = false;
  std::vector<std::thread> threads_;
};

}  // namespace triarch::capi

#endif  // TRIARCH_CAPI_CREW_H_
