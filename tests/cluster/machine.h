// Simulates machines and network links with kernel namespaces.

#ifndef TRIARCH_TESTS_CLUSTER_MACHINE_H_
#define TRIARCH_TESTS_CLUSTER_MACHINE_H_

#include <string>

#include "tests/cluster/cluster.h"

namespace triarch {

// Restarts this program in its own network and mount namespaces, in which it has all privileges.
// Call it at the start of main. Everything created there disappears with the last process of the
// test and is invisible outside. Works for root and for any user who may create user namespaces.
void EnterNamespaces(char** argv);

// Runs `ip`, `tc`, `nft` or `mount`. Aborts if it fails.
void Administer(const Arguments& command);

// A machine with its own network only. A link connects it to the test and to everything else that
// the test starts.
class Machine {
 public:
  explicit Machine(const std::string& name);
  ~Machine();
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  // The command that starts a program on the machine.
  Arguments starter() const;
  std::string host() const { return host_; }              // its address
  std::string other_host() const { return other_host_; }  // the address of the link's other end
  std::string link() const { return name_; }              // the name of the link's other end

  // Unplugs or plugs in the cable.
  void SetLink(bool is_up);
  // Limits the machine's sending rate from now on. Packets wait in order for as long as it takes.
  void Narrow(int bytes_per_second);
  // From now on silently drops everything that the machine sends to that port.
  void DropTo(int port);

 private:
  const std::string name_;
  std::string host_;
  std::string other_host_;
};

}  // namespace triarch

#endif  // TRIARCH_TESTS_CLUSTER_MACHINE_H_
