"""Filters the system calls of a child: those that no parser needs and that reach beyond its own process are refused.

Above all sockets: without a network namespace, this is what keeps a parser off the network, and it always keeps a
parser off sockets in the file system, such as the database's. Connections that are already open continue to work.
"""

import ctypes
import errno
import os
import struct
from functools import cache

# name → its number on x86_64 and on aarch64; None if there is no such call.
_REFUSED: dict[str, tuple[int, int | None]] = {
    "socket": (41, 198),
    "connect": (42, 203),
    "bind": (49, 200),
    "listen": (50, 201),
    "accept": (43, 202),
    "accept4": (288, 242),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "process_madvise": (440, 440),
    "pidfd_getfd": (438, 438),
    "kcmp": (312, 272),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "move_mount": (429, 429),
    "open_tree": (428, 428),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "unshare": (272, 97),
    "setns": (308, 268),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "keyctl": (250, 219),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    # Memory that none of our limits would count.
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "shmget": (29, 194),
    "semget": (64, 190),
    "msgget": (68, 186),
    "mq_open": (240, 180),
    "fanotify_init": (300, 262),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "reboot": (169, 142),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "acct": (163, 89),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "syslog": (103, 116),
    "personality": (135, 92),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "clock_adjtime": (305, 266),
    "adjtimex": (159, 171),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "iopl": (172, None),
    "ioperm": (173, None),
    "modify_ldt": (154, None),
}
_CLONE = (56, 220)
_CLONE3 = (435, 435)
# Without CLONE_NEWTIME: in the old call, its bit belongs to the exit signal.
_NEW_NAMESPACES = 0x7E02_0000

_MACHINES = {"x86_64": (0, 0xC000_003E), "aarch64": (1, 0xC000_00B7)}
_X32_CALLS = 0x4000_0000

_LOAD, _IF_EQUAL, _IF_AT_LEAST, _IF_ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _MACHINE, _FIRST_ARGUMENT = 0, 4, 16
_ALLOW, _FAIL = 0x7FFF_0000, 0x0005_0000

_PR_SET_SECCOMP = 22
_MODE_FILTER = 2

_libc = ctypes.CDLL(None, use_errno=True)


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def filter_calls() -> bool:
    """Install the filter in this process and all it starts; false if the kernel or the machine does not support it."""
    instructions = filter_program()
    if instructions is None:
        return False
    program = _Program(len(instructions) // 8, instructions)
    return bool(_libc.prctl(_PR_SET_SECCOMP, _MODE_FILTER, ctypes.byref(program), 0, 0) == 0)


@cache
def filter_program() -> bytes | None:
    """None if this machine's calls are not known. Built before a fork, it is not built again by every runner."""
    machine = os.uname().machine
    if machine not in _MACHINES or ctypes.sizeof(ctypes.c_void_p) != 8:
        return None
    return _instructions(*_MACHINES[machine])


def _instructions(column: int, machine: int) -> bytes:
    """The filter program: the verdicts are at the end, and every test jumps forward to one."""
    refused = [number for numbers in _REFUSED.values() if (number := numbers[column]) is not None]
    fork, allowed, forbidden, unknown = range(4)
    tests: list[tuple[int, int, int | None, int | None]] = [
        (_LOAD, _MACHINE, None, None),
        (_IF_EQUAL, machine, None, forbidden),
        (_LOAD, _NUMBER, None, None),
        (_IF_AT_LEAST, _X32_CALLS, forbidden, None),
        (_IF_EQUAL, _CLONE[column], fork, None),
        # Its flags are behind a pointer, which a filter cannot follow; the C library falls back to the older call.
        (_IF_EQUAL, _CLONE3[column], unknown, None),
        *((_IF_EQUAL, number, forbidden, None) for number in refused),
    ]
    ends = len(tests) + 1
    places = {fork: ends, allowed: ends - 1, forbidden: ends + 3, unknown: ends + 4}
    program = [
        *(_test(here, code, value, places, yes, no) for here, (code, value, yes, no) in enumerate(tests)),
        _instruction(_RETURN, _ALLOW),
        _instruction(_LOAD, _FIRST_ARGUMENT),
        _instruction(_IF_ANY_BIT, _NEW_NAMESPACES, 1, 0),
        _instruction(_RETURN, _ALLOW),
        _instruction(_RETURN, _FAIL | errno.EPERM),
        _instruction(_RETURN, _FAIL | errno.ENOSYS),
    ]
    return b"".join(program)


def _test(here: int, code: int, value: int, places: dict[int, int], yes: int | None, no: int | None) -> bytes:
    jumps = [places[target] - here - 1 if target is not None else 0 for target in (yes, no)]
    return _instruction(code, value, *jumps)


def _instruction(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, value)
