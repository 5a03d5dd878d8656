// Tests workers on other machines: cable unplugged, packets lost, a slow link, a full disk.

#include "tests/cluster/machine.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>

#include "absl/cleanup/cleanup.h"
#include "core/base/random.h"
#include "core/base/temporary_folder.h"
#include "tests/cluster/cluster.h"

// Expects the same as chaos_test.cc.
namespace triarch {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr seconds kLongerThanALease{2};
constexpr int kMetricsPort = 9081;

class MachineTest : public ::testing::Test {
 protected:
  MachineTest() : trace_(__FILE__, __LINE__, "TRIARCH_FAULT_SEED=" + std::to_string(FaultSeed())) {}

  // Starts a worker on the machine, under the machine's name.
  StartedProgram& Work(Cluster& cluster, const Machine& machine, const Arguments& flags = {}) {
    const std::string coordinator = machine.other_host() + ":" + std::to_string(cluster.port());
    const std::string metrics = machine.host() + ":" + std::to_string(kMetricsPort);
    return cluster.Work(machine.link(),
                        Arguments{"--coordinator", coordinator, "--metrics", metrics} + flags,
                        machine.starter());
  }
  std::string Metrics(const Machine& machine) const {
    return HttpGet(kMetricsPort, "/metrics", machine.host()).body;
  }
  // Returns the metric of the machine's worker, or -1 if it does not answer or has no such metric.
  double Metric(const Machine& machine, const std::string& name) const {
    const std::string text = Metrics(machine);
    const size_t line = text.find("\n" + name + " ");
    return line == std::string::npos ? -1 : std::atof(text.c_str() + line + name.size() + 2);
  }
  void Begin(Cluster& cluster) {
    id_ = cluster.Submit(tournament_);
    ASSERT_TRUE(cluster.WaitForGames(id_, 1 + random_.Below(20)));
  }

  ::testing::ScopedTrace trace_;
  Random random_{FaultSeed()};
  const Tournament tournament_ = SlowTournament();
  Machine anna_{"anna"};
  Machine bert_{"bert"};
  int64_t id_ = 0;
};

TEST_F(MachineTest, TheCableIsOutForLongerThanALease) {
  Cluster cluster({"--lease-seconds", "1"}, {}, Cluster::Open::kToAll);
  cluster.Lead();
  Work(cluster, anna_);
  Work(cluster, bert_);
  Begin(cluster);
  anna_.SetLink(false);
  std::this_thread::sleep_for(kLongerThanALease);
  anna_.SetLink(true);
  cluster.ExpectUndisturbed(id_, tournament_);
}

TEST_F(MachineTest, OneWorkersPacketsAreLostForever) {
  Cluster cluster({"--lease-seconds", "1"}, {}, Cluster::Open::kToAll);
  cluster.Lead();
  StartedProgram& anna = Work(cluster, anna_);
  Work(cluster, bert_);
  Begin(cluster);
  anna_.DropTo(cluster.port());
  cluster.ExpectUndisturbed(id_, tournament_);
  // It keeps its games and waits.
  EXPECT_TRUE(WaitUntil([&] { return Metric(anna_, "triarch_busy_slots") == 0; }));
  EXPECT_FALSE(anna.EndsWithin(milliseconds(0)));
  // And it exits on request, although no coordinator accepts its games.
  anna.Signal(SIGTERM);
  EXPECT_TRUE(anna.EndsWithin(seconds(20)));
  EXPECT_EQ(anna.Wait().exit_code, 0);
}

// A second of play produces more than the link can carry during a lease, and heartbeats queue
// behind it.
TEST_F(MachineTest, TheLinkIsNarrow) {
  Cluster cluster({"--lease-seconds", "1"}, {}, Cluster::Open::kToAll);
  cluster.Lead();
  anna_.Narrow(200'000);
  Work(cluster, anna_);
  Begin(cluster);
  cluster.ExpectUndisturbed(id_, tournament_);
}

// While the coordinator is away, finished games fill the worker's memory limit and then the disk;
// the worker reports this and stops. It submits them when the coordinator is back. At most the
// games of leases that the coordinator had not saved are stale.
TEST_F(MachineTest, TheDiskIsFull) {
  const TemporaryFolder folder;
  Administer({"mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", folder.path()});
  const absl::Cleanup unmount = [&] { Administer({"umount", folder.path()}); };
  Cluster cluster({}, {}, Cluster::Open::kToAll);
  cluster.Lead();
  StartedProgram& anna =
      Work(cluster, anna_, {"--spill", folder / "spill", "--hold-memory", "100kB"});
  Begin(cluster);
  // Enough games to play while no lease can be obtained.
  ASSERT_TRUE(WaitUntil([&] { return Metric(anna_, "triarch_open_games") >= 30; }));
  cluster.Kill();
  EXPECT_TRUE(anna.WaitForError("No space left on device"));
  ASSERT_TRUE(WaitUntil([&] { return Metric(anna_, "triarch_full") == 1; }));
  EXPECT_TRUE(WaitUntil([&] { return Metric(anna_, "triarch_busy_slots") == 0; }));
  const double held = Metric(anna_, "triarch_held_games");
  EXPECT_GT(held, 0);
  EXPECT_GT(Metric(anna_, "triarch_open_games"), 0)
      << "the disk filled up before it ran out of games";
  cluster.Lead();
  cluster.ExpectUndisturbed(id_, tournament_);
  EXPECT_EQ(Metric(anna_, "triarch_held_games"), 0);
}

}  // namespace
}  // namespace triarch

int main(int argc, char** argv) {
  triarch::EnterNamespaces(argv);
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
