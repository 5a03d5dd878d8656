#include "coordinator/audits/held_reports.h"

#include <algorithm>
#include <cmath>

#include "core/base/check.h"

namespace triarch {
namespace {

std::vector<Range> RangesOf(const std::vector<int64_t>& games) {
  std::vector<Range> ranges;
  for (const int64_t game : games) {
    if (!ranges.empty() && ranges.back().last == game) {
      ++ranges.back().last;
    } else {
      ranges.push_back({game, game + 1});
    }
  }
  ranges.shrink_to_fit();
  return ranges;
}

int64_t SizeOf(const std::vector<Range>& ranges) {
  int64_t size = 0;
  for (const Range& range : ranges) size += range.size();
  return size;
}

// Returns the first report with that id or a larger one.
auto FirstFrom(auto& reports, int64_t id) {
  return std::lower_bound(reports.begin(), reports.end(), id,
                          [](const auto& report, int64_t other) { return report.id < other; });
}

}  // namespace

std::vector<int64_t> HeldReports::Reports() const {
  std::vector<int64_t> ids;
  for (const Report& report : reports_) ids.push_back(report.id);
  return ids;
}

std::vector<int64_t> HeldReports::OpenAudits() const {
  std::vector<int64_t> audits;
  for (const Report& report : reports_) {
    for (const Audited& audited : report.audited) {
      if (audited.audit != 0) audits.push_back(audited.audit);
    }
  }
  return audits;
}

int64_t HeldReports::Hold(const HeldReport& report, bool is_restored) {
  CHECK(!report.games.empty() && (reports_.empty() || reports_.back().id < report.id));
  const int64_t before = is_restored ? report.passes_before : passes_ + open_;
  owner_ = report.owner;
  games_ += static_cast<int64_t>(report.games.size());
  reports_.push_back({.id = report.id,
                      .passes = before + report.audits,
                      .games = RangesOf(report.games),
                      .audited = {}});
  return before;
}

std::vector<Audit> HeldReports::Choose(Random random) const {
  struct Candidate {
    Audit audit;
    double key;  // the least keys win, in proportion to the weights of the games
  };
  std::vector<Candidate> candidates;
  int64_t wanted = 0;
  for (const Report& report : reports_) {
    const int64_t lacking = report.passes - passes_ - open_;
    if (lacking <= 0) continue;
    wanted = std::max(wanted, lacking);
    for (const Range& range : report.games) {
      for (int64_t game = range.first; game < range.last; ++game) {
        const bool is_audited =
            std::any_of(report.audited.begin(), report.audited.end(),
                        [&](const Audited& audited) { return audited.game == game; });
        if (is_audited) continue;
        candidates.push_back({.audit = {.game = game, .report = report.id},
                              .key = -std::log1p(-random.Unit()) / static_cast<double>(lacking)});
      }
    }
  }
  const auto count = std::min(candidates.size(), static_cast<size_t>(wanted));
  std::partial_sort(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(count),
                    candidates.end(),
                    [](const Candidate& a, const Candidate& b) { return a.key < b.key; });
  std::vector<Audit> audits;
  for (size_t i = 0; i < count; ++i) audits.push_back(candidates[i].audit);
  return audits;
}

bool HeldReports::Holds(int64_t report) const {
  const auto found = FirstFrom(reports_, report);
  return found != reports_.end() && found->id == report;
}

HeldReports::Report& HeldReports::Find(int64_t id) {
  const auto found = FirstFrom(reports_, id);
  CHECK(found != reports_.end() && found->id == id);
  return *found;
}

HeldReports::Audited& HeldReports::FindAudited(const Audit& audit) {
  std::vector<Audited>& all = Find(audit.report).audited;
  const auto found = std::find_if(
      all.begin(), all.end(), [&](const Audited& audited) { return audited.game == audit.game; });
  CHECK(found != all.end());
  return *found;
}

void HeldReports::Open(const Audit& audit) {
  Find(audit.report).audited.push_back({.game = audit.game, .audit = audit.id});
  ++open_;
}

void HeldReports::Close(const Audit& audit, bool is_passed) {
  --open_;
  if (is_passed) ++passes_;
  FindAudited(audit).audit = 0;
}

void HeldReports::Reopen(const Audit& audit) {
  FindAudited(audit).audit = audit.id;
  --passes_;
  ++open_;
}

std::vector<int64_t> HeldReports::TakeConfirmed(bool is_settled) {
  if (disputes_ > 0) return {};
  std::vector<int64_t> confirmed;
  std::erase_if(reports_, [&](const Report& report) {
    const int64_t games = SizeOf(report.games);
    const bool has_open = std::any_of(report.audited.begin(), report.audited.end(),
                                      [](const Audited& audited) { return audited.audit != 0; });
    const bool all_audited = static_cast<int64_t>(report.audited.size()) == games;
    if (has_open || (passes_ < report.passes && !(is_settled && all_audited))) return false;
    confirmed.push_back(report.id);
    games_ -= games;
    return true;
  });
  return confirmed;
}

}  // namespace triarch
