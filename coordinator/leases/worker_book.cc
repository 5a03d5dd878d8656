#include "coordinator/leases/worker_book.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_format.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"

namespace triarch {
namespace {

constexpr std::chrono::hours kForgetAfter{1};
// More workers than these are counted again only when the last count is this old.
constexpr size_t kCountedWorkersMax = 100;
constexpr std::chrono::seconds kFleetAgeMax{1};

bool HasRefused(const WorkerBook::Worker& worker, int64_t tournament, WorkerBook::Time now) {
  const auto refusal = worker.refusals.find(tournament);
  return refusal != worker.refusals.end() && now < refusal->second.until;
}

// Returns what the worker lacks for the tournament, or "" if it lacks nothing.
std::string LackOf(const WorkerBook::Worker& worker, const TournamentNeeds& needs) {
  const auto& games = worker.info.games;
  if (std::find(games.begin(), games.end(), needs.game) == games.end()) {
    return "it does not know the game " + needs.game;
  }
  for (const std::string& type : needs.bots) {
    const auto has = [&](const auto& is_right) {
      return std::any_of(
          worker.info.bots.begin(), worker.info.bots.end(),
          [&](const HostedBot& bot) { return bot.type == type && is_right(bot.digest); });
    };
    const auto digest = needs.digests.find(type);
    if (!has([](const std::string&) { return true; })) return "it has no bot " + type;
    if (digest == needs.digests.end()) continue;
    if (has([&](const std::string& own) { return own == digest->second; })) continue;
    return "its build of the bot " + type + " differs from the tournament's";
  }
  return "";
}

std::optional<double> RateOf(const WorkerBook::Worker& worker, int64_t tournament) {
  const auto pace = worker.paces.find(tournament);
  return pace == worker.paces.end() ? std::nullopt : pace->second.rate.per_second();
}

}  // namespace

absl::Status NoSuchWorker(const std::string& name) {
  return absl::NotFoundError("there is no worker " + Quote(name, 200) +
                             "; `triarch list` shows all workers");
}

absl::Status WorkerBook::CheckNotQuarantined(const std::string& name) const {
  const auto why = quarantine_.find(name);
  if (why == quarantine_.end()) return absl::OkStatus();
  return absl::PermissionDeniedError("worker " + Quote(name, 200) +
                                     " is quarantined: " + why->second.why);
}

absl::StatusOr<std::optional<WorkerId>> WorkerBook::Register(const WorkerInfo& worker, Time now,
                                                             const WorkerOwner& owner) {
  RETURN_IF_ERROR(CheckNotQuarantined(worker.id.name));
  std::optional<WorkerId> replaced;
  const auto found = workers_.find(worker.id.name);
  if (found != workers_.end() && found->second.info.id != worker.id) {
    if (IsAlive(found->second, now)) {
      return absl::AlreadyExistsError("another worker named " + Quote(worker.id.name, 200) +
                                      " is running, or was until a moment ago; wait, or give this "
                                      "one another name");
    }
    replaced = found->second.info.id;
    Erase(found);
  }
  if (!workers_.contains(worker.id.name)) {
    int64_t& count = counts_[owner.name];
    if (count >= owner.workers_max) {
      return absl::ResourceExhaustedError(
          absl::StrFormat("the owner %s may register %d workers, including quarantined ones "
                          "(`workers=` in the token file)",
                          owner.name, owner.workers_max));
    }
    ++count;
    workers_[worker.id.name].owner = owner.name;
  }
  Worker& entry = workers_[worker.id.name];
  entry.info = worker;
  entry.audits = owner.audits;
  entry.last_seen = now;
  return replaced;
}

void WorkerBook::Erase(std::map<std::string, Worker>::iterator worker) {
  // Otherwise the holder of one token could fill the memory with quarantined names.
  const auto quarantined = quarantine_.find(worker->first);
  if (quarantined != quarantine_.end()) {
    quarantined->second.owner = worker->second.owner;
  } else {
    Uncount(worker->second.owner);
  }
  workers_.erase(worker);
}

void WorkerBook::Uncount(const std::string& owner) {
  const auto count = counts_.find(owner);
  if (--count->second == 0) counts_.erase(count);
}

absl::StatusOr<WorkerBook::Worker*> WorkerBook::Find(const WorkerId& worker) {
  RETURN_IF_ERROR(CheckNotQuarantined(worker.name));
  if (Worker* const found = FindInstance(worker)) return found;
  return absl::NotFoundError("worker " + Quote(worker.name, 200) + " is not registered here");
}

WorkerBook::Worker* WorkerBook::FindInstance(const WorkerId& worker) {
  const auto found = workers_.find(worker.name);
  return found != workers_.end() && found->second.info.id == worker ? &found->second : nullptr;
}

const WorkerBook::Worker* WorkerBook::FindInstance(const WorkerId& worker) const {
  const Worker* const found = FindName(worker.name);
  return found != nullptr && found->info.id == worker ? found : nullptr;
}

const WorkerBook::Worker* WorkerBook::FindName(const std::string& name) const {
  const auto found = workers_.find(name);
  return found == workers_.end() ? nullptr : &found->second;
}

WorkerInfo WorkerBook::InfoOf(const std::string& name) const {
  if (const Worker* const found = FindName(name)) return found->info;
  WorkerInfo unknown;
  unknown.id.name = name;
  return unknown;
}

void WorkerBook::Remove(const WorkerId& worker) {
  if (FindInstance(worker) != nullptr) Erase(workers_.find(worker.name));
}

absl::Status WorkerBook::Unquarantine(const std::string& name) {
  const auto worker = workers_.find(name);
  const auto quarantined = quarantine_.find(name);
  if (quarantined == quarantine_.end()) {
    if (worker == workers_.end()) return NoSuchWorker(name);
    return absl::FailedPreconditionError("worker " + Quote(name, 200) + " is not quarantined");
  }
  if (!quarantined->second.owner.empty()) Uncount(quarantined->second.owner);
  quarantine_.erase(quarantined);
  rejections_.erase(name);
  if (worker != workers_.end()) worker->second.stalls = 0;
  return absl::OkStatus();
}

bool WorkerBook::CountRejection(const std::string& name, const std::string& why, Time now) {
  Rejections& rejections = rejections_[name];
  ++rejections.count;
  rejections.last = now;
  if (rejections.count < rules_.rejections_max) return false;
  Quarantine(name, why);
  return true;
}

bool WorkerBook::CountStall(const WorkerId& worker) {
  Worker* const found = FindInstance(worker);
  if (found == nullptr || found->games_recorded > 0) return false;
  if (++found->stalls < rules_.stalls_max) return false;
  Quarantine(worker.name, "it kept games and played none of them");
  return true;
}

void WorkerBook::Refuse(const WorkerId& worker, int64_t tournament, const std::string& why,
                        Time now) {
  if (Worker* const found = FindInstance(worker)) {
    found->refusals[tournament] = {.why = why, .until = now + rules_.refusal};
  }
}

bool WorkerBook::MayServe(const Worker& worker, int64_t tournament, const TournamentNeeds& needs,
                          Time now) {
  return !HasRefused(worker, tournament, now) && LackOf(worker, needs).empty();
}

std::vector<std::string> WorkerBook::RefusalsOf(int64_t tournament, const TournamentNeeds& needs,
                                                Time now) const {
  std::vector<std::string> refusals;
  for (const auto& [name, worker] : workers_) {
    if (!IsAlive(worker, now) || quarantine_.contains(name)) continue;
    if (MayServe(worker, tournament, needs, now)) return {};
    refusals.push_back(name + ": " +
                       (HasRefused(worker, tournament, now) ? worker.refusals.at(tournament).why
                                                            : LackOf(worker, needs)));
  }
  return refusals;
}

WorkerBook::Fleet WorkerBook::CountFleet(int64_t tournament, const TournamentNeeds& needs,
                                         Time now) const {
  Fleet fleet{.counted_at = now};
  for (const auto& [name, worker] : workers_) {
    if (!IsAlive(worker, now) || !MayServe(worker, tournament, needs, now)) continue;
    ++fleet.workers;
    if (const auto rate = RateOf(worker, tournament)) {
      fleet.rate += *rate;
      ++fleet.rated;
    }
  }
  return fleet;
}

double WorkerBook::ShareOf(const Worker& worker, int64_t tournament, const TournamentNeeds& needs,
                           Time now) {
  // To count thousands of workers for each lease would cost a coordinator more than all else.
  Fleet& fleet = fleets_[tournament];
  if (workers_.size() <= kCountedWorkersMax || now - fleet.counted_at >= kFleetAgeMax) {
    fleet = CountFleet(tournament, needs, now);
  }
  // A worker without a rate counts as an average one.
  const double mean = fleet.rated == 0 ? 1 : fleet.rate / static_cast<double>(fleet.rated);
  const double all = fleet.rate + mean * static_cast<double>(fleet.workers - fleet.rated);
  const double own = RateOf(worker, tournament).value_or(mean);
  return all <= 0 ? 1.0 / static_cast<double>(std::max<int64_t>(fleet.workers, 1)) : own / all;
}

void WorkerBook::Forget(Time now, CountLeases leases_of) {
  for (auto next = workers_.begin(); next != workers_.end();) {
    const auto worker = next++;
    const auto& [name, entry] = *worker;
    const bool is_known = entry.games_recorded > 0 || IsAlive(entry, now);
    const bool is_due = !is_known || now - entry.last_seen > kForgetAfter;
    if (is_due && leases_of(entry.info.id) == 0) Erase(worker);
  }
  for (auto& [name, worker] : workers_) {
    std::erase_if(worker.refusals,
                  [&](const auto& refusal) { return refusal.second.until <= now; });
  }
  std::erase_if(rejections_, [&](const auto& rejections) {
    return now - rejections.second.last > kForgetAfter;
  });
}

void WorkerBook::ForgetPaces(int64_t tournament) {
  for (auto& [name, worker] : workers_) worker.paces.erase(tournament);
  fleets_.erase(tournament);
}

std::vector<WorkerView> WorkerBook::Views(Time now, CountLeases leases_of) const {
  std::vector<WorkerView> views;
  for (const auto& [name, entry] : workers_) {
    const auto why = quarantine_.find(name);
    const auto rejections = rejections_.find(name);
    views.push_back(
        {.info = entry.info,
         .owner = entry.owner,
         .is_alive = IsAlive(entry, now),
         .quarantine = why == quarantine_.end() ? "" : why->second.why,
         .busy_slots = entry.busy_slots,
         .games_held = entry.games_held,
         .leases = leases_of(entry.info.id),
         .games_recorded = entry.games_recorded,
         .rejections = rejections == rejections_.end() ? 0 : rejections->second.count,
         .cpu_seconds = entry.cpu_seconds,
         .last_seen = std::chrono::duration_cast<std::chrono::milliseconds>(now - entry.last_seen),
         .refusals = {}});
    for (const auto& [tournament, refusal] : entry.refusals) {
      views.back().refusals[tournament] = refusal.why;
    }
  }
  // A quarantined name is shown even long after its worker has left.
  for (const auto& [name, quarantined] : quarantine_) {
    if (workers_.contains(name)) continue;
    WorkerView view{};
    view.info.id.name = name;
    view.owner = quarantined.owner;
    view.quarantine = quarantined.why;
    views.push_back(std::move(view));
  }
  return views;
}

}  // namespace triarch
