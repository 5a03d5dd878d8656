#include "coordinator/leases/pacing.h"

#include <algorithm>
#include <cmath>

namespace triarch {
namespace {

// A worker without a lease for this long counts as idle.
constexpr std::chrono::seconds kPause{1};
// A lease is at most this many times as large as the worker's last one.
constexpr double kGrowth = 4;
// Games are not stolen from a lease with less time left than this.
constexpr double kTrifleSeconds = 1;

}  // namespace

int64_t Pacing::SizeFor(const Worker& worker, int64_t tournament, const TournamentNeeds& needs,
                        Time now) {
  const auto pace = worker.paces.find(tournament);
  double size = static_cast<double>(rules_.games_first * worker.info.slots);
  if (pace != worker.paces.end() && !pace->second.rate.per_second()) {
    const bool is_played = pace->second.games >= pace->second.size;
    // Fast bots play small leases before their rate can be measured.
    if (is_played) size = std::max(size, 2 * static_cast<double>(pace->second.size));
  } else if (pace != worker.paces.end()) {
    // The first rates are rough, so leases grow step by step.
    const std::chrono::duration<double> target =
        needs.is_selfplay ? rules_.selfplay_target : rules_.target;
    size = std::min(*pace->second.rate.per_second() * target.count(),
                    kGrowth * std::max(size, static_cast<double>(pace->second.size)));
  }
  // At most half of the worker's share of the rest, so that leases shrink together towards the end.
  const double share = workers_.ShareOf(worker, tournament, needs, now);
  const double tail =
      std::ceil(static_cast<double>(table_.ledger(tournament).available()) * share / 2);
  size = std::min(size, tail);
  const int64_t games_max = worker.games_recorded == 0
                                ? std::min(rules_.games_unproven_max, rules_.games_max)
                                : rules_.games_max;
  return std::clamp(static_cast<int64_t>(size), std::min(worker.info.slots, games_max), games_max);
}

WorkerBook::Pace& Pacing::Begin(Worker& worker, int64_t tournament, Time now) const {
  const LeaseTable::Tokens& tokens = table_.TokensOf(worker.info.id);
  const bool is_playing = std::any_of(tokens.begin(), tokens.end(), [&](uint64_t token) {
    return table_.leases().at(token).lease.tournament == tournament;
  });
  WorkerBook::Pace& pace = worker.paces[tournament];
  // Small leases follow each other closely; only a pause restarts the measurement.
  if (!is_playing && now - pace.last > kPause) pace.rate.Start(now);
  pace.last = now;
  return pace;
}

double Pacing::SlotSeconds(const Worker& worker) const {
  return std::chrono::duration<double>(rules_.target).count() *
         static_cast<double>(worker.info.slots);
}

std::optional<double> Pacing::SecondsLeft(const LiveLease& lease) const {
  const Worker* const worker = workers_.FindName(lease.worker.name);
  if (worker == nullptr) return std::nullopt;
  const auto pace = worker->paces.find(lease.lease.tournament);
  if (pace == worker->paces.end()) return std::nullopt;
  const std::optional<double> rate = pace->second.rate.per_second();
  if (!rate) return std::nullopt;
  return static_cast<double>(lease.remaining.size()) / std::max(*rate, 1e-9);
}

// Games that the lease's worker has not begun may move to another worker. Games in play are played
// a second time only if they take suspiciously long.
bool Pacing::IsWorthStealing(const LiveLease& lease, Time now) const {
  if (lease.shared_with != 0 || lease.is_stalled || lease.audit != 0) return false;
  if (SecondsLeft(lease).value_or(kTrifleSeconds + 1) <= kTrifleSeconds) return false;
  const Worker* const worker = workers_.FindName(lease.worker.name);
  const int64_t slots = worker == nullptr ? 0 : worker->info.slots;
  return lease.remaining.size() > slots || now - lease.granted > 2 * rules_.target;
}

const LiveLease* Pacing::LongestToSteal(absl::FunctionRef<bool(const LiveLease&)> may_take,
                                        Time now) const {
  const LiveLease* longest = nullptr;
  double longest_seconds = 0;
  for (const auto& [token, lease] : table_.leases()) {
    if (!may_take(lease) || !IsWorthStealing(lease, now)) continue;
    const double seconds = SecondsLeft(lease).value_or(1e9);
    if (longest != nullptr && seconds <= longest_seconds) continue;
    longest = &lease;
    longest_seconds = seconds;
  }
  return longest;
}

}  // namespace triarch
