#include "cli/cluster/log_line.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "core/base/text.h"

namespace triarch {
namespace {

constexpr double kLinesPerSecond = 1;
constexpr double kLinesAtOnce = 200;
constexpr size_t kValueMax = 1000;  // bytes

std::string_view ToString(LogLevel level) {
  switch (level) {
    case LogLevel::kInfo:
      return "info";
    case LogLevel::kWarning:
      return "warning";
    case LogLevel::kError:
      return "error";
  }
  return "";
}

std::string Cut(const std::string& text) {
  return text.size() <= kValueMax ? text : text.substr(0, kValueMax) + "…";
}

// Quotes a value unless it is a plain word.
std::string FieldText(const std::string& value) {
  constexpr std::string_view kPlain = "-_./,:@+[]";
  const bool is_plain = std::all_of(value.begin(), value.end(), [&](char c) {
    return IsDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           kPlain.find(c) != std::string_view::npos;
  });
  if (is_plain && !value.empty()) return value;
  std::string quoted = "\"";
  for (const char c : value) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "\"";
}

std::string TextLine(const LogEntry& entry, const std::string& time) {
  std::string line = time + " " + std::string(ToString(entry.level)) + " " +
                     std::string(entry.message) + " event=" + std::string(entry.event);
  for (const auto& [name, value] : entry.fields) {
    const int64_t* const number = std::get_if<int64_t>(&value);
    line += " " + name + "=" +
            (number != nullptr ? std::to_string(*number)
                               : FieldText(Cut(std::get<std::string>(value))));
  }
  return line;
}

std::string JsonLine(const LogEntry& entry, const std::string& time) {
  using Json = nlohmann::ordered_json;
  Json json = {{"time", time},
               {"level", ToString(entry.level)},
               {"message", entry.message},
               {"event", entry.event}};
  for (const auto& [name, value] : entry.fields) {
    if (const int64_t* const number = std::get_if<int64_t>(&value)) {
      json[name] = *number;
    } else {
      json[name] = Cut(std::get<std::string>(value));
    }
  }
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// Returns what shares a limit with the entry.
std::string KeyOf(const LogEntry& entry) {
  std::string key(entry.event);
  for (const auto& [name, value] : entry.fields) {
    if (name == "by") key += " " + std::get<std::string>(value);
  }
  return key;
}

}  // namespace

std::string LogLine(const LogEntry& entry, LogFormat format, absl::Time now) {
  const std::string time = absl::FormatTime("%Y-%m-%dT%H:%M:%E3SZ", now, absl::UTCTimeZone());
  return PrintableLine(format == LogFormat::kJson ? JsonLine(entry, time) : TextLine(entry, time));
}

LogLimiter::Bucket::Bucket(Admission::Time now) : admission(kLinesPerSecond, kLinesAtOnce, now) {}

std::optional<int64_t> LogLimiter::Admit(const LogEntry& entry, Admission::Time now) {
  if (!entry.is_limited) return 0;
  Bucket& bucket = buckets_.try_emplace(KeyOf(entry), now).first->second;
  if (bucket.admission.Admit(now)) return std::exchange(bucket.left_out, 0);
  ++bucket.left_out;
  return std::nullopt;
}

}  // namespace triarch
