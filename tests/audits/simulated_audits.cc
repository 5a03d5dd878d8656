#include "tests/audits/simulated_audits.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "coordinator/audits/audit_book.h"
#include "core/base/check.h"
#include "core/base/random.h"

namespace triarch::audits {
namespace {

constexpr int64_t kTournament = 2;
constexpr int64_t kWorkersOfOwner = 10;
constexpr int64_t kReports = 100;     // of each worker, or its games if they are fewer
constexpr int64_t kAuditsInStep = 4;  // that a worker plays at most
constexpr int64_t kStepsToSettle = 2000;
constexpr std::chrono::seconds kStep{10};
constexpr double kLost = 0.02;         // the share of audits whose leases end without an answer
constexpr double kFalseAudits = 0.1;   // of a lying auditor
constexpr int64_t kGamesOf = 1 << 20;  // indices of games for each worker

enum class Role { kHonest, kForger, kAccomplice, kLyingAuditor, kIdleName, kOwn };

struct Worker {
  Auditor auditor;
  Role role = Role::kHonest;
  bool is_out = false;
  int64_t reported = 0;  // games
  std::vector<Audit> taken = {};
};

struct Reported {
  int64_t worker;
  Range games;  // of the worker
};

class World {
 public:
  explicit World(const Setting& setting)
      : setting_(setting), random_(setting.seed), book_(setting.rules, "simulation") {
    const auto count = [&](double share) {
      return static_cast<int64_t>(share * static_cast<double>(setting.workers));
    };
    AddWorkers(Role::kForger, count(setting.forgers));
    AddWorkers(Role::kAccomplice, count(setting.accomplices));
    AddWorkers(Role::kLyingAuditor, count(setting.lying_auditors));
    AddWorkers(Role::kHonest, setting.workers - static_cast<int64_t>(workers_.size()));
    AddWorkers(Role::kIdleName, setting.idle_names);
    AddWorkers(Role::kOwn, setting.own_workers);
    if (!setting.is_trusted) return;
    AuditBook::PassCounts passes;
    for (const Worker& worker : workers_) {
      if (worker.role != Role::kIdleName) passes[{worker.auditor.worker, 1}] = 1000;
    }
    book_.Restore(passes);
  }

  Totals Run() {
    const int64_t size = std::max<int64_t>(1, setting_.games / kReports);
    for (int64_t played = 0; played < setting_.games; played += size) Step(size);
    book_.Settle(kTournament);
    int64_t steps = 0;
    for (; !held_.empty() && steps < kStepsToSettle; ++steps) {
      Step(0);
      if (steps % 6 == 0) book_.Settle(kTournament);
    }
    totals_.undecided = static_cast<int64_t>(held_.size());
    totals_.settled_seconds = static_cast<double>(steps * kStep.count());
    totals_.held_games = waited_ / static_cast<double>(std::max<int64_t>(1, honest_counted_));
    return totals_;
  }

 private:
  void AddWorkers(Role role, int64_t count) {
    // No owner has workers of two roles.
    const auto first = static_cast<int64_t>(workers_.size());
    for (int64_t i = 0; i < count; ++i) {
      const int64_t index = first + i;
      const int64_t owner = role == Role::kIdleName || role == Role::kOwn ? 0 : i / kWorkersOfOwner;
      const std::string name = "worker" + std::to_string(index);
      workers_.push_back({.auditor = {.worker = name,
                                      .owner = "owner" + std::to_string(static_cast<int>(role)) +
                                               "." + std::to_string(owner),
                                      .is_audited = role != Role::kOwn},
                          .role = role});
      index_[name] = index;
    }
  }

  bool IsForged(int64_t worker, int64_t game) const {
    if (workers_[static_cast<size_t>(worker)].role != Role::kForger) return false;
    const auto first = (1 - setting_.forged_part) * static_cast<double>(setting_.games);
    if (static_cast<double>(game) < first) return false;
    return Random(DeriveSeed(setting_.seed, static_cast<uint64_t>(worker * kGamesOf + game)))
               .Unit() < setting_.forging_rate;
  }
  int64_t CountForged(const Reported& report) const {
    int64_t count = 0;
    for (int64_t game = report.games.first; game < report.games.last; ++game) {
      count += IsForged(report.worker, game) ? 1 : 0;
    }
    return count;
  }

