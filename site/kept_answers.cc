#include "site/kept_answers.h"

#include <utility>

namespace triarch::site {
namespace {

// An answer that took less is computed again at once.
constexpr std::chrono::milliseconds kLong{100};

}  // namespace

std::optional<KeptAnswers::Answer> KeptAnswers::Find(const std::string& request,
                                                     const std::string& tag, bool goes_on,
                                                     Clock::time_point now) const {
  MutexLock lock(&mutex_);
  const auto found = kept_.find(request);
  if (found == kept_.end()) return std::nullopt;
  const Kept& kept = found->second;
  if (kept.answer.tag != tag && !(goes_on && now < kept.good_until)) return std::nullopt;
  return kept.answer;
}

void KeptAnswers::Keep(const std::string& request, Answer answer, Clock::time_point began,
                       Clock::time_point now) {
  MutexLock lock(&mutex_);
  const size_t bytes = answer.body->size();
  if (const auto old = kept_.find(request); old != kept_.end()) {
    bytes_ -= old->second.answer.body->size();
    kept_.erase(old);
  }
  if (bytes_ + bytes > bytes_max_) {
    kept_.clear();
    bytes_ = 0;
  }
  bytes_ += bytes;
  const Clock::duration took = now - began;
  kept_[request] = {.answer = std::move(answer), .good_until = took < kLong ? now : now + 4 * took};
}

}  // namespace triarch::site
