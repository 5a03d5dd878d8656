#include "tests/cluster/machine.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include "core/base/check.h"

namespace triarch {
namespace {

constexpr const char* kMark = "TRIARCH_TEST_NAMESPACES";

Ran Run(const Arguments& command) {
  return RunProgram("/usr/bin/env", Arguments{"PATH=/usr/sbin:/usr/bin:/sbin:/bin"} + command);
}

}  // namespace

void EnterNamespaces(char** argv) {
  if (std::getenv(kMark) != nullptr) {
    CHECK(Run({"ip", "link", "set", "lo", "up"}).exit_code == 0);
    // `ip netns` keeps its names there.
    CHECK(Run({"mount", "-t", "tmpfs", "tmpfs", "/run"}).exit_code == 0);
    return;
  }
  setenv(kMark, "1", 1);
  std::vector<const char*> words = {TRIARCH_UNSHARE, "--net", "--mount"};
  // Keeps the user, because PostgreSQL refuses to run as root.
  if (geteuid() != 0) words.insert(words.end(), {"--map-current-user", "--keep-caps"});
  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  words.push_back(self.c_str());
  for (char** argument = argv + 1; *argument != nullptr; ++argument) words.push_back(*argument);
  words.push_back(nullptr);
  execv(words[0], const_cast<char**>(words.data()));
  std::perror(TRIARCH_UNSHARE);
  std::abort();
}

void Administer(const Arguments& command) {
  const Ran ran = Run(command);
  std::string words;
  for (const std::string& word : command) words += " " + word;
  EXPECT_EQ(ran.exit_code, 0) << words << "\n" << ran.err;
}

Machine::Machine(const std::string& name) : name_(name) {
  static int machines = 0;
  const std::string net = "10.77." + std::to_string(++machines) + ".";
  other_host_ = net + "1";
  host_ = net + "2";
  Administer({"ip", "netns", "add", name_});
  Administer({"ip", "link", "add", name_, "type", "veth", "peer", "name", "eth0", "netns", name_});
  Administer({"ip", "addr", "add", other_host_ + "/24", "dev", name_});
  Administer({"ip", "-n", name_, "addr", "add", host_ + "/24", "dev", "eth0"});
  Administer({"ip", "-n", name_, "link", "set", "eth0", "up"});
  SetLink(true);
}

Machine::~Machine() {
  Administer({"ip", "link", "del", name_});
  Administer({"ip", "netns", "del", name_});
}

Arguments Machine::starter() const { return {TRIARCH_NSENTER, "--net=/run/netns/" + name_}; }

void Machine::SetLink(bool is_up) {
  Administer({"ip", "link", "set", name_, is_up ? "up" : "down"});
}

void Machine::Narrow(int bytes_per_second) {
  // The burst is what passes in the shortest kernel timer interval, but at least one packet.
  Administer({"tc", "-n", name_, "qdisc", "add", "dev", "eth0", "root", "tbf", "rate",
              std::to_string(bytes_per_second) + "bps", "burst", "4kb", "latency", "60s"});
}

void Machine::DropTo(int port) {
  Administer({"nft", "add", "table", "inet", name_});
  Administer(
      {"nft", "add", "chain", "inet", name_, "input", "{ type filter hook input priority 0; }"});
  Administer({"nft", "add", "rule", "inet", name_, "input", "iifname", name_, "tcp", "dport",
              std::to_string(port), "drop"});
}

}  // namespace triarch