  // Lets every worker answer, report `games` games, and take audits.
  void Step(int64_t games) {
    now_ += kStep;
    for (size_t i = 0; i < workers_.size(); ++i) {
      Worker& worker = workers_[i];
      if (worker.is_out) continue;
      book_.NoteAlive(worker.auditor, now_);
      AnswerAll(worker);
      NoteResults();
      const bool is_reporter = worker.role != Role::kOwn && worker.role != Role::kIdleName;
      if (games > 0 && is_reporter) Hold(static_cast<int64_t>(i), games);
      for (int64_t n = 0; n < kAuditsInStep; ++n) Take(worker);
    }
    book_.Tick([](const std::string&, int64_t) { return true; }, now_);
    NoteResults();
  }

  void Hold(int64_t index, int64_t games) {
    Worker& worker = workers_[static_cast<size_t>(index)];
    const Reported reported{.worker = index, .games = {worker.reported, worker.reported + games}};
    worker.reported += games;
    HeldReport report{.id = ++last_report_,
                      .tournament = kTournament,
                      .worker = worker.auditor.worker,
                      .owner = worker.auditor.owner,
                      .audits = setting_.audits,
                      .games = std::vector<int64_t>(static_cast<size_t>(games))};
    std::iota(report.games.begin(), report.games.end(), index * kGamesOf + reported.games.first);
    book_.Hold(std::move(report));
    held_[last_report_] = reported;
    totals_.games += games;
    totals_.forged += CountForged(reported);
  }

  void Take(Worker& worker) {
    const auto audit = book_.Next(
        worker.auditor, [](int64_t) { return true; }, now_);
    if (audit) worker.taken.push_back(*audit);
  }

  void AnswerAll(Worker& worker) {
    for (const Audit& audit : std::exchange(worker.taken, {})) {
      if (random_.Unit() < kLost) {
        book_.GiveBack(audit.id, worker.auditor.worker);
        continue;
      }
      ++totals_.audit_games;
      const auto [reported, played] = AnswerOf(worker, audit);
      book_.Answer(audit.id, worker.auditor, reported, played, now_);
    }
  }

  // Returns the fingerprints that were reported and that the auditor answers.
  std::pair<std::string, std::string> AnswerOf(const Worker& auditor, const Audit& audit) {
    const bool is_forged = IsForged(audit.game / kGamesOf, audit.game % kGamesOf);
    const std::string reported = is_forged ? "forged" : "true";
    const bool confirms = auditor.role == Role::kAccomplice || auditor.role == Role::kIdleName ||
                          (auditor.role == Role::kForger && setting_.is_ring);
    if (confirms) return {reported, reported};
    const bool lies = auditor.role == Role::kLyingAuditor && random_.Unit() < kFalseAudits;
    return {reported, lies ? "lie of " + auditor.auditor.worker : "true"};
  }

  void NoteResults() {
    const AuditBook::Results results = book_.TakeResults();
    for (const int64_t id : results.confirmed) {
      const Reported report = std::move(held_.extract(id).mapped());
      totals_.forged_counted += CountForged(report);
      const Worker& worker = workers_[static_cast<size_t>(report.worker)];
      if (worker.role != Role::kHonest) continue;
      ++honest_counted_;
      waited_ += static_cast<double>(worker.reported - report.games.last);
    }
    for (const Lie& lie : results.lies) {
      for (const int64_t id : lie.reports) CHECK(held_.erase(id) == 1);
      Worker& worker = workers_[static_cast<size_t>(index_.at(lie.worker))];
      worker.is_out = true;
      CHECK(worker.role != Role::kOwn);
      ++(worker.role == Role::kHonest ? totals_.honest_blamed : totals_.liars_found);
    }
  }

  const Setting setting_;
  Random random_;
  AuditBook book_;
  AuditBook::Time now_ = AuditBook::Time(std::chrono::hours(10));
  std::vector<Worker> workers_;
  std::unordered_map<std::string, int64_t> index_;  // of workers, by name
  std::unordered_map<int64_t, Reported> held_;      // by id of the report
  int64_t last_report_ = 0;
  double waited_ = 0;           // sum over confirmed reports of honest workers
  int64_t honest_counted_ = 0;  // how many those are
  Totals totals_;
};

}  // namespace

Totals Simulate(const Setting& setting) { return World(setting).Run(); }

}  // namespace triarch::audits
