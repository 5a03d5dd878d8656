// Describes what a long-running program tells its operator.

#ifndef TRIARCH_CORE_BASE_LOG_H_
#define TRIARCH_CORE_BASE_LOG_H_

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace triarch {

// kInfo: as expected. kWarning: work continues, but look at it. kError: it does not continue.
enum class LogLevel : uint8_t { kInfo, kWarning, kError };

struct LogField {
  std::string name;                          // "tournament"
  std::variant<int64_t, std::string> value;  // a text may come from strangers
};

// One line of the log.
struct LogEntry {
  LogLevel level = LogLevel::kInfo;
  // What it is about, in one word: "worker". docs/operations.md lists the words. A literal.
  std::string_view event;
  // A sentence, a literal: names and reasons are fields.
  std::string_view message;
  std::vector<LogField> fields = {};
  // Whether it may be left out if there are too many of its event.
  bool is_limited = true;
};

// Returns a warning with a field `why`, unless the reason is empty.
inline LogEntry Warning(std::string_view event, std::string_view message, std::string why) {
  LogEntry entry{.level = LogLevel::kWarning, .event = event, .message = message};
  if (!why.empty()) entry.fields.push_back({"why", std::move(why)});
  return entry;
}

// Takes an entry. Must be thread-safe, quick and without locks that its callers may hold.
using LogTo = std::function<void(const LogEntry&)>;

}  // namespace triarch

#endif  // TRIARCH_CORE_BASE_LOG_H_
