#include "coordinator/service/change_log.h"

#include <optional>
#include <string>
#include <variant>

#include "coordinator/service/refused_workers.h"
#include "gtest/gtest.h"

namespace triarch {
namespace {

// Returns an entry as "MESSAGE name=value …".
std::string Text(const LogEntry& entry) {
  std::string text(entry.message);
  for (const auto& [name, value] : entry.fields) {
    const int64_t* const number = std::get_if<int64_t>(&value);
    text += " " + name + "=";
    text += number != nullptr ? std::to_string(*number) : std::get<std::string>(value);
  }
  return text;
}

Access::Caller Ann() { return {.role = Access::Role::kUser, .name = "ann"}; }

TEST(ChangeLog, SaysWhoDidWhat) {
  const LogEntry done =
      ChangeEntry({"pause", {{"tournament", 3}}}, Ann(), "192.0.2.1:5", absl::OkStatus());
  EXPECT_EQ(done.level, LogLevel::kInfo);
  EXPECT_FALSE(done.is_limited);
  EXPECT_EQ(Text(done),
            "A change was made. by=ann role=user peer=192.0.2.1:5 action=pause tournament=3 "
            "outcome=done");
}

TEST(ChangeLog, SaysWhyAChangeWasRefusedOrFailed) {
  const Change submit = {"submit", {{"tournament", 0}, {"bot", ""}}};
  const LogEntry refused =
      ChangeEntry(submit, std::nullopt, "p", absl::UnauthenticatedError("a token is needed"));
  EXPECT_EQ(refused.level, LogLevel::kWarning);
  EXPECT_TRUE(refused.is_limited);
  EXPECT_EQ(Text(refused),
            "A change was refused. by= role=none peer=p action=submit outcome=refused "
            "why=a token is needed");
  EXPECT_EQ(Text(ChangeEntry(submit, Ann(), "p", absl::UnavailableError("no database"))),
            "A change failed. by=ann role=user peer=p action=submit outcome=failed "
            "why=no database");
}

TEST(ChangeLog, ARehearsalIsNoChange) {
  int entries = 0;
  const auto log = [&entries](const LogEntry&) { ++entries; };
  const Change rehearsal{.action = "prune", .fields = {}, .is_rehearsal = true};
  LogChange(log, rehearsal, Ann(), "p", absl::OkStatus());
  EXPECT_EQ(entries, 0);
  LogChange(log, rehearsal, Ann(), "p", absl::PermissionDeniedError("a user"));
  LogChange(log, Change{"prune", {}}, Ann(), "p", absl::OkStatus());
  EXPECT_EQ(entries, 2);
}

TEST(ChangeLog, NamesThePeer) {
  EXPECT_EQ(PeerText("ipv4:192.0.2.1:5", std::nullopt), "192.0.2.1:5");
  EXPECT_EQ(PeerText("ipv6:%5B2001:db8::1%5D:5", std::nullopt), "[2001:db8::1]:5");
  EXPECT_EQ(PeerText("inproc", std::nullopt), "inproc");
  // Only a program on this machine may speak for others.
  EXPECT_EQ(PeerText("ipv4:127.0.0.1:5", "192.0.2.7"), "192.0.2.7");
  EXPECT_EQ(PeerText("ipv6:%5B::1%5D:5", "192.0.2.7"), "192.0.2.7");
  EXPECT_EQ(PeerText("ipv4:192.0.2.1:5", "192.0.2.7"), "192.0.2.1:5");
}

TEST(ChangeLog, IdentifiesCallersWithAnotherRole) {
  const Access access = Access::Parse("user uuuuuuuuuuuuuuuu ann").value();
  EXPECT_EQ(access.Identify("Bearer uuuuuuuuuuuuuuuu")->name, "ann");
  EXPECT_EQ(access.Identify("Bearer xxxxxxxxxxxxxxxx"), std::nullopt);
  EXPECT_EQ(access.Identify(std::nullopt), std::nullopt);
}

TEST(RefusedWorkers, AreNewOnce) {
  RefusedWorkers refused;
  EXPECT_TRUE(refused.Note("w", "another is running"));
  EXPECT_FALSE(refused.Note("w", "another is running"));
  EXPECT_TRUE(refused.Note("v", "another is running"));
  EXPECT_TRUE(refused.Note("w", "quarantined"));
  EXPECT_FALSE(refused.Note("w", ""));
  EXPECT_TRUE(refused.Note("w", "quarantined")) << "it was admitted in between";
  for (int i = 0; i < 5000; ++i) EXPECT_TRUE(refused.Note(std::to_string(i), "quarantined"));
}

}  // namespace
}  // namespace triarch
