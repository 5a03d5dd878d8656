// Runs the audit book with random workers, answers, losses and restarts of leases.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "coordinator/audits/audit_book.h"
#include "core/base/random.h"

namespace triarch {
namespace {

constexpr int64_t kPassesNeeded = 8;
constexpr int kWorkers = 24;
constexpr int64_t kTournaments = 2;

// A world of honest workers, forgers (the first ones of odd owners) and an operator's worker.
class World {
 public:
  explicit World(uint64_t seed) : random_(seed), book_({}, std::to_string(seed)) {}

  void Run() {
    for (int step = 0; step < 1500; ++step) {
      now_ += std::chrono::milliseconds(random_.Below(2000));
      Step(step < 800);
      Check();
    }
    for (int step = 0; step < 20'000 && !held_.empty(); ++step) {
      now_ += std::chrono::milliseconds(random_.Below(2000));
      for (int64_t id = 1; id <= kTournaments; ++id) book_.Settle(id);
      Step(false);
      Check();
    }
    EXPECT_TRUE(held_.empty()) << "every report is confirmed or dropped";
    for (const auto& [id, view] : book_.Views()) EXPECT_EQ(view.held_games, 0);
  }

  int forgers_found() const { return static_cast<int>(liars_.size()); }

 private:
  struct Report {
    std::string worker;
    int64_t tournament;
    std::set<int64_t> games;
    int64_t passes_before = 0;
  };

  static std::string NameOf(uint32_t i) { return "w" + std::to_string(i); }
  static bool IsForger(const std::string& name) { return name == "w1" || name == "w3"; }
  Auditor AuditorOf(uint32_t i) const {
    if (i == kWorkers) return {.worker = "own", .owner = "operator", .is_audited = false};
    return {.worker = NameOf(i), .owner = "o" + std::to_string(i % 8)};
  }
  bool IsForged(const std::string& worker, int64_t game) const {
    return IsForger(worker) && game % 3 == 0;
  }

  void Step(bool may_report) {
    const uint32_t i = random_.Below(kWorkers + 1);
    const Auditor auditor = AuditorOf(i);
    if (liars_.contains(auditor.worker)) return;
    book_.NoteAlive(auditor, now_);
    if (may_report && auditor.is_audited && random_.Below(3) == 0) Hold(auditor);
    if (random_.Below(2) == 0) Take(auditor);
    if (random_.Below(3) == 0) Answer(auditor);
    book_.Tick([](const std::string&, int64_t) { return true; }, now_);
    if (random_.Below(200) == 0) book_.Forget(auditor.worker);
  }

  void Hold(const Auditor& reporter) {
    HeldReport report{.id = ++last_report_,
                      .tournament = 1 + random_.Below(kTournaments),
                      .worker = reporter.worker,
                      .owner = reporter.owner,
                      .audits = kPassesNeeded,
                      .games = {}};
    for (uint32_t n = 1 + random_.Below(20); n > 0; --n) {
      report.games.push_back(++last_game_);
      last_game_ += random_.Below(3);
    }
    const int64_t passes_before = book_.Hold(report);
    EXPECT_GE(passes_before, (passes_[{report.worker, report.tournament}]));
    held_[report.id] = {.worker = report.worker,
                        .tournament = report.tournament,
                        .games = {report.games.begin(), report.games.end()},
                        .passes_before = passes_before};
  }

  void Take(const Auditor& auditor) {
    const auto may_play = [&](int64_t) { return random_.Below(10) != 0; };
    if (const auto audit = book_.Next(auditor, may_play, now_)) {
      EXPECT_TRUE(held_.contains(audit->report));
      EXPECT_TRUE(held_.at(audit->report).games.contains(audit->game));
      taken_[auditor.worker].push_back(*audit);
    }
  }

  void Answer(const Auditor& auditor) {
    std::vector<Audit>& taken = taken_[auditor.worker];
    if (taken.empty()) return;
    const Audit audit = taken.back();
    taken.pop_back();
    if (random_.Below(8) == 0) return book_.GiveBack(audit.id, auditor.worker);
    const auto report = held_.find(audit.report);
    if (report == held_.end()) return;
    const bool is_forged = IsForged(report->second.worker, audit.game);
    book_.Answer(audit.id, auditor, is_forged ? "forged" : "true",
                 IsForger(auditor.worker) && is_forged ? "forged" : "true", now_);
  }

  void Check() {
    const AuditBook::Results results = book_.TakeResults();
    for (const AuditOutcome& outcome : results.outcomes) {
      int64_t& passes = passes_[{outcome.worker, outcome.audit.tournament}];
      std::set<int64_t>& audited = audited_[outcome.audit.report];
      if (outcome.kind == AuditOutcome::kPassed) {
        ++passes;
        audited.insert(outcome.audit.game);
      } else if (outcome.kind == AuditOutcome::kRevoked) {
        --passes;
        audited.erase(outcome.audit.game);
      }
      EXPECT_NE(outcome.kind, AuditOutcome::kIrreproducible);
    }
    for (const int64_t id : results.confirmed) {
      const Report& report = held_.at(id);
      const int64_t later = passes_[{report.worker, report.tournament}] - report.passes_before;
      EXPECT_TRUE(later >= kPassesNeeded || audited_[id] == report.games)
          << "report " << id << " after " << later;
      held_.erase(id);
    }
    for (const Lie& lie : results.lies) {
      EXPECT_TRUE(IsForger(lie.worker)) << lie.worker << ": " << lie.why;
      EXPECT_TRUE(liars_.insert(lie.worker).second);
      for (const int64_t id : lie.reports) EXPECT_EQ(held_.erase(id), 1u);
    }
  }

  Random random_;
  AuditBook book_;
  AuditBook::Time now_ = AuditBook::Time(std::chrono::hours(10));
  int64_t last_report_ = 0;
  int64_t last_game_ = 0;
  std::map<int64_t, Report> held_;
  std::map<std::pair<std::string, int64_t>, int64_t> passes_;  // by worker and tournament
  std::map<int64_t, std::set<int64_t>> audited_;               // passed games, by report
  std::map<std::string, std::vector<Audit>> taken_;
  std::set<std::string> liars_;
};

TEST(AuditRandomTest, HonestWorkersAreNeverBlamedAndEveryReportEnds) {
  int forgers_found = 0;
  for (uint64_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE(seed);
    World world(seed);
    world.Run();
    forgers_found += world.forgers_found();
  }
  EXPECT_GT(forgers_found, 50) << "of 60";
}

}  // namespace
}  // namespace triarch
