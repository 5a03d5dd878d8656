#include "cli/cluster/log_line.h"

#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "core/base/text.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace triarch {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::ordered_json;

// 2026-11-23T10:00:00.123Z.
const absl::Time kNow = absl::FromUnixMillis(1'795'428'000'123);

LogEntry Quarantine(const std::string& worker, const std::string& why) {
  LogEntry entry = Warning("worker", "A worker is quarantined.", why);
  entry.fields.push_back({"worker", worker});
  entry.fields.push_back({"tournament", 3});
  return entry;
}

TEST(LogLine, AsText) {
  EXPECT_EQ(LogLine(Quarantine("w1", "false games"), LogFormat::kText, kNow),
            "2026-11-23T10:00:00.123Z warning A worker is quarantined. event=worker "
            "why=\"false games\" worker=w1 tournament=3");
}

TEST(LogLine, AsJson) {
  EXPECT_EQ(LogLine(Quarantine("w1", "false games"), LogFormat::kJson, kNow),
            "{\"time\":\"2026-11-23T10:00:00.123Z\",\"level\":\"warning\","
            "\"message\":\"A worker is quarantined.\",\"event\":\"worker\","
            "\"why\":\"false games\",\"worker\":\"w1\",\"tournament\":3}");
}

TEST(LogLine, StrangersCannotWriteFieldsOrLines) {
  const LogEntry entry = Quarantine("w1 event=change\n\x1b[2J\u202e\x7f\xff", "\" by=\"x\\");
  const std::string text = LogLine(entry, LogFormat::kText, kNow);
  EXPECT_THAT(text, HasSubstr("why=\"\\\" by=\\\"x\\\\\" "
                              "worker=\"w1 event=change \\x1b[2J\\u202e\\u007f\\xff\" "));
  const std::string line = LogLine(entry, LogFormat::kJson, kNow);
  EXPECT_EQ(line, PrintableLine(line));
  const Json json = Json::parse(line);
  EXPECT_EQ(json["worker"], "w1 event=change\n\x1b[2J\u202e\x7f\ufffd");
  EXPECT_EQ(json["why"], "\" by=\"x\\");
}

TEST(LogLine, CutsLongValues) {
  const LogEntry entry = Quarantine("w1", std::string(100'000, 'x'));
  EXPECT_LT(LogLine(entry, LogFormat::kText, kNow).size(), 1'200u);
  EXPECT_LT(LogLine(entry, LogFormat::kJson, kNow).size(), 1'200u);
}

LogEntry ChangeOf(const std::string& name) {
  return {.event = "change", .message = "A change was refused.", .fields = {{"by", name}}};
}

TEST(LogLimiter, LeavesOutAFlood) {
  const Admission::Time start{};
  LogLimiter limiter;
  for (int i = 0; i < 200; ++i) EXPECT_EQ(limiter.Admit(Quarantine("w", ""), start), 0);
  for (int i = 0; i < 50; ++i) EXPECT_EQ(limiter.Admit(Quarantine("w", ""), start), std::nullopt);
  const auto later = start + std::chrono::milliseconds(1'001);
  EXPECT_EQ(limiter.Admit(Quarantine("w", ""), later), 50);
  EXPECT_EQ(limiter.Admit(Quarantine("w", ""), later), std::nullopt);
}

TEST(LogLimiter, OneCallersFloodHidesNoOther) {
  const Admission::Time start{};
  LogLimiter limiter;
  for (int i = 0; i < 300; ++i) limiter.Admit(ChangeOf("ann"), start);
  EXPECT_EQ(limiter.Admit(ChangeOf("ann"), start), std::nullopt);
  EXPECT_EQ(limiter.Admit(ChangeOf("bob"), start), 0);
  EXPECT_EQ(limiter.Admit(Quarantine("w", ""), start), 0);
  LogEntry done = ChangeOf("ann");
  done.is_limited = false;
  EXPECT_EQ(limiter.Admit(done, start), 0) << "what was changed is always logged";
}

}  // namespace
}  // namespace triarch
