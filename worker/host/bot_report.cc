#include "worker/host/bot_report.h"

#include <algorithm>

namespace triarch {

void BotReport::Add(bool is_fault, const std::string& what, const std::string& where,
                    int64_t count) {
  const auto known = std::find_if(findings.begin(), findings.end(),
                                  [&](const BotFinding& one) { return one.what == what; });
  if (known != findings.end()) {
    known->count += count;
    known->is_fault |= is_fault;
    return;
  }
  findings.push_back({.is_fault = is_fault, .what = what, .count = count, .first = where});
}

bool BotReport::has_fault() const {
  return std::any_of(findings.begin(), findings.end(),
                     [](const BotFinding& one) { return one.is_fault; });
}

}  // namespace triarch
