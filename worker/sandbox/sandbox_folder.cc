#include "worker/sandbox/sandbox_folder.h"

#include <fcntl.h>
#include <linux/mount.h>
#include <linux/sched.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstdint>
#include <vector>

#include "core/base/status_macros.h"
#include "worker/sandbox/sandbox_child.h"

namespace triarch {
namespace {

constexpr mode_t kFolderMode = 0700;  // as bubblewrap creates folders, for the bot's user

// Prepared before the vfork, because the child must not allocate memory.
struct Plan {
  int source;
  const char* source_path;
  int init;
  std::optional<uid_t> user;
  const char* dir;
  std::vector<std::string> parents;  // "/a", "/a/b" and "/a/b/c" if dir is "/a/b/c"
};

std::vector<std::string> Parents(const std::string& dir) {
  std::vector<std::string> parents;
  for (size_t end = dir.find('/', 1); end != std::string::npos; end = dir.find('/', end + 1)) {
    parents.push_back(dir.substr(0, end));
  }
  parents.push_back(dir);
  return parents;
}

long SetMount(int mount, const char* path, unsigned flags, uint64_t set, uint64_t clear) {
  mount_attr attributes = {};
  attributes.attr_set = set;
  attributes.attr_clr = clear;
  // Mounts outside do not affect this one.
  if ((flags & AT_RECURSIVE) != 0) attributes.propagation = MS_PRIVATE;
  return Call(SYS_mount_setattr, mount, path, flags, &attributes, sizeof attributes);
}

// Returns a mount of the folder that is not attached to any path yet, or -1.
int CloneMount(int folder, const char* path) {
  constexpr unsigned kFlags = OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE | AT_EMPTY_PATH;
  return static_cast<int>(Call(SYS_open_tree, folder, path, kFlags));
}

void MakeReadOnly(const ChildSteps& steps, int mount) {
  constexpr uint64_t kRights = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV;
  steps.Must("mount_setattr (Linux 5.12)",
             SetMount(mount, "", AT_EMPTY_PATH | AT_RECURSIVE, kRights, 0));
}

// The root folder is a file system in memory. It is read-only for the bot.
void Attach(const ChildSteps& steps, int mount, const Plan& plan) {
  steps.Must("writing to /", SetMount(AT_FDCWD, "/", 0, 0, MOUNT_ATTR_RDONLY));
  for (const std::string& parent : plan.parents) {
    if (Call(SYS_mkdir, parent.c_str(), kFolderMode) < 0 && errno != EEXIST) steps.Fail("mkdir");
  }
  steps.Must("move_mount",
             Call(SYS_move_mount, mount, "", AT_FDCWD, plan.dir, MOVE_MOUNT_F_EMPTY_PATH));
  steps.Must("protecting /", SetMount(AT_FDCWD, "/", 0, MOUNT_ATTR_RDONLY, 0));
}

// Enters the sandbox as its user, because root may lack the right to enter it.
void Show(const ChildSteps& steps, const Plan& plan) {
  // With root's rights, this also works for a folder that the bot's user cannot reach.
  int mount = CloneMount(plan.source, "");
  if (mount < 0 && errno != EPERM) steps.Fail("open_tree");
  if (mount >= 0) MakeReadOnly(steps, mount);
  if (plan.user) BecomeUser(steps, *plan.user);
  steps.Must("setns user", Call(SYS_setns, plan.init, CLONE_NEWUSER));
  if (mount < 0) {
    // Does what bubblewrap does for a user without rights. The folder's descriptor belongs to the
    // namespace outside.
    steps.Must("unshare", Call(SYS_unshare, CLONE_NEWNS));
    mount = CloneMount(AT_FDCWD, plan.source_path);
    steps.Must("open_tree", mount);
    MakeReadOnly(steps, mount);
  }
  steps.Must("setns mount", Call(SYS_setns, plan.init, CLONE_NEWNS));
  Attach(steps, mount, plan);
}

}  // namespace

absl::Status ShowFolder(const SourceFolder& source, const Fd& init, std::optional<uid_t> user,
                        const std::string& dir) {
  const Plan plan = {.source = source.fd.get(),
                     .source_path = source.path.c_str(),
                     .init = init.get(),
                     .user = user,
                     .dir = dir.c_str(),
                     .parents = Parents(dir)};
  ASSIGN_OR_RETURN(const pid_t pid, Vfork([&plan](ChildSteps* steps) { Show(*steps, plan); }));
  ReapChild(pid);
  return absl::OkStatus();
}

}  // namespace triarch
