"""The process that forks a runner for each task: it loads libraries and models once, and never sees a document.

It stays root, or keeps the capabilities of a user namespace, because it moves each runner into a namespace and to
another user. Everything that a document can reach is set up in the runner, after the fork.
"""

import gc
import json
import os
import select
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from resource import struct_rusage
from typing import TYPE_CHECKING, NoReturn, cast

from docsieve.sandbox.kernel import isolation, user
from docsieve.sandbox.kernel.landlock import program_places, restrict_files
from docsieve.sandbox.kernel.seccomp import filter_calls, filter_program
from docsieve.sandbox.limits import Limits
from docsieve.sandbox.warming import Warming, described

if TYPE_CHECKING:
    from docsieve.sandbox.task import TaskModule

Run = Callable[[socket.socket], None]
"""What a runner does with its connection."""

_COMMAND_BYTES = 4096
_MAX_FILES = 3
_IDLE_SECONDS = 1.0

# Pages are trees of thousands of small objects without cycles: collecting as often as Python does by default takes a
# tenth of the reading time.
_OBJECTS_BETWEEN_COLLECTIONS = 50_000


@dataclass(frozen=True, slots=True)
class _Walls:
    """How every runner is confined; `uid` is None if it keeps our user."""

    limits: list[tuple[int, int]]
    folder: str
    uid: int | None


@dataclass(frozen=True, slots=True)
class Settings:
    """`tasks` is the name of the module whose tasks can be run.

    `models` names models to load first: only those that a runner has already used on this machine, because native code
    may crash on first use.
    """

    limits: Limits
    folder: str
    tasks: str
    models: str | None


def serve(launcher: socket.socket, settings: Settings, launcher_pid: int, left: frozenset[str]) -> NoReturn:
    """Fork a runner whenever the launcher asks, until the launcher is gone; first report how well we can isolate."""
    # A separate process group, so that the launcher outlives a kill and collects the dead.
    os.setpgid(0, 0)
    isolation.die_with_parent(launcher_pid)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    _close_outputs()
    limits, folder = settings.limits, settings.folder
    is_root = os.getuid() == 0
    own_mounts = "processes" in left and isolation.leave_mounts()
    uid = user.prepare_user(launcher_pid, folder, own_mounts=own_mounts) if is_root else None
    counted = uid is not None or ("users" in left and isolation.counts_processes_of_a_namespace())
    user.regain_no_capabilities()
    walls = _Walls(isolation.kernel_limits(limits, counts_processes=counted), folder, uid)
    missing = {"network", "processes"} - left | ({"user"} if is_root and uid is None else set()) | _missing_walls()
    # Objects collected here would be visited again by each runner, which copies every page of memory it touches.
    gc.disable()
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)
    # Only now: the trials above fork, which takes longer the more this process has loaded.
    try:
        tasks, run = _load(settings)
    except Exception as error:  # noqa: BLE001  installed code may raise anything
        _report(launcher, f"load {settings.models or settings.tasks}", error)
        os._exit(1)
    launcher.send(json.dumps({"ready": {"uid": uid, "missing": sorted(missing)}}).encode())
    warming = Warming(tasks.warm_up(Path(folder)), failed=lambda error: _report(launcher, "warm up", error))
    while True:
        command, files, _, _ = socket.recv_fds(launcher, _COMMAND_BYTES, _MAX_FILES)
        if not command:
            os._exit(0)
        kinds = command.decode()
        for kind in kinds.split():
            try:
                tasks.prepare(kind, Path(folder))
            except Exception as error:  # noqa: BLE001  installed code may raise anything
                # the task itself may not need it after all, or else says why it failed
                _report(launcher, f"prepare {kind}", error)
        try:
            ended = _run(run, launcher, walls, files, warming)
        except OSError as error:
            _report(launcher, f"start {kinds}", error)
            os._exit(1)
        launcher.send(json.dumps({"ended": ended}).encode())
        _warm_up_until_needed(launcher, warming)


def _load(settings: Settings) -> "tuple[TaskModule, Run]":
    from docsieve.sandbox.runner import Runner

    tasks = cast("TaskModule", import_module(settings.tasks))
    if settings.models is not None:
        # Before the first fork into a namespace, after which the kernel lets this process start no threads.
        tasks.load_models(settings.models)
    return tasks, Runner(tasks, settings.limits, Path(settings.folder)).run


def _report(launcher: socket.socket, step: str, error: Exception) -> None:
    with suppress(OSError):  # the launcher is gone, and with it everyone who could read this
        launcher.send(json.dumps({"failed": described(step, error)}).encode())


def _warm_up_until_needed(launcher: socket.socket, warming: Warming) -> None:
    """An idle child loads the rest too, but slowly."""
    while not select.select([launcher], [], [], 0 if warming.pays else _IDLE_SECONDS)[0]:
        if not warming.step():
            return


def _close_outputs() -> None:
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1):
        os.dup2(nothing, number)
    # Python code may print document text, so that is dropped; only the last words of native code are read.
    sys.stdout = sys.stderr = os.fdopen(nothing, "w")


def _missing_walls() -> set[str]:
    """Which of the confinements that a process applies to itself fail here, tried in a process that exits at once."""
    # Computed here, so that no runner has to.
    filter_program()
    program_places()
    trial = os.fork()
    if trial == 0:
        missing = (not restrict_files(readable=[], writable=[])) + 2 * (not filter_calls())
        os._exit(missing)
    found = os.waitstatus_to_exitcode(os.waitpid(trial, 0)[1])
    return {name for bit, name in ((1, "files"), (2, "calls")) if found & bit}


def _run(run: Run, launcher: socket.socket, walls: _Walls, files: list[int], warming: Warming) -> dict[str, int | None]:
    """How a runner ended; `files` are its connection, its standard error and, if there is one, its namespace."""
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
        _be_runner(run, walls, connection, complain, parent=0 if namespace else zygote)
    for each in files:
        os.close(each)
    status, usage = _wait(runner, warming)
    return {
        "signal": os.WTERMSIG(status) if os.WIFSIGNALED(status) else None,
        "exit": os.WEXITSTATUS(status) if os.WIFEXITED(status) else None,
        "peak_mb": usage.ru_maxrss // 1024,
    }


def _wait(runner: int, warming: Warming) -> tuple[int, struct_rusage]:
    while warming.pays and warming.step():
        pid, status, usage = os.wait4(runner, os.WNOHANG)
        if pid:
            return status, usage
    return os.wait4(runner, 0)[1:]


def _be_runner(run: Run, walls: _Walls, connection: int, complain: int, *, parent: int) -> NoReturn:
    """Must neither return nor raise: below us on the stack is the zygote's own loop."""
    try:
        os.dup2(complain, 2)
        os.close(complain)
        _confine(walls, parent)
        gc.enable()
        run(socket.socket(fileno=connection))
        os._exit(0)
    finally:
        os._exit(1)


def _confine(walls: _Walls, parent: int) -> None:
    if parent == 0:
        isolation.mount_own_proc()
    os.chdir(f"{walls.folder}/work")
    isolation.confine(walls.limits)
    if walls.uid is not None:
        user.become(walls.uid)
    else:
        isolation.show()
    isolation.die_with_parent(parent)  # after the change of user, which would undo it
    user.drop_capabilities()
    restrict_files(readable=[f"{walls.folder}/in"], writable=[f"{walls.folder}/out", f"{walls.folder}/work"])
    filter_calls()
