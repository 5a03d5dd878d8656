// Stores tournaments in memory, for runs without a database.

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "coordinator/store/store.h"
#include "coordinator/store/store_rules.h"
#include "core/base/status_macros.h"
#include "core/record/tpgn.h"

namespace triarch {
namespace {

constexpr int64_t kOnlyId = 1;

class MemoryStore : public Store {
 public:
  absl::StatusOr<int64_t> OpenTournament(const TournamentSpec& spec) override {
    if (spec_) {
      const int64_t games_end = games_.empty() ? 0 : games_.rbegin()->first + 1;
      RETURN_IF_ERROR(CheckContinues("the store", *spec_, spec, games_end));
      if (spec.games > spec_->games && state_ == TournamentState::kDone) {
        state_ = TournamentState::kActive;
      }
    }
    spec_ = spec_ ? Continued(*spec_, spec) : WithoutOutput(spec);
    return kOnlyId;
  }

  absl::StatusOr<StoredTournament> AddTournament(const TournamentSpec& spec,
                                                 const std::string& spec_text) override {
    if (spec_) {
      return absl::FailedPreconditionError(
          "the store already holds a tournament and can hold only one");
    }
    spec_ = WithoutOutput(spec);
    spec_text_ = spec_text;
    return Tournament(kOnlyId);
  }

  absl::Status SetState(int64_t tournament, TournamentState state) override {
    RETURN_IF_ERROR(CheckId(tournament));
    state_ = state;
    if (IsOver(state)) ended_ = Now();
    return absl::OkStatus();
  }

  absl::Status SetPrecedence(int64_t tournament, const Precedence& precedence) override {
    RETURN_IF_ERROR(CheckId(tournament));
    precedence_ = precedence;
    return absl::OkStatus();
  }

  absl::Status SetBotDigests(int64_t tournament, const std::vector<std::string>& digests) override {
    RETURN_IF_ERROR(CheckId(tournament));
    digests_.resize(spec_->bots.size());
    for (size_t i = 0; i < std::min(digests.size(), digests_.size()); ++i) {
      if (digests_[i].empty()) digests_[i] = digests[i];
    }
    return absl::OkStatus();
  }

  absl::StatusOr<std::vector<StoredTournament>> Tournaments() override {
    std::vector<StoredTournament> tournaments;
    if (spec_) tournaments.push_back(Stored());
    return tournaments;
  }

  absl::StatusOr<StoredTournament> Tournament(int64_t id) override {
    RETURN_IF_ERROR(CheckId(id));
    return Stored();
  }

  absl::Status Record(int64_t tournament, std::span<const GameRecord> records) override {
    RETURN_IF_ERROR(CheckId(tournament));
    std::vector<GameSummary> summaries;
    for (const GameRecord& record : records) {
      ASSIGN_OR_RETURN(GameSummary summary, Summarize(*spec_, record));
      summaries.push_back(std::move(summary));
    }
    for (size_t i = 0; i < records.size(); ++i) {
      if (games_.contains(records[i].index)) continue;
      games_.emplace(records[i].index, Game{summaries[i], WriteTpgn(records[i])});
      ++checks_[static_cast<size_t>(records[i].check)];
      KeepFaults(records[i], summaries[i]);
    }
    return absl::OkStatus();
  }

  absl::Status RecordShard(int64_t tournament, std::span<const GameRecord> records,
                           const ShardEntry& shard) override {
    RETURN_IF_ERROR(CheckId(tournament));
    for (const ShardEntry& there : shards_) {
      if (there.shard == shard.shard) return CheckIsSame(there, shard);
    }
    std::set<int64_t> indices;
    for (const GameRecord& record : records) {
      const bool is_new = indices.insert(record.index).second && !games_.contains(record.index);
      if (!is_new) return RecordedWithout(shard);
    }
    RETURN_IF_ERROR(Record(tournament, records));
    shards_.push_back(shard);
    return absl::OkStatus();
  }

