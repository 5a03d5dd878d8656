// Attacks a coordinator's port as a stranger, directly and through the front end of deploy/front.

#include <chrono>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/cluster/authority.h"
#include "tests/cluster/cluster.h"
#include "tests/cluster/processes.h"

namespace triarch {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::HasSubstr;

constexpr double kMegabytesMax = 256;

// A coordinator with a file as its store.
class Coordinator {
 public:
  explicit Coordinator(const Arguments& starter = {}) {
    WriteWholeFile(tokens(), "operator operator-0123456789\nworker worker-0123456789\n");
    WriteWholeFile(wrong_tokens(), "operator operator-9876543210\nworker worker-9876543210\n");
    program_ = StartTriarch(
        {"serve", "--store", folder_ / "x.db", "--listen", address(), "--token-file", tokens()},
        starter);
    EXPECT_TRUE(program_->WaitForError("Listening"));
  }
  std::string tokens() const { return folder_ / "tokens"; }
  std::string wrong_tokens() const { return folder_ / "wrong"; }
  std::string address() const { return Loopback(port_); }
  double megabytes() const { return MemoryOf(program_->pid(), "VmHWM"); }

 private:
  const TemporaryFolder folder_;
  const int port_ = FreePort();
  std::unique_ptr<StartedProgram> program_;
};

class FrontEnd {
 public:
  // With `client_ca`, it admits only clients with a certificate.
  FrontEnd(const std::string& coordinator, const std::string& tokens, const Authority& authority,
           bool wants_certificates) {
    Arguments command = {"/usr/bin/env", "TRIARCH_FRONT=" + address(),
                         "TRIARCH_COORDINATOR=" + coordinator,
                         "TRIARCH_FRONT_PEM=" + authority.CertAndKey("server")};
    if (wants_certificates) command.push_back("TRIARCH_FRONT_CA=" + authority.ca());
    program_ = std::make_unique<StartedProgram>(
        TRIARCH_SETPRIV,
        Arguments{"--pdeathsig", "KILL"} + command + Arguments{TRIARCH_FRONT, tokens});
    const auto answers = [&] {
      return Triarch(Arguments{"list", "--coordinator", address(), "--token-file", tokens} +
                     authority.ClientFlags(wants_certificates))
                 .exit_code == 0;
    };
    EXPECT_TRUE(WaitUntil(answers)) << "no front end";
  }
  std::string address() const { return Loopback(port_); }
  double megabytes() const { return MemoryOf(program_->pid(), "VmHWM"); }

