#include "worker/host/bot_report.h"

#include <algorithm>

namespace triarch {

void BotReport::Add(const BotFinding& finding) {
  const auto known = std::find_if(findings.begin(), findings.end(),
                                  [&](const BotFinding& one) { return one.what == finding.what; });
  if (known == findings.end()) return findings.push_back(finding);
  known->count += finding.count;
  known->is_fault |= finding.is_fault;
  known->worst_ms = std::max(known->worst_ms, finding.worst_ms);
}

bool BotReport::has_fault() const {
  return std::any_of(findings.begin(), findings.end(),
                     [](const BotFinding& one) { return one.is_fault; });
}

}  // namespace triarch
