// Tests audits by recomputation with real workers of several owners.

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/cluster/cluster.h"
#include "tests/e2e/binary_runner.h"

namespace triarch {
namespace {

using Json = nlohmann::json;

// Starts a worker with a token of its own.
std::unique_ptr<StartedProgram> WorkFor(const Cluster& cluster, const std::string& owner) {
  const std::string file = cluster.folder() / ("token-" + owner);
  WriteWholeFile(file, "worker " + owner + "-0123456789abcdef\n");
  return StartTriarch({"work", "--coordinator", cluster.addresses(), "--name", owner + "-1",
                       "--slots", "1", "--token-file", file});
}

// The games of strangers count only after audits, and then the results are those of a local run,
// even if the coordinator dies in between.
TEST(Audit, StrangersPlayATournament) {
  const Tournament tournament = SlowTournament();
  Cluster cluster({}, {}, Cluster::Open::kToAll);
  WriteWholeFile(cluster.folder() / "tokens",
                 "operator operator-0123456789\n"
                 "worker own-0123456789abcdef own\n"
                 "worker alice-0123456789abcdef alice audits=5\n"
                 "worker bob-0123456789abcdef bob audits=5\n");
  cluster.Lead();
  const int64_t id = cluster.Submit(tournament);
  const auto alice = WorkFor(cluster, "alice");
  const auto bob = WorkFor(cluster, "bob");
  ASSERT_TRUE(WaitUntil([&] {
    const auto now = cluster.Get(id);
    return now.ok() && now->held() + now->done() > 20;
  }));
  cluster.Kill();
  cluster.Lead();
  cluster.ExpectUndisturbed(id, tournament);
  EXPECT_TRUE(WaitUntil([&] {
    return cluster.postgres().Ask(cluster.database(), "SELECT count(*) FROM held_reports") == "0";
  }));
  EXPECT_EQ(cluster.postgres().Ask(cluster.database(),
                                   "SELECT count(*) FROM audits WHERE outcome <> 'passed'"),
            "0");
  const Json listed = Json::parse(cluster.Operate({"list", "--json"}).out)["tournaments"][0];
  EXPECT_EQ(listed["held"], 0) << listed;
  EXPECT_GE(listed["audits_passed"], 5) << listed;
}

}  // namespace
}  // namespace triarch
