#include "arena/api/long_polls.h"

#include <utility>
#include <vector>

namespace triarch::arena {

void LongPolls::Wait(const std::string& table, Exchange exchange, int64_t until_ms, int64_t now_ms,
                     Answer answer) {
  if (answer(has_ended_ || until_ms <= now_ms)) return;
  polls_[table].push_back({std::move(exchange), until_ms, std::move(answer)});
  ++size_;
}

void LongPolls::Sweep(const std::string& table, const std::function<bool(const Poll&)>& is_done) {
  const auto found = polls_.find(table);
  if (found == polls_.end()) return;
  // Away from the map, because answers may add to it.
  std::list<Poll> polls = std::exchange(found->second, {});
  const size_t removed =
      polls.remove_if([&](const Poll& poll) { return poll.exchange->is_gone() || is_done(poll); });
  size_ -= removed;
  std::list<Poll>& kept = polls_[table];
  kept.splice(kept.begin(), polls);
  if (kept.empty()) polls_.erase(table);
}

void LongPolls::SweepAll(const std::function<bool(const Poll&)>& is_done) {
  std::vector<std::string> tables;
  for (const auto& [table, polls] : polls_) tables.push_back(table);
  for (const std::string& table : tables) Sweep(table, is_done);
}

void LongPolls::Changed(const std::string& table) {
  Sweep(table, [](const Poll& poll) { return poll.answer(false); });
}

void LongPolls::Tick(int64_t now_ms) {
  SweepAll([now_ms](const Poll& poll) { return poll.until_ms <= now_ms && poll.answer(true); });
}

void LongPolls::End() {
  has_ended_ = true;
  SweepAll([](const Poll& poll) { return poll.answer(true); });
}

}  // namespace triarch::arena
