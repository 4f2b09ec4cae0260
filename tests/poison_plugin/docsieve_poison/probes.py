"""What a parser can find out and reach from inside the sandbox: one page of the answer."""

import contextlib
import ctypes
import os
import socket
import stat
from pathlib import Path

from docsieve.errors import CorruptDocument

STAINED: list[str] = []

_PTRACE_ATTACH = 16


def find_out(what: str, argument: str) -> list[str]:
    match what:
        case "env":
            return sorted(os.environ)
        case "identity":
            return identity()
        case "network":
            return ["reached" if can_connect(socket.AF_INET, ("127.0.0.1", int(argument))) else "refused"]
        case "socket":
            return ["reached" if can_connect(socket.AF_UNIX, argument) else "refused"]
        case "secrets":
            return ["readable" if can_read(Path("/proc", argument, "environ")) else "hidden"]
        case "read":
            return ["readable" if can_read(Path(argument)) else "hidden"]
        case "stained":
            return ["stained" if STAINED else "clean"]
        case "reach":
            return ["reached" if any(map(can_reach, others())) else "refused"]
        case "descriptors":
            return descriptors()
        case "write":
            return ["written" if can_write(Path(argument)) else "refused"]
    raise CorruptDocument(f"There is no poison called {what}.")


def identity() -> list[str]:
    status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    held, usable, obtainable = (int(status[name], 16) for name in ("CapPrm", "CapEff", "CapBnd"))
    return [str(os.getuid()), str(os.getgid()), str(len(os.getgroups())), str(held | usable | obtainable)]


def open_files() -> list[int]:
    return [int(name) for name in os.listdir("/proc/self/fd")]


def descriptors() -> list[str]:
    kinds = []
    for number in open_files():
        with contextlib.suppress(OSError):
            found = os.fstat(number)
            is_socket, is_pipe = stat.S_ISSOCK(found.st_mode), stat.S_ISFIFO(found.st_mode)
            kinds.append("socket" if is_socket else "pipe" if is_pipe else os.readlink(f"/proc/self/fd/{number}"))
    return sorted(kinds)


def others() -> list[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdigit() and int(name) != os.getpid()]


def can_reach(pid: int) -> bool:
    """Whether another process can be traced, or its memory, environment or open files be seen."""
    libc = ctypes.CDLL(None)
    if libc.ptrace(_PTRACE_ATTACH, pid, 0, 0) == 0:
        return True
    for name, place in (("environ", 0), ("maps", 0), ("mem", id(STAINED))):
        with contextlib.suppress(OSError), open(f"/proc/{pid}/{name}", "rb", buffering=0) as file:
            file.seek(place)
            if file.read(1):
                return True
    with contextlib.suppress(OSError):
        return any(os.readlink(f"/proc/{pid}/fd/{name}") for name in os.listdir(f"/proc/{pid}/fd"))
    return False


def can_connect(family: socket.AddressFamily, address: tuple[str, int] | str) -> bool:
    try:
        with socket.socket(family) as connection:
            connection.settimeout(2)
            connection.connect(address)
    except OSError:
        return False
    return True


def can_read(path: Path) -> bool:
    try:
        return bool(path.read_bytes())
    except OSError:
        return False


def can_write(path: Path) -> bool:
    try:
        path.write_text("I was here.")
    except OSError:
        return False
    return True
