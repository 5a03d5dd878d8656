#ifndef TRIARCH_TESTS_CLUSTER_MACHINE_H_
#define TRIARCH_TESTS_CLUSTER_MACHINE_H_

#include <string>

#include "tests/cluster/cluster.h"

// Machines and links of a test's own, as the kernel's namespaces give them.
namespace triarch {

// Begins this program again with a network and mounts of its own, in which it is allowed to do
// everything; at the start of main. All that is made there goes with the last of the test's
// processes, however they end, and nobody else sees it. Root may do so, and whoever else may make
// user namespaces.
void EnterNamespaces(char** argv);

// Runs `ip`, `tc`, `nft` or `mount`, which must succeed.
void Administer(const Arguments& command);

// A machine of which only the network is its own. A link leads from it to the test and to what else
// the test starts.
class Machine {
 public:
  explicit Machine(const std::string& name);
  ~Machine();
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  // What starts a program there.
  Arguments starter() const;
  std::string host() const { return host_; }              // its address
  std::string other_host() const { return other_host_; }  // that of the link's other end
  std::string link() const { return name_; }              // the name of that end

  // The cable is pulled out, or plugged in again.
  void SetLink(bool is_up);
  // What the machine sends gets on the link so slowly from now on, in order, and waits as long as
  // it takes.
  void Narrow(int bytes_per_second);
  // Whatever the machine sends to that port is lost from now on; no one is told.
  void DropTo(int port);

 private:
  const std::string name_;
  std::string host_;
  std::string other_host_;
};

}  // namespace triarch

#endif  // TRIARCH_TESTS_CLUSTER_MACHINE_H_
