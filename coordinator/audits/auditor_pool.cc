#include "coordinator/audits/auditor_pool.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace triarch {
namespace {

// After so many members that may not be drawn, all are looked at.
constexpr int kTries = 300;

}  // namespace

void AuditorPool::NoteAlive(const Auditor& auditor, Time now) {
  const auto [entry, is_new] = index_.try_emplace(auditor.worker, members_.size());
  if (is_new) {
    members_.push_back({.auditor = auditor, .last_seen = now, .deadline = now});
    return;
  }
  Member& member = members_[entry->second];
  member.last_seen = now;
  member.auditor.owner = auditor.owner;
  member.auditor.is_audited = auditor.is_audited;
}

std::vector<int64_t> AuditorPool::Remove(const std::string& worker) {
  const auto entry = index_.find(worker);
  if (entry == index_.end()) return {};
  Member& member = members_[entry->second];
  std::vector<int64_t> audits(member.waiting.begin(), member.waiting.end());
  if (&member != &members_.back()) {
    member = std::move(members_.back());
    index_[member.auditor.worker] = entry->second;
  }
  members_.pop_back();
  index_.erase(entry);
  return audits;
}

std::vector<int64_t> AuditorPool::Expire(MayPlay may_play, Time now) {
  std::vector<int64_t> audits;
  std::vector<std::string> silent;
  for (Member& member : members_) {
    const bool is_silent = now - member.last_seen > take_within_;
    if (is_silent) silent.push_back(member.auditor.worker);
    const bool is_late = is_silent || now > member.deadline;
    std::erase_if(member.waiting, [&](int64_t audit) {
      if (!is_late && may_play(member.auditor.worker, audit)) return false;
      audits.push_back(audit);
      return true;
    });
  }
  for (const std::string& worker : silent) Remove(worker);
  return audits;
}

const Auditor* AuditorPool::Draw(Random random, absl::FunctionRef<double(const Auditor&)> weight_of,
                                 absl::FunctionRef<bool(const Auditor&)> may_draw) const {
  for (int i = 0; i < kTries && !members_.empty(); ++i) {
    const auto index = random.Below(static_cast<uint32_t>(members_.size()));
    const Auditor& auditor = members_[index].auditor;
    if (random.Unit() < weight_of(auditor) && may_draw(auditor)) return &auditor;
  }
  // The least of exponential variates with these rates falls to each in proportion to its rate.
  const Auditor* drawn = nullptr;
  double least = std::numeric_limits<double>::infinity();
  for (const Member& member : members_) {
    if (!may_draw(member.auditor)) continue;
    const double variate = -std::log1p(-random.Unit()) / weight_of(member.auditor);
    if (drawn != nullptr && variate >= least) continue;
    drawn = &member.auditor;
    least = variate;
  }
  return drawn;
}

void AuditorPool::Assign(const std::string& worker, int64_t audit, Time now) {
  Member& member = members_[index_.at(worker)];
  if (member.waiting.empty()) member.deadline = now + take_within_;
  member.waiting.push_back(audit);
}

std::optional<int64_t> AuditorPool::Next(const std::string& worker, Time now) {
  const auto entry = index_.find(worker);
  if (entry == index_.end()) return std::nullopt;
  Member& member = members_[entry->second];
  if (member.waiting.empty()) return std::nullopt;
  const int64_t audit = member.waiting.front();
  member.waiting.pop_front();
  member.deadline = now + take_within_;
  return audit;
}

}  // namespace triarch