  absl::StatusOr<std::vector<ShardEntry>> Shards(int64_t tournament) override {
    RETURN_IF_ERROR(CheckId(tournament));
    std::vector<ShardEntry> shards = shards_;
    std::sort(shards.begin(), shards.end(), [](const ShardEntry& a, const ShardEntry& b) {
      return std::tie(a.first, a.shard) < std::tie(b.first, b.shard);
    });
    return shards;
  }

  absl::Status AddMatches(int64_t tournament, std::span<const PlannedMatch> matches) override {
    RETURN_IF_ERROR(CheckId(tournament));
    const bool is_there = !matches.empty() && matches.front().number < std::ssize(matches_);
    if (!is_there) matches_.insert(matches_.end(), matches.begin(), matches.end());
    return absl::OkStatus();
  }

  absl::StatusOr<std::vector<PlannedMatch>> Matches(int64_t tournament) override {
    RETURN_IF_ERROR(CheckId(tournament));
    return matches_;
  }

  absl::StatusOr<std::vector<Range>> Recorded(int64_t tournament) override {
    RETURN_IF_ERROR(CheckId(tournament));
    std::vector<Range> ranges;
    for (const auto& [index, game] : games_) {
      if (ranges.empty() || ranges.back().last != index) ranges.push_back({index, index});
      ++ranges.back().last;
    }
    return ranges;
  }

  absl::Status VisitGames(int64_t tournament, const GameFilter& filter,
                          absl::FunctionRef<absl::Status(const GameSummary&)> visit) override {
    return VisitTpgn(tournament, filter, [&visit](const GameSummary& summary, std::string_view) {
      return visit(summary);
    });
  }

  absl::Status VisitTpgn(
      int64_t tournament, const GameFilter& filter,
      absl::FunctionRef<absl::Status(const GameSummary&, std::string_view tpgn)> visit) override {
    RETURN_IF_ERROR(CheckId(tournament));
    std::optional<int> bot;
    if (filter.bot) {
      ASSIGN_OR_RETURN(bot, FindBot(*spec_, *filter.bot));
    }
    const auto visit_all = [&](auto game, auto end) -> absl::Status {
      for (; game != end; ++game) {
        if (bot && !IsAtTable(*bot, game->second)) continue;
        RETURN_IF_ERROR(visit(game->second.summary, game->second.tpgn));
      }
      return absl::OkStatus();
    };
    const auto begin = games_.lower_bound(filter.first);
    const auto end = filter.last < filter.first ? begin : games_.upper_bound(filter.last);
    if (!filter.is_backwards) return visit_all(begin, end);
    return visit_all(std::make_reverse_iterator(end), std::make_reverse_iterator(begin));
  }

  absl::StatusOr<GameCosts> VisitResults(
      int64_t tournament, absl::FunctionRef<absl::Status(const GameSummary&)> visit) override {
    GameCosts costs;
    RETURN_IF_ERROR(VisitGames(tournament, {}, [&](const GameSummary& game) {
      costs.Add(game);
      return visit({.index = game.index,
                    .match = game.match,
                    .bots = game.bots,
                    .outcome = game.outcome,
                    .endings = game.endings,
                    .costs = {}});
    }));
    return costs;
  }

  absl::Status VisitFaults(int64_t tournament, const GameFilter& filter,
                           absl::FunctionRef<absl::Status(const StoredFault&)> visit) override {
    RETURN_IF_ERROR(CheckId(tournament));
    std::optional<int> bot;
    if (filter.bot) {
      ASSIGN_OR_RETURN(bot, FindBot(*spec_, *filter.bot));
    }
    for (const auto& [index, fault] : faults_) {
      const bool is_asked = index >= filter.first && index <= filter.last;
      if (!is_asked || (bot && fault.bot != *bot)) continue;
      RETURN_IF_ERROR(visit(fault));
    }
    return absl::OkStatus();
  }

