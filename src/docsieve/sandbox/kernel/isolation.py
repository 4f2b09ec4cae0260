"""Namespaces, limits and signals of a child, as far as the kernel grants them.

Most of this is irreversible for the calling process, so only `launcher.py` and `zygote.py` call it.
"""

import ctypes
import os
import resource
import signal
from collections.abc import Collection, Iterable
from contextlib import suppress

from docsieve.sandbox.limits import Limits

_PR_SET_PDEATHSIG = 1
_PR_SET_DUMPABLE = 4
_PR_SET_CHILD_SUBREAPER = 36
_PR_SET_NO_NEW_PRIVS = 38
_CLONE_NEWNS = 0x0002_0000
_CLONE_NEWUSER = 0x1000_0000
_CLONE_NEWPID = 0x2000_0000
_CLONE_NEWNET = 0x4000_0000
_MADV_COLLAPSE = 25
_LARGE_PAGE = 2 * 1024**2
_MS_REC, _MS_PRIVATE = 0x4000, 0x4_0000

# Tried in order: as root, then as a user to whom the kernel grants namespaces.
_ATTEMPTS = (_CLONE_NEWNET, _CLONE_NEWUSER | _CLONE_NEWNET)
_NAMES = {"network": _CLONE_NEWNET, "users": _CLONE_NEWUSER}
_CLONE_CALLS = {"x86_64": 56, "aarch64": 220}

_SPARE_MEMORY = 256 * 1024**2
_SPARE_ADDRESSES = 4 * 1024**3

_libc = ctypes.CDLL(None, use_errno=True)
# Keeps Python's lock during a call: a call that returns twice needs it.
_locked_libc = ctypes.PyDLL(None, use_errno=True)


def die_with_parent(parent: int, by: signal.Signals = signal.SIGKILL) -> None:
    """Receive the signal when the parent dies; exit at once if it is already dead."""
    _libc.prctl(_PR_SET_PDEATHSIG, by, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)


def adopt_orphans() -> None:
    _libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def gain_no_privileges() -> None:
    _libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)


def hide() -> None:
    """Keep other processes, unless they are root's, from tracing this one or reading its memory or environment."""
    _libc.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)


def show() -> None:
    """Undo `hide`, or a change of user: a hidden process cannot open all of its own /proc."""
    _libc.prctl(_PR_SET_DUMPABLE, 1, 0, 0, 0)


def leave_namespaces() -> frozenset[str]:
    """Leave the `network`, in a new namespace of `users` if necessary; returns the namespaces that were left."""
    uid, gid = os.getuid(), os.getgid()
    for flags in _ATTEMPTS:
        if _libc.unshare(flags) == 0:
            if flags & _CLONE_NEWUSER:
                _keep_identity(uid, gid)
            return frozenset(name for name, flag in _NAMES.items() if flags & flag)
    return frozenset()


def fork_into_new_namespace() -> int | None:
    """Fork a child that is process 1 of a new namespace; None if the kernel does not allow it.

    `unshare` would work only once per process. Python does not notice this fork, so the caller must have one thread.
    """
    call = _CLONE_CALLS.get(os.uname().machine)
    if call is None:
        return None
    pid: int = _locked_libc.syscall(call, _CLONE_NEWPID | signal.SIGCHLD, 0, 0, 0, 0)
    return pid if pid >= 0 else None


def can_make_process_namespaces() -> bool:
    first = fork_into_new_namespace()
    if first == 0:
        os._exit(0)
    if first is not None:
        os.waitpid(first, 0)
    return first is not None


def join_process_namespace(namespace: int) -> None:
    """Start the next children in it."""
    if _libc.setns(namespace, _CLONE_NEWPID) != 0:
        raise OSError(ctypes.get_errno(), "a process namespace could not be joined")


def counts_processes_of_a_namespace() -> bool:
    """Whether the process limit counts those of a user namespace separately: since Linux 5.14."""
    major, minor = os.uname().release.split(".")[:2]
    return (int(major), int("".join(filter(str.isdigit, minor)) or 0)) >= (5, 14)


def _keep_identity(uid: int, gid: int) -> None:
    """Keep the numbers of user and group; files stay accessible without them, so a refusal is harmless."""
    for name, content in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
        with suppress(PermissionError), open(f"/proc/self/{name}", "w") as file:
            file.write(content)


def leave_mounts() -> bool:
    """Get separate mounts; false if the kernel does not allow it."""
    return bool(_libc.unshare(_CLONE_NEWNS) == 0 and _libc.mount(None, b"/", None, _MS_REC | _MS_PRIVATE, None) == 0)


def mount_own_proc() -> None:
    """Show only the processes of our namespace under /proc, if the kernel allows it."""
    if leave_mounts():
        _libc.mount(b"proc", b"/proc", b"proc", 0, None)


def kernel_limits(limits: Limits, *, counts_processes: bool) -> list[tuple[int, int]]:
    """The limits that the kernel enforces, each with its value.

    Resident memory is watched by the launcher; these limits only refuse far more than that. OCR reserves several times
    what it uses, and native code that is refused memory may return garbage instead of failing. Processes can be limited
    only if the kernel counts those of this child alone.
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
        # Threads count as well, and libraries start some per core.
        wanted.append((resource.RLIMIT_NPROC, limits.processes + 4 * (os.cpu_count() or 1)))
    hard = {kind: resource.getrlimit(kind)[1] for kind, _ in wanted}
    return [(kind, value if hard[kind] == resource.RLIM_INFINITY else min(value, hard[kind])) for kind, value in wanted]


def confine(limits: Iterable[tuple[int, int]]) -> None:
    """Set limits that `kernel_limits` chose."""
    for kind, value in limits:
        resource.setrlimit(kind, (value, value))


def allow_cpu(seconds: int) -> None:
    """Limit the CPU time of this process."""
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (seconds if hard == resource.RLIM_INFINITY else min(seconds, hard), hard))


def reserved_mb() -> int:
    """The memory that counts against the kernel's data limit, most of it never touched."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[5]) * resource.getpagesize() // 1024**2


def return_free_memory() -> None:
    """Return memory that the C library keeps for later: every fork would copy page table entries for it."""
    with suppress(AttributeError):  # only in the GNU C library
        _libc.malloc_trim(0)


def use_large_pages() -> None:
    """Move this process's memory to large pages, if the kernel can: a fork copies an entry per page."""
    with open("/proc/self/maps") as file:
        mapped = [line.split() for line in file]
    for addresses, permissions, _, _, _, *name in mapped:
        if permissions == "rw-p" and name in ([], ["[heap]"]):
            first, end = (int(address, 16) for address in addresses.split("-"))
            for start in range(-(-first // _LARGE_PAGE) * _LARGE_PAGE, end - _LARGE_PAGE + 1, _LARGE_PAGE):
                _libc.madvise(ctypes.c_void_p(start), ctypes.c_size_t(_LARGE_PAGE), _MADV_COLLAPSE)


def kill_descendants(*, but: Collection[int] = ()) -> None:
    """Kill all descendants except these and theirs; orphans are included because we adopt them."""
    while children := set(children_of(os.getpid())) - set(but):
        for pid in children:
            os.kill(pid, signal.SIGKILL)
        # Any of them: process 1 of a namespace cannot end before we have reaped an orphan from inside.
        os.waitpid(-1, 0)


def children_of(pid: int) -> list[int]:
    with open(f"/proc/{pid}/task/{pid}/children") as file:
        return [int(child) for child in file.read().split()]
