#include "coordinator/leases/turns.h"

#include <algorithm>
#include <tuple>

#include "core/base/check.h"

namespace triarch {

void Turns::Remove(int64_t id) {
  const auto found = entries_.find(id);
  if (found == entries_.end()) return;
  const Entry gone = found->second;
  entries_.erase(found);
  const auto is_peer = [&](const auto& entry) {
    return entry.second.precedence.priority == gone.precedence.priority;
  };
  const auto peers = std::count_if(entries_.begin(), entries_.end(), is_peer);
  for (auto& entry : entries_) {
    if (is_peer(entry)) entry.second.owed += gone.owed / static_cast<double>(peers);
  }
}

void Turns::Set(int64_t id, const Precedence& precedence) {
  if (entries_.at(id).precedence.priority != precedence.priority) {
    Remove(id);
    Add(id, precedence);
  }
  entries_.at(id).precedence = precedence;
}

void Turns::ForgetHeld() {
  for (auto& entry : entries_) entry.second.held = 0;
}

std::vector<int64_t> Turns::First(std::span<const int64_t> candidates) const {
  std::vector<int64_t> first;
  for (const int64_t id : candidates) {
    const int64_t priority = entries_.at(id).precedence.priority;
    const int64_t best = first.empty() ? priority : entries_.at(first[0]).precedence.priority;
    if (priority > best) first.clear();
    if (priority >= best) first.push_back(id);
  }
  return first;
}

int64_t Turns::SharesOf(std::span<const int64_t> ids) const {
  int64_t shares = 0;
  for (const int64_t id : ids) shares += entries_.at(id).precedence.share;
  return shares;
}

int64_t Turns::Next(std::span<const int64_t> candidates) const {
  CHECK(!candidates.empty());
  const std::vector<int64_t> first = First(candidates);
  double held = 0;
  for (const int64_t id : first) held += entries_.at(id).held;
  const double held_per_share = held / static_cast<double>(SharesOf(first));
  const auto rank = [&](int64_t id) {
    const Entry& entry = entries_.at(id);
    const int64_t share = entry.precedence.share;
    const double part = held_per_share * static_cast<double>(share);
    return std::make_tuple(entry.owed + part - entry.held, share, -id);
  };
  return *std::max_element(first.begin(), first.end(),
                           [&](int64_t a, int64_t b) { return rank(a) < rank(b); });
}

void Turns::Charge(int64_t id, std::span<const int64_t> candidates, double seconds) {
  const int64_t priority = entries_.at(id).precedence.priority;
  std::vector<int64_t> peers;
  for (const int64_t one : candidates) {
    if (entries_.at(one).precedence.priority == priority) peers.push_back(one);
  }
  if (peers.size() < 2) return;
  const double per_share = seconds / static_cast<double>(SharesOf(peers));
  for (const int64_t one : peers) {
    Entry& entry = entries_.at(one);
    entry.owed += per_share * static_cast<double>(entry.precedence.share);
  }
  entries_.at(id).owed -= seconds;
}

}  // namespace triarch