  absl::StatusOr<std::optional<uint64_t>> TryLead() override { return ++epoch_; }

  absl::Status SaveLeases(std::span<const StoredLease> leases) override {
    for (const StoredLease& lease : leases) {
      const auto [there, is_new] = leases_.emplace(lease.lease.token, lease);
      if (!is_new) there->second.ended = lease.ended;
    }
    return absl::OkStatus();
  }
  absl::StatusOr<std::vector<StoredLease>> LiveLeases() override {
    std::vector<StoredLease> live;
    for (const auto& [token, lease] : leases_) {
      if (lease.ended.empty()) live.push_back(lease);
    }
    return live;
  }

  absl::Status SaveWorkers(std::span<const StoredWorker> workers) override {
    for (const StoredWorker& worker : workers) workers_[worker.name] = worker;
    return absl::OkStatus();
  }
  absl::StatusOr<std::vector<StoredWorker>> Workers() override {
    std::vector<StoredWorker> all;
    for (const auto& [name, worker] : workers_) all.push_back(worker);
    return all;
  }

  absl::Status HoldReports(std::span<const StoredReport> reports) override {
    for (const StoredReport& report : reports) held_.emplace(report.id, report);
    return absl::OkStatus();
  }
  absl::StatusOr<std::vector<StoredReport>> HeldReports() override {
    std::vector<StoredReport> reports;
    for (const auto& [id, report] : held_) {
      reports.push_back(report);
      reports.back().report.clear();
    }
    return reports;
  }
  absl::StatusOr<std::string> HeldReport(int64_t id) override {
    const auto held = held_.find(id);
    return held == held_.end() ? absl::StatusOr<std::string>(NotHeld(id)) : held->second.report;
  }
  absl::Status DropReports(std::span<const int64_t> ids) override {
    for (const int64_t id : ids) held_.erase(id);
    return absl::OkStatus();
  }
  absl::Status AddAudits(std::span<const StoredAudit> audits) override {
    for (const StoredAudit& one : audits) {
      ++audits_[{one.tournament, one.worker, one.owner, one.outcome}];
    }
    return absl::OkStatus();
  }
  absl::StatusOr<std::vector<StoredAuditCount>> AuditCounts() override {
    std::vector<StoredAuditCount> counts;
    for (const auto& [key, audits] : audits_) {
      const auto& [tournament, worker, owner, outcome] = key;
      counts.push_back({tournament, worker, owner, outcome, audits});
    }
    return counts;
  }

  absl::Status AddRatings(int64_t tournament, std::span<const RatingPoint> points) override {
    RETURN_IF_ERROR(CheckId(tournament));
    for (const RatingPoint& point : points) {
      ratings_.push_back(point);
      ratings_.back().time = Now();
    }
    return absl::OkStatus();
  }
  absl::StatusOr<std::vector<RatingPoint>> Ratings(int64_t tournament) override {
    RETURN_IF_ERROR(CheckId(tournament));
    return ratings_;
  }

  absl::Status BeginDelete(int64_t tournament) override {
    RETURN_IF_ERROR(CheckId(tournament));
    RETURN_IF_ERROR(CheckIsOver(tournament, Stored().state));
    spec_.reset();
    state_ = TournamentState::kActive;
    precedence_ = {};
    ended_.clear();
    digests_.clear();
    ratings_.clear();
    shards_.clear();
    matches_.clear();
    games_.clear();
    faults_.clear();
    faults_kept_.clear();
    leases_.clear();
    held_.clear();
    audits_.clear();
    return absl::OkStatus();
  }
  absl::StatusOr<std::vector<int64_t>> Deleting() override { return std::vector<int64_t>(); }
  absl::StatusOr<bool> DeleteSome(int64_t) override { return false; }
  // It lives no longer than its process.
  absl::StatusOr<int64_t> Prune(History, const std::string&, bool) override { return 0; }

