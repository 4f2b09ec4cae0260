"""The process that forks one runner for each document: libraries and models are loaded here once, and no document is.

It stays root, or keeps the capabilities of a user namespace, because it makes each runner a namespace's and another
user's. Everything that a document can reach is set up in the runner, after the fork.
"""

import gc
import json
import os
import select
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from resource import struct_rusage
from typing import NoReturn

from docsieve.sandbox import isolation, user
from docsieve.sandbox.landlock import restrict_files
from docsieve.sandbox.limits import Limits
from docsieve.sandbox.seccomp import filter_calls

RUN = b"run"

Task = Callable[[socket.socket, Limits], None]
"""What a runner does with its connection."""

_COMMAND_BYTES = 4096
_MOST_FILES = 3
_WARM = object()

# Pages are trees of thousands of small objects without cycles: looking for those as often as Python does by itself
# takes a tenth of the time of reading.
_OBJECTS_BETWEEN_COLLECTIONS = 50_000


@dataclass(frozen=True, slots=True)
class _Walls:
    """What every runner is put behind; `uid` is None where it stays the user that we are."""

    limits: Limits
    folder: str
    uid: int | None
    counts_processes: bool


def serve(
    launcher: socket.socket, limits: Limits, folder: str, launcher_pid: int, left: frozenset[str], ocr: str | None
) -> NoReturn:
    """Fork a runner whenever the launcher says so, until it is gone; the first word to it is how well we isolate.

    `ocr` names the OCR models to be loaded before: only such as a runner has used on this machine before, because
    native code may die of the first use.
    """
    # A group of its own, so that the launcher outlives a kill and collects the dead.
    os.setpgid(0, 0)
    isolation.die_with_parent(launcher_pid)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    _give_up_outputs()
    is_root = os.getuid() == 0
    own_mounts = "processes" in left and isolation.leave_mounts()
    uid = user.prepare_user(launcher_pid, folder, own_mounts=own_mounts) if is_root else None
    counted = uid is not None or ("users" in left and isolation.counts_processes_of_a_namespace())
    walls = _Walls(limits, folder, uid, counted)
    missing = {"network", "processes"} - left | ({"user"} if is_root and uid is None else set()) | _missing_walls()
    # What was collected here would be looked for again by each runner, which copies all that it touches.
    gc.disable()
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)
    # Only now: what had to be tried out needed a small process.
    from docsieve.sandbox.runner import run
    from docsieve.sandbox.warming import load_models, warm_up

    if ocr is not None:
        # Before the first fork into a namespace, after which the kernel lets this process start no threads.
        load_models(ocr)

    launcher.send(json.dumps({"ready": {"uid": uid, "missing": sorted(missing)}}).encode())
    warming = warm_up(Path(folder))
    while True:
        command, files, _, _ = socket.recv_fds(launcher, _COMMAND_BYTES, _MOST_FILES)
        if not command:
            os._exit(0)
        launcher.send(json.dumps({"ended": _run(run, launcher, walls, files, warming)}).encode())
        _warm_up_until_needed(launcher, warming)


def _warm_up_until_needed(launcher: socket.socket, warming: Iterator[None]) -> None:
    while not select.select([launcher], [], [], 0)[0]:
        if next(warming, _WARM) is _WARM:
            return


def _give_up_outputs() -> None:
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1):
        os.dup2(nothing, number)
    # What Python code prints might be document text and is dropped; only native last words are looked at.
    sys.stdout = sys.stderr = os.fdopen(nothing, "w")


def _missing_walls() -> set[str]:
    """Which of the walls that a process builds around itself cannot be built here, tried by one that ends at once."""
    trial = os.fork()
    if trial == 0:
        missing = (not restrict_files(readable=[], writable=[])) + 2 * (not filter_calls())
        os._exit(missing)
    found = os.waitstatus_to_exitcode(os.waitpid(trial, 0)[1])
    return {name for bit, name in ((1, "files"), (2, "calls")) if found & bit}


def _run(
    task: Task, launcher: socket.socket, walls: _Walls, files: list[int], warming: Iterator[None]
) -> dict[str, int | None]:
    """How the runner of a document ended, whose connection, complaints and, maybe, namespace were given."""
    connection, complain, *namespace = files
    for each in namespace:
        isolation.join_process_namespace(each)
    gc.freeze()
    zygote = os.getpid()
    runner = os.fork()
    if runner == 0:
        launcher.close()
        for each in namespace:
            os.close(each)
        _be_runner(task, walls, connection, complain, parent=0 if namespace else zygote)
    for each in files:
        os.close(each)
    status, usage = _wait(runner, warming)
    return {
        "signal": os.WTERMSIG(status) if os.WIFSIGNALED(status) else None,
        "exit": os.WEXITSTATUS(status) if os.WIFEXITED(status) else None,
        "peak_mb": usage.ru_maxrss // 1024,
    }


def _wait(runner: int, warming: Iterator[None]) -> tuple[int, struct_rusage]:
    """Meanwhile, load what the next one may need."""
    for _ in warming:
        pid, status, usage = os.wait4(runner, os.WNOHANG)
        if pid:
            return status, usage
    return os.wait4(runner, 0)[1:]


def _be_runner(task: Task, walls: _Walls, connection: int, complain: int, *, parent: int) -> NoReturn:
    """Nothing may return from here, or raise: below us on the stack is the zygote's own loop."""
    try:
        os.dup2(complain, 2)
        os.close(complain)
        _confine(walls, parent)
        gc.enable()
        task(socket.socket(fileno=connection), walls.limits)
        os._exit(0)
    finally:
        os._exit(1)


def _confine(walls: _Walls, parent: int) -> None:
    if parent == 0:
        isolation.mount_own_proc()
    os.chdir(f"{walls.folder}/work")
    isolation.confine(walls.limits, counts_processes=walls.counts_processes)
    if walls.uid is not None:
        user.become(walls.uid)
    else:
        isolation.show()
    isolation.die_with_parent(parent)  # after the change of user, which would undo it
    user.drop_capabilities()
    restrict_files(readable=[f"{walls.folder}/in"], writable=[f"{walls.folder}/out", f"{walls.folder}/work"])
    filter_calls()
