#include "worker/sandbox/sandbox_filter.h"

#include <fcntl.h>
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

// A deny list rather than an allow list: bots come in all languages, and a runtime that needs a new
// harmless call must not break. The namespaces and missing capabilities already forbid most of
// these calls. The filter also makes the kernel code behind them unreachable, where most escapes
// from namespaces were found. A denied call fails with EPERM, as for any unprivileged user, instead
// of killing the process, because runtimes probe calls and cope without them.
constexpr std::array kDenied = {
    // Changing the view of the file system.
    "mount", "umount", "umount2", "pivot_root", "chroot", "move_mount", "open_tree", "fsopen",
    "fsconfig", "fsmount", "fspick", "mount_setattr", "open_by_handle_at", "name_to_handle_at",
    "quotactl", "quotactl_fd",
    // Locks on files and news of them. Bots share the files of /usr, so these would carry messages
    // between bots at one table. fcntl is handled below.
    "flock", "inotify_init", "inotify_init1", "inotify_add_watch", "inotify_rm_watch",
    "fanotify_init", "fanotify_mark",
    // What all processes of the machine share: the page cache, the disks, a small number of
    // asynchronous I/O requests.
    "fadvise64", "readahead", "sync", "syncfs", "io_setup",
    // Joining other namespaces. A new user namespace grants all capabilities in it, which half of
    // the kernel's exploits need first. clone is handled below.
    "unshare", "setns",
    // Memory and descriptors of other processes.
    "ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "kcmp", "pidfd_getfd",
    // Kernel subsystems with a long history of vulnerabilities that no player needs.
    "bpf", "perf_event_open", "userfaultfd", "io_uring_setup", "io_uring_enter",
    "io_uring_register", "add_key", "request_key", "keyctl", "modify_ldt", "vmsplice",
    // The machine itself.
    "init_module", "finit_module", "delete_module", "create_module", "kexec_load",
    "kexec_file_load", "reboot", "swapon", "swapoff", "settimeofday", "clock_settime",
    "clock_settime64", "clock_adjtime", "clock_adjtime64", "adjtimex", "stime", "acct", "syslog",
    "iopl", "ioperm", "sethostname", "setdomainname", "vhangup", "nfsservctl", "lookup_dcookie",
    "_sysctl", "uselib", "ustat", "sysfs",
    // Location of other processes' memory on NUMA machines.
    "migrate_pages", "move_pages"};

constexpr std::array<uint64_t, 7> kNamespaces = {CLONE_NEWNS,  CLONE_NEWCGROUP, CLONE_NEWUTS,
                                                 CLONE_NEWIPC, CLONE_NEWUSER,   CLONE_NEWPID,
                                                 CLONE_NEWNET};

// Commands of fcntl that change or read what all who open a file share: locks, leases, and hints
// about its lifetime.
constexpr std::array<int, 13> kSharedFileCommands = {
    F_GETLK,           F_SETLK,    F_SETLKW, F_OFD_GETLK,   F_OFD_SETLK,   F_OFD_SETLKW,
    F_SETLEASE,        F_GETLEASE, F_NOTIFY, F_GET_RW_HINT, F_SET_RW_HINT, F_GET_FILE_RW_HINT,
    F_SET_FILE_RW_HINT};

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

// Denies the call if the argument compares as given.
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
// Ignores the upper half, as the kernel does with an int.
scmp_arg_cmp ArgumentIs(unsigned index, uint64_t value) {
  return ArgumentHas(index, 0xffffffff, value);
}

absl::Status AddRules(const Filter& filter) {
  // Calls through another ABI (32-bit, x32) would bypass the list.
  RETURN_IF_ERROR(
      Checked(seccomp_attr_set(filter.get(), SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS)));
  // A tree is faster than a list, and a bot makes calls all the time.
  RETURN_IF_ERROR(Checked(seccomp_attr_set(filter.get(), SCMP_FLTATR_CTL_OPTIMIZE, 2)));
  for (const char* name : kDenied) RETURN_IF_ERROR(Deny(filter, name, EPERM));
  // clone3 takes its flags in memory, which a filter cannot read. The C library falls back to
  // clone.
  RETURN_IF_ERROR(Deny(filter, "clone3", ENOSYS));
  for (const uint64_t flag : kNamespaces) {
    RETURN_IF_ERROR(DenyIf(filter, SCMP_SYS(clone), EPERM, ArgumentHas(0, flag, flag)));
  }
  // There is no network, but a netlink or packet socket would open another way into the kernel.
  // Local sockets reach only the sandbox itself.
  RETURN_IF_ERROR(DenyIf(filter, SCMP_SYS(socket), EAFNOSUPPORT, ArgumentIsNot(0, AF_UNIX)));
  // 0xffffffff queries the personality. Other values can disable memory protections.
  RETURN_IF_ERROR(DenyIf(filter, SCMP_SYS(personality), EPERM, ArgumentIsNot(0, 0xffffffff)));
  // Injecting input into the terminal that the worker was started from.
  for (const uint64_t request : {uint64_t{TIOCSTI}, uint64_t{TIOCLINUX}}) {
    RETURN_IF_ERROR(DenyIf(filter, SCMP_SYS(ioctl), EPERM, ArgumentIs(1, request)));
  }
  for (const int command : kSharedFileCommands) {
    RETURN_IF_ERROR(
        DenyIf(filter, SCMP_SYS(fcntl), EPERM, ArgumentIs(1, static_cast<uint64_t>(command))));
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