  absl::Status AddBundle(const StoredBundle& bundle, const std::string& tar) override {
    std::erase_if(bundles_,
                  [&](const StoredBundle& there) { return there.digest == bundle.digest; });
    bundles_.push_back(bundle);
    bundles_.back().added = Now();
    tars_[bundle.digest] = tar;
    return absl::OkStatus();
  }
  absl::StatusOr<std::vector<StoredBundle>> Bundles() override { return bundles_; }
  absl::StatusOr<std::string> BundleTar(const std::string& digest) override {
    const auto tar = tars_.find(digest);
    return tar == tars_.end() ? absl::StatusOr<std::string>(NoBundle(digest)) : tar->second;
  }
  absl::Status RemoveBundle(const std::string& digest) override {
    if (tars_.erase(digest) == 0) return NoBundle(digest);
    std::erase_if(bundles_, [&](const StoredBundle& there) { return there.digest == digest; });
    return absl::OkStatus();
  }

 private:
  struct Game {
    GameSummary summary;
    std::string tpgn;
  };

  static bool IsAtTable(int bot, const Game& game) {
    for (size_t i = 0; i < kSeatsMax; ++i) {
      // A seat that the game lacks has place 0.
      if (game.summary.outcome.place[SeatAt(i)] != 0 && game.summary.bots[SeatAt(i)] == bot) {
        return true;
      }
    }
    return false;
  }

  void KeepFaults(const GameRecord& record, const GameSummary& summary) {
    for (const GameFault& fault : record.faults) {
      const int bot = summary.bots[fault.seat];
      if (++faults_kept_[{bot, fault.why}] > kFaultsKept) continue;
      faults_.emplace(record.index, StoredFault{record.index, record.match, bot, fault});
    }
  }

  absl::Status CheckId(int64_t id) const {
    if (spec_ && id == kOnlyId) return absl::OkStatus();
    return absl::NotFoundError(absl::StrFormat("there is no tournament %d", id));
  }

  static std::string Now() {
    return absl::FormatTime("%Y-%m-%dT%H:%M:%SZ", absl::Now(), absl::UTCTimeZone());
  }

  StoredTournament Stored() const {
    StoredTournament stored{.id = kOnlyId,
                            .spec = *spec_,
                            .spec_text = spec_text_,
                            .state = state_,
                            .precedence = precedence_,
                            .created = created_,
                            .ended = ended_,
                            .games_recorded = static_cast<int64_t>(games_.size()),
                            .checks = checks_,
                            .bot_digests = digests_};
    stored.bot_digests.resize(spec_->bots.size());
    if (stored.games_recorded >= spec_->games) stored.state = TournamentState::kDone;
    return stored;
  }

  const std::string created_ = Now();
  std::optional<TournamentSpec> spec_;
  std::string spec_text_;
  TournamentState state_ = TournamentState::kActive;
  GameChecks checks_ = {};
  Precedence precedence_;
  std::string ended_;
  std::vector<std::string> digests_;
  uint64_t epoch_ = 0;
  std::map<uint64_t, StoredLease> leases_;
  std::map<std::string, StoredWorker> workers_;
  std::map<int64_t, StoredReport> held_;
  // By tournament, worker, owner and outcome.
  std::map<std::tuple<int64_t, std::string, std::string, std::string>, int64_t> audits_;
  std::vector<RatingPoint> ratings_;
  std::vector<ShardEntry> shards_;
  std::vector<PlannedMatch> matches_;
  std::vector<StoredBundle> bundles_;  // from oldest to newest
  std::map<std::string, std::string> tars_;
  std::map<int64_t, Game> games_;
  std::multimap<int64_t, StoredFault> faults_;  // by index of the game
  std::map<std::pair<int, Termination>, int64_t> faults_kept_;
};

}  // namespace

std::unique_ptr<Store> MakeMemoryStore() { return std::make_unique<MemoryStore>(); }

}  // namespace triarch