 private:
  const int port_ = FreePort();
  std::unique_ptr<StartedProgram> program_;
};

Arguments AttackCommand(const std::string& address, const Arguments& attack) {
  return Arguments{TRIARCH_FLOOD, attack.front(), address} +
         Arguments(attack.begin() + 1, attack.end());
}

void Attack(const std::string& address, const Arguments& attack) {
  const Ran ran = RunProgram(TRIARCH_PYTHON, AttackCommand(address, attack));
  EXPECT_EQ(ran.exit_code, 0) << ran.out << ran.err;
}

// ---- The coordinator's own limits.

TEST(Flood, ConnectionsDoNotUseUpTheDescriptors) {
  Coordinator coordinator({TRIARCH_PRLIMIT, "--nofile=200"});
  Attack(coordinator.address(), {"idle", "--count", "300", "--seconds", "1"});
  const Ran list = Triarch(
      {"list", "--coordinator", coordinator.address(), "--token-file", coordinator.tokens()});
  EXPECT_EQ(list.exit_code, 0) << list.err;
}

TEST(Flood, CompressedMessagesAreNotInflated) {
  Coordinator coordinator;
  Attack(coordinator.address(), {"gzip", "--count", "500", "--seconds", "2"});
  EXPECT_LT(coordinator.megabytes(), kMegabytesMax);
}

// A coordinator that has no descriptor left cannot answer its port, as if gRPC hung.
class DeafTest : public ::testing::Test {
 protected:
  void Limit(const std::string& descriptors) {
    const Ran ran =
        RunProgram(TRIARCH_PRLIMIT, {"--pid", std::to_string(cluster_.coordinator(0).pid()),
                                     "--nofile=" + descriptors + ":1000"});
    ASSERT_EQ(ran.exit_code, 0) << ran.err;
  }
  Cluster cluster_;
};

TEST_F(DeafTest, HealthReportsAPortThatDoesNotAnswer) {
  cluster_.Lead(0);
  EXPECT_EQ(HttpGet(cluster_.http_port(0), "/healthz").status, 200);
  HttpResponse health;
  const auto is_unhealthy = [&] {
    Limit("3");
    std::this_thread::sleep_for(milliseconds(200));
    Limit("1000");
    health = HttpGet(cluster_.http_port(0), "/healthz");
    return health.status == 503;
  };
  EXPECT_TRUE(WaitUntil(is_unhealthy));
  EXPECT_THAT(health.body, HasSubstr("the port has not answered"));
  EXPECT_TRUE(WaitUntil([&] { return HttpGet(cluster_.http_port(0), "/healthz").status == 200; }));
}

TEST_F(DeafTest, TheStandbyTakesOver) {
  cluster_.Lead(0);
  cluster_.Serve(1);
  Limit("3");
  ASSERT_TRUE(cluster_.coordinator(0).EndsWithin(seconds(60)));
  const Ran ended = cluster_.coordinator(0).Wait();
  EXPECT_EQ(ended.exit_code, 1);
  EXPECT_THAT(ended.err, HasSubstr("why=\"the port has not answered the last 3 calls"));
  EXPECT_TRUE(WaitUntil([&] { return cluster_.Leads(1); }));
}

// ---- The front end.

TEST(FrontEnd, KeepsAttacksFromTheCoordinator) {
  const Authority authority("ours");
  Coordinator coordinator;
  FrontEnd front(coordinator.address(), coordinator.tokens(), authority, false);
  const Arguments list =
      Arguments{"list", "--coordinator", front.address(), "--token-file", coordinator.tokens()} +
      authority.ClientFlags(false);
  int address = 1;  // each attack comes from an address of its own, which may be locked out
  for (const Arguments& attack :
       std::vector<Arguments>{{"idle", "--count", "300", "--seconds", "1"},
                              {"streams", "--count", "20000", "--seconds", "1"},
                              {"reset", "--count", "4", "--seconds", "2"},
                              {"continuation", "--count", "48", "--seconds", "1"},
                              {"messages", "--count", "6", "--seconds", "2"},
                              {"gzip", "--count", "500", "--seconds", "1"},
                              {"pings", "--seconds", "1"}}) {
    SCOPED_TRACE(attack.front());
    const Arguments from = {"--tls", "--source", "127.0.0." + std::to_string(++address)};
    StartedProgram attacker(TRIARCH_PYTHON, AttackCommand(front.address(), attack + from));
    EXPECT_EQ(Triarch(list).exit_code, 0) << "during the attack";
    const Ran ran = attacker.Wait();
    EXPECT_EQ(ran.exit_code, 0) << ran.out << ran.err;
    EXPECT_EQ(Triarch(list).exit_code, 0) << "after the attack";
  }
  EXPECT_LT(coordinator.megabytes(), kMegabytesMax);
  EXPECT_LT(front.megabytes(), kMegabytesMax);
}

TEST(FrontEnd, NeedsATokenAndACertificate) {
  const Authority ours("ours");
  const Authority theirs("theirs");
  Coordinator coordinator;
  FrontEnd front(coordinator.address(), coordinator.tokens(), ours, true);
  const auto list = [&](const std::string& tokens, const Arguments& tls) {
    return Triarch(Arguments{"list", "--coordinator", front.address(), "--token-file", tokens} +
                   tls);
  };
  EXPECT_EQ(list(coordinator.tokens(), ours.ClientFlags(true)).exit_code, 0);
  EXPECT_THAT(list(coordinator.wrong_tokens(), ours.ClientFlags(true)).err,
              HasSubstr("the coordinator does not know this token"));
  EXPECT_EQ(list(coordinator.tokens(), ours.ClientFlags(false)).exit_code, 1);
  EXPECT_EQ(list(coordinator.tokens(), {"--tls-ca", ours.ca(), "--tls-cert", theirs.Cert("client"),
                                        "--tls-key", theirs.Key("client")})
                .exit_code,
            1);
}

TEST(FrontEnd, ServesWorkersAndSaysWhenItsCoordinatorDoesNotLead) {
  const Authority authority("ours");
  const TemporaryFolder folder;
  const std::string tokens = folder / "tokens";
  WriteWholeFile(tokens, "operator operator-0123456789\nworker worker-0123456789\n");
  const Arguments client = authority.ClientFlags(true) + Arguments{"--token-file", tokens};
  Cluster cluster({}, client);
  cluster.Lead();
  FrontEnd front(cluster.address(), tokens, authority, true);
  WriteWholeFile(folder / "t.yaml", SmallTournament().yaml);
  const Arguments at_front = client + Arguments{"--coordinator", front.address()};
  EXPECT_EQ(Triarch(Arguments{"submit", folder / "t.yaml"} + at_front).exit_code, 0);
  cluster.Work("anna", {"--coordinator", front.address()});
  EXPECT_EQ(Triarch(Arguments{"watch", "1"} + at_front).exit_code, 0);
  const std::string tpgn = folder / "games.tpgn";
  EXPECT_EQ(Triarch(Arguments{"games", "1", "--tpgn", tpgn} + at_front).exit_code, 0);
  EXPECT_EQ(ReadWholeFile(tpgn), Undisturbed(SmallTournament()).tpgn);
  cluster.Kill();
  EXPECT_THAT(Triarch(Arguments{"list"} + at_front).err,
              HasSubstr("the coordinator behind this front end does not lead"));
}

}  // namespace
}  // namespace triarch
