// Lists the options of a coordinator's session.

#ifndef TRIARCH_COORDINATOR_SESSION_SESSION_OPTIONS_H_
#define TRIARCH_COORDINATOR_SESSION_SESSION_OPTIONS_H_

#include <chrono>
#include <cstdint>
#include <string>

#include "coordinator/audits/audit_book.h"
#include "coordinator/leases/lease_rules.h"

namespace triarch {

// The limits and rules of a session.
struct SessionOptions {
  LeaseRules leases;
  // The digest that workers' bots must have, unless another build has played games already. A
  // tournament is never played with two builds.
  std::string build = {};
  AuditRules audits = {};
  std::string audit_secret = {};  // decides what is audited; workers must not know it
  // Whether the only worker runs in this process and no other coordinator can take over.
  bool is_local = false;
  // Limits on the memory of accepted games that wait for the replay and for the store. Both hold
  // the games of a second or more of one core.
  int64_t replay_bytes_max = 32 << 20;
  int64_t record_bytes_max = 32 << 20;
  std::chrono::milliseconds retry{1'000};  // before a worker reports again
  // How often to ask the store whether this coordinator still leads.
  std::chrono::milliseconds ask_every{2'000};
};

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_SESSION_SESSION_OPTIONS_H_
