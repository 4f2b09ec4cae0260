"""What the kernel can take away from a child, as far as it lets us.

Everything here is irreversible for the calling process, so only `child.py` calls it.
"""

import ctypes
import os
import resource
import signal
from contextlib import suppress

from docsieve.sandbox.limits import Limits

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_PR_SET_NO_NEW_PRIVS = 38
_CLONE_NEWNS = 0x0002_0000
_CLONE_NEWUSER = 0x1000_0000
_CLONE_NEWPID = 0x2000_0000
_CLONE_NEWNET = 0x4000_0000
_MS_REC, _MS_PRIVATE = 0x4000, 0x4_0000

# From the strongest to none: as root, as a user whom the kernel grants namespaces, network alone, nothing.
_ATTEMPTS = (
    _CLONE_NEWNET | _CLONE_NEWPID,
    _CLONE_NEWUSER | _CLONE_NEWNET | _CLONE_NEWPID,
    _CLONE_NEWNET,
)

_NAMES = {"network": _CLONE_NEWNET, "processes": _CLONE_NEWPID, "users": _CLONE_NEWUSER}
_SPARE_MEMORY = 256 * 1024**2
_SPARE_ADDRESSES = 4 * 1024**3

_libc = ctypes.CDLL(None, use_errno=True)


def die_with_parent(parent: int, by: signal.Signals = signal.SIGKILL) -> None:
    """Get the signal when the parent dies; end at once if it died before this was asked for."""
    _libc.prctl(_PR_SET_PDEATHSIG, by, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)


def adopt_orphans() -> None:
    _libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def gain_no_privileges() -> None:
    _libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)


def leave_namespaces() -> frozenset[str]:
    """Leave `network` and, from the next fork on, `processes`, as a user with `users` of its own if need be."""
    uid, gid = os.getuid(), os.getgid()
    for flags in _ATTEMPTS:
        if _libc.unshare(flags) == 0:
            if flags & _CLONE_NEWUSER:
                _keep_identity(uid, gid)
            return frozenset(name for name, flag in _NAMES.items() if flags & flag)
    return frozenset()


def counts_processes_of_a_namespace() -> bool:
    """Whether the limit of processes counts those of a user namespace apart: since Linux 5.14."""
    major, minor = os.uname().release.split(".")[:2]
    return (int(major), int("".join(filter(str.isdigit, minor)) or 0)) >= (5, 14)


def _keep_identity(uid: int, gid: int) -> None:
    """Keep the numbers of user and group; files stay accessible without them, so a refusal does no harm."""
    for name, content in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
        with suppress(PermissionError), open(f"/proc/self/{name}", "w") as file:
            file.write(content)


def leave_mounts() -> bool:
    """Have mounts of our own; false where the kernel does not let us.

    Called in a process namespace of our own, it shows only that under /proc: the environment of the worker could be
    read there.
    """
    if _libc.unshare(_CLONE_NEWNS) != 0 or _libc.mount(None, b"/", None, _MS_REC | _MS_PRIVATE, None) != 0:
        return False
    return bool(_libc.mount(b"proc", b"/proc", b"proc", 0, None) == 0)


def confine(limits: Limits, *, counts_processes: bool) -> None:
    """Set the limits that the kernel keeps.

    Memory is watched from outside, because what is resident counts: these limits refuse only what is far beyond. OCR
    reserves several times what it uses, and native code that is refused memory may give nonsense instead of failing.
    Processes can be limited where the kernel counts those of this child alone.
    """
    memory = limits.memory_mb * 1024**2
    wanted = [
        (resource.RLIMIT_DATA, 2 * memory + _SPARE_MEMORY),
        (resource.RLIMIT_AS, memory + memory // 4 + _SPARE_ADDRESSES),
        (resource.RLIMIT_FSIZE, limits.output_bytes),
        (resource.RLIMIT_NOFILE, limits.open_files),
        (resource.RLIMIT_CORE, 0),
    ]
    if counts_processes:
        # Threads count as well, and libraries start some for each core.
        wanted.append((resource.RLIMIT_NPROC, limits.processes + 4 * (os.cpu_count() or 1)))
    for kind, value in wanted:
        _, hard = resource.getrlimit(kind)
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(kind, (value, value))


def allow_cpu(seconds: int) -> None:
    """Let this process use so much more CPU time; only the soft limit moves, the hard one could not be raised again."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    soft = int(usage.ru_utime + usage.ru_stime) + seconds + 1
    resource.setrlimit(resource.RLIMIT_CPU, (soft if hard == resource.RLIM_INFINITY else min(soft, hard), hard))


def resident_mb() -> int:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize() // 1024**2


def reserved_mb() -> int:
    """What counts against the kernel's limit of data, most of it never touched."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[5]) * resource.getpagesize() // 1024**2


def return_free_memory() -> None:
    """Give back what the C library keeps for later, so that what is resident tells what is in use."""
    with suppress(AttributeError):  # other C libraries than GNU's have no such thing
        _libc.malloc_trim(0)


def kill_descendants() -> None:
    """End every process below this one; orphans are among them because we adopt them."""
    while True:
        with open(f"/proc/self/task/{os.getpid()}/children") as file:
            children = [int(pid) for pid in file.read().split()]
        if not children:
            return
        for pid in children:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
