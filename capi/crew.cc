#include "capi/crew.h"

namespace triarch::capi {

Crew::Crew(size_t size) {
  threads_.reserve(size - 1);
#ifdef __cpp_exceptions
  try {
    for (size_t i = 1; i < size; ++i) threads_.emplace_back([this, i] { Serve(i); });
  } catch (...) {
    Stop();
    throw;
  }
#else
  for (size_t i = 1; i < size; ++i) threads_.emplace_back([this, i] { Serve(i); });
#endif
}

Crew::~Crew() { Stop(); }

void Crew::Stop() {
  {
    const MutexLock lock(&mutex_);
    is_stopped_ = true;
  }
  changed_.NotifyAll();
  for (std::thread& thread : threads_) thread.join();
}

void Crew::Run(absl::FunctionRef<void(size_t)> work) {
  if (threads_.empty()) {
    work(0);
    return;
  }
  {
    const MutexLock lock(&mutex_);
    work_ = &work;
    busy_ = threads_.size();
    ++round_;
  }
  changed_.NotifyAll();
  work(0);
  const MutexLock lock(&mutex_);
  while (busy_ > 0) changed_.Wait(&mutex_);
}

void Crew::Serve(size_t number) {
  uint64_t seen = 0;
  while (true) {
    const absl::FunctionRef<void(size_t)>* work = nullptr;
    {
      const MutexLock lock(&mutex_);
      while (!is_stopped_ && round_ == seen) changed_.Wait(&mutex_);
      if (is_stopped_) return;
      seen = round_;
      work = work_;
    }
    (*work)(number);
    bool is_last = false;
    {
      const MutexLock lock(&mutex_);
      is_last = --busy_ == 0;
    }
    if (is_last) changed_.NotifyAll();
  }
}

}  // namespace triarch::capi
