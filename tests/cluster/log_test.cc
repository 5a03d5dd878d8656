// Tests what coordinators and workers log: as JSON, with every change and who made it.

#include <signal.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/base/text.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/cluster/cluster.h"

namespace triarch {
namespace {

using ::testing::ElementsAre;
using ::testing::IsSupersetOf;
using Json = nlohmann::json;

// Returns the entries of a log. Each line must be one.
std::vector<Json> Entries(const std::string& log) {
  std::vector<Json> entries;
  for (const std::string_view line : Split(log, '\n')) {
    if (line.empty()) continue;
    entries.push_back(Json::parse(line, nullptr, false));
    EXPECT_TRUE(entries.back().is_object()) << line;
    for (const char* key : {"time", "level", "message", "event"}) {
      EXPECT_TRUE(entries.back().contains(key)) << line;
    }
  }
  return entries;
}

std::vector<std::string> Messages(const std::vector<Json>& entries) {
  std::vector<std::string> messages;
  for (const Json& entry : entries) messages.push_back(entry["message"]);
  return messages;
}

// Returns the changes as "BY ROLE ACTION OBJECT OUTCOME".
std::vector<std::string> Changes(const std::vector<Json>& entries) {
  std::vector<std::string> changes;
  for (const Json& entry : entries) {
    if (entry["event"] != "change") continue;
    EXPECT_THAT(entry["peer"].get<std::string>(), testing::StartsWith("127.0.0.1:"));
    EXPECT_EQ(entry.contains("why"), entry["outcome"] != "done") << entry;
    changes.push_back(entry["by"].get<std::string>() + " " + entry["role"].get<std::string>() +
                      " " + entry["action"].get<std::string>() + " " +
                      (entry.contains("tournament") ? entry["tournament"].dump() : "-") + " " +
                      entry["outcome"].get<std::string>());
  }
  return changes;
}

TEST(Log, SaysWhoChangedWhat) {
  const TemporaryFolder folder;
  const std::string alice = "operator alice-0123456789abcdef alice\n";
  const std::string ann = "user ann-0123456789abcdef ann\n";
  const std::string worker = "worker worker-0123456789abcdef lab\n";
  WriteWholeFile(folder / "tokens", alice + ann + worker);
  WriteWholeFile(folder / "ann", ann);
  WriteWholeFile(folder / "stranger", "operator stranger-0123456789\n");
  Cluster cluster({"--token-file", folder / "tokens", "--log-format", "json"},
                  {"--token-file", folder / "tokens"});
  cluster.Lead();
  StartedProgram& anna = cluster.Work("anna", {"--log-format", "json"});
  const int64_t id = cluster.Submit(SlowTournament());
  ASSERT_EQ(id, 1);
  for (const char* command : {"pause", "resume", "cancel", "pause"}) {
    cluster.Operate({command, "1"});
  }
  cluster.Operate({"prune", "--older-than", "1d", "--dry-run"});
  cluster.Operate({"set", "1", "--priority", "0"});
  const auto as = [&](const char* who, const Arguments& command) {
    Triarch(command + Arguments{"--coordinator", cluster.address(), "--token-file", folder / who});
  };
  as("stranger", {"cancel", "1"});
  as("stranger", {"list"});
  as("ann", {"bots", "remove", "mine"});
  anna.Signal(SIGTERM);
  const Ran worked = anna.Wait();
  cluster.coordinator().Signal(SIGTERM);
  const std::vector<Json> entries = Entries(cluster.coordinator().Wait().err);
  EXPECT_THAT(Changes(entries),
              ElementsAre("alice operator submit 1 done", "alice operator pause 1 done",
                          "alice operator resume 1 done", "alice operator cancel 1 done",
                          "alice operator pause 1 refused", "alice operator set 1 done",
                          " none cancel 1 refused", "ann user bots remove - refused"));
  EXPECT_THAT(Messages(entries),
              IsSupersetOf({"Starting a coordinator.", "Leading the store.",
                            "Listening for workers and operators.", "A worker registered.",
                            "A call was refused.", "Stopped."}));
  EXPECT_EQ(worked.exit_code, 0);
  EXPECT_THAT(Messages(Entries(worked.err)),
              ElementsAre("Starting a worker.", "A coordinator answers.", "Stopped."));
}

TEST(Log, EndsWithTheReasonForAFailure) {
  const Ran ran = Triarch({"serve", "--store", "/nonexistent/x.db", "--log-format", "json"});
  EXPECT_EQ(ran.exit_code, 1);
  const std::vector<Json> entries = Entries(ran.err);
  ASSERT_FALSE(entries.empty());
  EXPECT_EQ(entries.back()["level"], "error");
  EXPECT_THAT(entries.back()["why"].get<std::string>(), testing::HasSubstr("/nonexistent"));
  EXPECT_EQ(Triarch({"serve", "--store", "x.db", "--log-format", "xml"}).exit_code, 2);
}

}  // namespace
}  // namespace triarch
