// Collects what a check of a bot found.

#ifndef TRIARCH_WORKER_HOST_BOT_REPORT_H_
#define TRIARCH_WORKER_HOST_BOT_REPORT_H_

#include <cstdint>
#include <string>
#include <vector>

namespace triarch {

// Everything of one kind that is wrong with a bot.
struct BotFinding {
  bool is_fault = true;  // would forfeit a game; otherwise wrong or unwise
  std::string what;      // "an illegal move"
  int64_t count = 1;
  std::string first;     // where it happened first: "game 2, ply 14, White: 0xffffffff"
  int64_t worst_ms = 0;  // of late answers: how late the latest one was

  bool operator==(const BotFinding&) const = default;
};

// The result of a check in one game.
struct BotReport {
  int64_t games = 0;
  int64_t plies = 0;
  double plies_per_second = 0;
  std::vector<BotFinding> findings = {};  // by first occurrence; no two with the same `what`

  // Counts a finding.
  void Add(const BotFinding& finding);
  bool has_fault() const;
};

}  // namespace triarch

#endif  // TRIARCH_WORKER_HOST_BOT_REPORT_H_
