"""A separate user per child if the worker is root: a user that owns nothing and has no privileges.

Directories above Python or the child's folder may be closed to such a user, for example in a clone below root's home.
In a mount namespace, those directories are covered, and the paths needed below them are mounted in their old places.
"""

import ctypes
import os
import struct
from collections.abc import Iterable
from pathlib import Path

from docsieve.sandbox.kernel.isolation import show
from docsieve.sandbox.kernel.landlock import program_paths

# No distribution assigns these numbers. With the process number added, each child has its own.
_FIRST_USER = 0x7000_0000
# In containers that map only ordinary numbers: those that systemd reserves for dynamic users.
_FIRST_SMALL_USER, _SMALL_USERS = 61_184, 4_336

_MS_BIND, _MS_REC = 0x1000, 0x4000
_PR_CAPBSET_DROP = 24
_CAPABILITIES_VERSION = 0x2008_0522
_MAX_CAPABILITIES = 64

_libc = ctypes.CDLL(None, use_errno=True)


def prepare_user(process: int, folder: str, *, own_mounts: bool) -> int | None:
    """The number of a user that can access Python and the child's folder, or None if there is none."""
    user = _number(process)
    if user is None:
        return None
    needed = [*program_paths(), folder]
    os.chown(folder, os.getuid(), user)
    os.chmod(folder, 0o750)  # noqa: S103  the group is the child's own
    if own_mounts:
        _open_ways(needed)
    if _reaches(user, needed):
        return user
    os.chown(folder, os.getuid(), os.getgid())
    return None


def _number(process: int) -> int | None:
    mapped = [tuple(map(int, line.split())) for line in Path("/proc/self/uid_map").read_text().splitlines()]
    for user in (_FIRST_USER + process, _FIRST_SMALL_USER + process % _SMALL_USERS):
        if any(first <= user < first + count for first, _, count in mapped):
            return user
    return None


def _open_ways(needed: Iterable[str]) -> None:
    """Cover each directory that other users may not enter, and mount the paths needed below it on the cover."""
    closed: dict[Path, list[tuple[Path, int]]] = {}
    for path in map(Path, needed):
        barrier = next((parent for parent in reversed(path.parents) if not parent.stat().st_mode & 0o001), None)
        if barrier is not None:
            closed.setdefault(barrier, []).append((path, os.open(path, os.O_PATH)))
    for barrier, below in closed.items():
        if _libc.mount(b"tmpfs", os.fsencode(barrier), b"tmpfs", 0, b"mode=755,size=1m") != 0:
            continue
        for path, place in below:
            _show_again(path, place)


def _show_again(path: Path, place: int) -> None:
    if os.path.isdir(f"/proc/self/fd/{place}"):
        path.mkdir(parents=True, exist_ok=True)
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    _libc.mount(f"/proc/self/fd/{place}".encode(), os.fsencode(path), None, _MS_BIND | _MS_REC, None)
    os.close(place)


def _reaches(user: int, needed: Iterable[str]) -> bool:
    """Whether this user can open all paths, tried by a process that becomes this user."""
    trial = os.fork()
    if trial == 0:
        reached = False
        try:
            become(user)
            files = (os.__file__, __file__, f"/proc/{os.getpid()}/statm")
            reached = all(os.access(path, os.R_OK) for path in (*needed, *files))
        finally:
            os._exit(0 if reached else 1)
    return os.waitstatus_to_exitcode(os.waitpid(trial, 0)[1]) == 0


def become(user: int) -> None:
    """Become this user permanently, in no other group than its own."""
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)
    # The change of user also hid the process from itself.
    show()


def regain_no_capabilities() -> None:
    """Keep those that this process has, but let no program that it or a child starts have any."""
    for capability in range(_MAX_CAPABILITIES):
        if _libc.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0) != 0:
            break  # the kernel knows no more, or does not let us drop any


def drop_capabilities() -> None:
    """Including those that come with a user namespace or with being root."""
    _libc.capset(struct.pack("=Ii", _CAPABILITIES_VERSION, 0), bytes(24))
