#include "worker/sandbox/sandbox_filter.h"

#include <linux/sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <memory>

#include "core/base/status_macros.h"
#include "worker/sandbox/sandbox_fd.h"

namespace triarch {
namespace {

// A list of what is denied and not of what is allowed: bots come in all languages, and a runtime
// that needs a new harmless call must not break. The namespaces and the missing capabilities
// already forbid most of this; the filter takes the kernel code behind it out of a bot's reach, for
// that is where ways out of namespaces have been found. A denied call fails with EPERM, as for any
// user without rights, and does not kill: runtimes try things and live without them.
constexpr std::array kDenied = {
    // Other views of the file system.
    "mount", "umount", "umount2", "pivot_root", "chroot", "move_mount", "open_tree", "fsopen",
    "fsconfig", "fsmount", "fspick", "mount_setattr", "open_by_handle_at", "name_to_handle_at",
    "quotactl", "quotactl_fd", "fanotify_init",
    // Other namespaces. A new user namespace gives all capabilities in it: half of the kernel's
    // holes need that first. clone is below.
    "unshare", "setns",
    // Other processes' memory and descriptors.
    "ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "kcmp", "pidfd_getfd",
    // Parts of the kernel with a long list of holes, of no use to a player.
    "bpf", "perf_event_open", "userfaultfd", "io_uring_setup", "io_uring_enter",
    "io_uring_register", "add_key", "request_key", "keyctl", "modify_ldt", "vmsplice",
    // The machine itself.
    "init_module", "finit_module", "delete_module", "create_module", "kexec_load",
    "kexec_file_load", "reboot", "swapon", "swapoff", "settimeofday", "clock_settime",
    "clock_settime64", "clock_adjtime", "clock_adjtime64", "adjtimex", "stime", "acct", "syslog",
    "iopl", "ioperm", "sethostname", "setdomainname", "vhangup", "nfsservctl", "lookup_dcookie",
    "_sysctl", "uselib", "ustat", "sysfs",
    // Where other processes' memory lies on machines with several nodes.
    "migrate_pages", "move_pages"};

constexpr std::array<uint64_t, 7> kNamespaces = {CLONE_NEWNS,  CLONE_NEWCGROUP, CLONE_NEWUTS,
                                                 CLONE_NEWIPC, CLONE_NEWUSER,   CLONE_NEWPID,
                                                 CLONE_NEWNET};

using Filter = std::unique_ptr<void, decltype(&seccomp_release)>;

absl::Status Checked(int result) {
  return result == 0 ? absl::OkStatus() : SystemError("seccomp filter", -result);
}

absl::Status Deny(const Filter& filter, const char* name, int error) {
  const int number = seccomp_syscall_resolve_name(name);
  if (number == __NR_SCMP_ERROR) return absl::OkStatus();  // unknown to this libseccomp
  return Checked(
      seccomp_rule_add(filter.get(), SCMP_ACT_ERRNO(static_cast<uint32_t>(error)), number, 0));
}

// Denies the call when the argument compares like that.
absl::Status DenyIf(const Filter& filter, int number, int error, scmp_arg_cmp argument) {
  return Checked(seccomp_rule_add_array(filter.get(), SCMP_ACT_ERRNO(static_cast<uint32_t>(error)),
                                        number, 1, &argument));
}

scmp_arg_cmp ArgumentIsNot(unsigned index, uint64_t value) {
  return {.arg = index, .op = SCMP_CMP_NE, .datum_a = value, .datum_b = 0};
}
scmp_arg_cmp ArgumentHas(unsigned index, uint64_t mask, uint64_t bits) {
  return {.arg = index, .op = SCMP_CMP_MASKED_EQ, .datum_a = mask, .datum_b = bits};
}

absl::Status AddRules(const Filter& filter) {
  // Calls in the manner of another processor (32-bit programs, x32) would pass the list by.
  RETURN_IF_ERROR(
      Checked(seccomp_attr_set(filter.get(), SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS)));
  // A tree and not a list: a bot makes calls all the time.
  RETURN_IF_ERROR(Checked(seccomp_attr_set(filter.get(), SCMP_FLTATR_CTL_OPTIMIZE, 2)));
  for (const char* name : kDenied) RETURN_IF_ERROR(Deny(filter, name, EPERM));
  // Its flags are in memory, where a filter cannot look. The C library then takes clone.
  RETURN_IF_ERROR(Deny(filter, "clone3", ENOSYS));
  for (const uint64_t flag : kNamespaces) {
    RETURN_IF_ERROR(DenyIf(filter, SCMP_SYS(clone), EPERM, ArgumentHas(0, flag, flag)));
  }
  // There is no network; a netlink or packet socket would still be one more way into the kernel.
  // Local sockets reach only what is in the sandbox.
  RETURN_IF_ERROR(DenyIf(filter, SCMP_SYS(socket), EAFNOSUPPORT, ArgumentIsNot(0, AF_UNIX)));
  // 0xffffffff asks which it is. Others switch protections of memory off.
  RETURN_IF_ERROR(DenyIf(filter, SCMP_SYS(personality), EPERM, ArgumentIsNot(0, 0xffffffff)));
  // Typing into a terminal from which the worker was started.
  for (const uint64_t request : {uint64_t{TIOCSTI}, uint64_t{TIOCLINUX}}) {
    RETURN_IF_ERROR(DenyIf(filter, SCMP_SYS(ioctl), EPERM, ArgumentHas(1, 0xffffffff, request)));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::string> MakeSandboxFilter() {
  const Filter filter(seccomp_init(SCMP_ACT_ALLOW), seccomp_release);
  if (filter == nullptr) return absl::InternalError("seccomp filter: no memory");
  RETURN_IF_ERROR(AddRules(filter));
  ASSIGN_OR_RETURN(const Fd file, MakeMemoryFile(""));
  RETURN_IF_ERROR(Checked(seccomp_export_bpf(filter.get(), file.get())));
  std::string program(static_cast<size_t>(lseek(file.get(), 0, SEEK_END)), '\0');
  const ssize_t count = pread(file.get(), program.data(), program.size(), 0);
  if (count != static_cast<ssize_t>(program.size())) return SystemError("seccomp filter");
  return program;
}

}  // namespace triarch
