"""Restricts a child's access to the file system with Landlock: to programs, its input and its own folders.

This needs no privilege and applies to root as well. Blobs, the database, the secret key and other documents are out of
reach even if the child runs as the same user as the worker.
"""

import ctypes
import os
import stat
import struct
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_VERSION = 1
_PATH_BENEATH = 1

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1, 2, 4, 8
_READ = _EXECUTE | _READ_FILE | _READ_DIR
_OF_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE | 1 << 14 | 1 << 15
# Rights to files, TCP ports and others, as far as each version of Landlock knows them.
_FILE_RIGHTS = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 4: (1 << 15) - 1}
_ALL = _NEWEST_FILE_RIGHTS = (1 << 16) - 1
_BIND_AND_CONNECT = 3
_ABSTRACT_SOCKETS_AND_SIGNALS = 3

_SYSTEM = ("/usr", "/lib", "/lib32", "/lib64", "/bin", "/sbin", "/etc", "/nix/store", "/sys")
# Opened last: a process may have mounted one that shows less.
_PROCESSES = "/proc"
_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")

_libc = ctypes.CDLL(None, use_errno=True)


@cache
def program_paths() -> list[str]:
    """The paths of Python and its packages, both as written and resolved."""
    libraries = os.environ.get("LD_LIBRARY_PATH", "").split(":")
    named = {sys.prefix, sys.base_prefix, *sys.path, *filter(None, libraries)}
    found = {str(Path(name)) for name in named if name and Path(name).exists()}
    return sorted(found | {os.path.realpath(name) for name in found})


@cache
def program_places() -> list[tuple[int, int] | None]:
    """What every process may use, opened, with the rights to it: a fork that restricts itself closes them."""
    return [
        *(_place(path, _READ) for path in _program_roots()),
        *(_place(path, _READ_FILE | _WRITE_FILE) for path in _DEVICES),
    ]


def _program_roots() -> list[str]:
    """The system's programs and Python as few rules: without what is below another of them."""
    found: list[str] = []
    for path in sorted({os.path.realpath(path) for path in (*_SYSTEM, *program_paths()) if os.path.exists(path)}):
        if not any(path.startswith(f"{root}/") for root in found):
            found.append(path)
    return found


def restrict_files(*, readable: Iterable[str], writable: Iterable[str]) -> bool:
    """Give up access to everything but these, the system's programs and Python; false if the kernel cannot do that."""
    version = _libc.syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), _VERSION)
    if version < 1:
        return False
    everything = _FILE_RIGHTS.get(version, _NEWEST_FILE_RIGHTS)
    ruleset = _create_ruleset(version, everything)
    if ruleset < 0:
        return False
    rules = [
        *program_places(),
        *(_place(path, _READ) for path in (_PROCESSES, *readable)),
        *(_place(path, _ALL) for path in writable),
    ]
    for place, rights in filter(None, rules):
        _libc.syscall(_ADD_RULE, ruleset, _PATH_BENEATH, struct.pack("=Qi", rights & everything, place), 0)
        os.close(place)
    done: int = _libc.syscall(_RESTRICT_SELF, ruleset, 0)
    os.close(ruleset)
    return done == 0


def _create_ruleset(version: int, file_rights: int) -> int:
    attributes = struct.pack("=Q", file_rights)
    if version >= 4:
        attributes += struct.pack("=Q", _BIND_AND_CONNECT)
    if version >= 6:
        attributes += struct.pack("=Q", _ABSTRACT_SOCKETS_AND_SIGNALS)
    ruleset: int = _libc.syscall(_CREATE_RULESET, attributes, ctypes.c_size_t(len(attributes)), 0)
    return ruleset


def _place(path: str, rights: int) -> tuple[int, int] | None:
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return None
    return place, rights if stat.S_ISDIR(os.fstat(place).st_mode) else rights & _OF_FILES
