// Formats the entries of a log, and limits how many there are.

#ifndef TRIARCH_CLI_CLUSTER_LOG_LINE_H_
#define TRIARCH_CLI_CLUSTER_LOG_LINE_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "absl/time/time.h"
#include "coordinator/service/admission.h"
#include "core/base/log.h"

namespace triarch {

enum class LogFormat : uint8_t { kText, kJson };

// Returns an entry's line, without its end: TIME LEVEL MESSAGE event=… NAME=VALUE…, or a JSON
// object with the same names. Long values are cut off.
std::string LogLine(const LogEntry& entry, LogFormat format, absl::Time now);

// Leaves entries out so that a flood cannot fill the disk: each event gets 200 at once and then one
// per second. Those with a field `by` count for that caller alone, so that none hides another.
class LogLimiter {
 public:
  // Returns how many entries were left out before this one, or nullopt to leave out this one, too.
  std::optional<int64_t> Admit(const LogEntry& entry, Admission::Time now);

 private:
  struct Bucket {
    explicit Bucket(Admission::Time now);
    Admission admission;
    int64_t left_out = 0;
  };
  std::map<std::string, Bucket> buckets_;
};

}  // namespace triarch

#endif  // TRIARCH_CLI_CLUSTER_LOG_LINE_H_
