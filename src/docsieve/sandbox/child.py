"""`python -m docsieve.sandbox.child`: three processes that make one sandboxed child.

    launcher   the pool's own child; leaves the namespaces, then watches what the others use, and ends what they left
    keeper     process 1 of the new namespace: when it goes, the kernel kills everything in there; reports how the
               runner ended
    runner     runs tasks under the limits, one at a time, warm, as a user of its own where we are root

Process 1 ignores signals that would kill another, so the runner is not process 1 itself. Frames travel over a socket
that arrives as standard input; how the runner ended is one line on standard output, which the runner does not have.
Nothing heavy is imported here before the fork.
"""

import json
import os
import signal
import socket
import sys
from typing import Any, NoReturn

from docsieve.sandbox import isolation, user, watch
from docsieve.sandbox.calls import filter_calls
from docsieve.sandbox.files import restrict_files
from docsieve.sandbox.limits import Limits

_DIAGNOSIS_BYTES = 64 * 1024
_OUT_OF_MEMORY_MARKS = (b"bad_alloc", b"out of memory", b"Out of memory", b"Cannot allocate memory", b"MemoryError")
# How the launcher tells the keeper why the runner must end.
_OVER_MEMORY, _OVER_OUTPUT = signal.SIGUSR1, signal.SIGUSR2

_WATCH_SECONDS = 0.1
_TICKS_TO_LOOK_AT_DISK = 10


def main() -> NoReturn:
    settings = json.loads(sys.argv[1])
    limits, folder = Limits(**settings["limits"]), settings["folder"]
    isolation.die_with_parent(settings["parent"], by=signal.SIGTERM)
    isolation.gain_no_privileges()
    isolation.adopt_orphans()
    left = isolation.leave_namespaces()
    launcher = os.getpid()
    # Until somebody waits for it, and in the keeper until it can act on it, a signal stays pending.
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD, _OVER_MEMORY, _OVER_OUTPUT})
    keeper = os.fork()
    if keeper == 0:
        _keep(limits, folder, launcher, left)
    signal.signal(signal.SIGTERM, lambda *_: _end_all(folder))
    _say({"group": keeper})
    os.close(0)
    _watch(keeper, limits, [f"{folder}/out", f"{folder}/work"])
    _end_all(folder)


def _watch(keeper: int, limits: Limits, folders: list[str]) -> None:
    """Return when the keeper has ended; until then, have the runner ended when its processes use too much."""
    most_bytes = limits.memory_mb * 1024**2
    ticks = 0
    while not _has_ended(keeper):
        processes = [pid for pid in watch.descendants(os.getpid()) if pid != keeper]
        if watch.memory_bytes(processes, enough=most_bytes) > most_bytes:
            os.kill(keeper, _OVER_MEMORY)
        ticks += 1
        if ticks % _TICKS_TO_LOOK_AT_DISK == 0:
            taken = watch.disk_bytes(folders, processes, most_files=limits.files)
            if taken is None or taken > limits.output_bytes:
                os.kill(keeper, _OVER_OUTPUT)
        signal.sigtimedwait({signal.SIGCHLD}, _WATCH_SECONDS)


def _has_ended(keeper: int) -> bool:
    """Collects adopted orphans as well."""
    while True:
        pid, _ = os.waitpid(-1, os.WNOHANG)
        if pid in (0, keeper):
            return pid == keeper


def _end_all(folder: str) -> NoReturn:
    """Where the kernel gives no namespace, this is what ends processes that left the group."""
    # A parent with threads dies thread by thread, and each one's death sends the signal again.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    import shutil  # only now: it is slow to load, and every start would wait for it

    isolation.kill_descendants()
    # The pool removes the folder too, but a pool that was killed cannot.
    shutil.rmtree(folder, ignore_errors=True)
    os._exit(0)


def _say(message: dict[str, Any]) -> None:
    os.write(1, json.dumps(message).encode() + b"\n")


def _keep(limits: Limits, folder: str, launcher: int, left: frozenset[str]) -> NoReturn:
    # A group of its own, so that the launcher outlives a kill and collects the dead.
    os.setpgid(0, 0)
    # A parent outside the namespace has no number in it.
    isolation.die_with_parent(0 if "processes" in left else launcher)
    own_mounts = "processes" in left and isolation.leave_mounts()
    is_root = os.getuid() == 0
    uid = user.prepare_user(launcher, folder, own_mounts=own_mounts) if is_root else None
    missing = {"network", "processes"} - left | ({"user"} if is_root and uid is None else set())
    complaints, complain = os.pipe()
    os.set_blocking(complain, False)  # native code that prints without end loses the rest instead of waiting
    keeper = os.getpid()
    runner = os.fork()
    if runner == 0:
        os.close(complaints)
        counted = uid is not None or ("users" in left and isolation.counts_processes_of_a_namespace())
        isolation.confine(limits, counts_processes=counted)
        if uid is not None:
            user.become(uid)
        isolation.die_with_parent(keeper)  # after the change of user, which would undo it
        _run(limits, folder, complain, {"uid": uid, "missing": missing})
    os.close(0)
    os.close(complain)
    _say(_how_it_ended(runner, complaints))
    os._exit(0)


def _how_it_ended(runner: int, complaints: int) -> dict[str, Any]:
    over: set[signal.Signals] = set()

    def end(number: int, _: object) -> None:
        over.add(signal.Signals(number))
        os.kill(runner, signal.SIGKILL)

    for number in (_OVER_MEMORY, _OVER_OUTPUT):
        signal.signal(number, end)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD, _OVER_MEMORY, _OVER_OUTPUT})
    while True:
        pid, status, usage = os.wait4(-1, 0)
        if pid == runner:
            break
    # It is gone: there is nobody left to end, and its number may be given anew.
    signal.pthread_sigmask(signal.SIG_BLOCK, {_OVER_MEMORY, _OVER_OUTPUT})
    os.set_blocking(complaints, False)
    try:
        complaint = os.read(complaints, _DIAGNOSIS_BYTES)
    except BlockingIOError:
        complaint = b""
    return {
        "signal": os.WTERMSIG(status) if os.WIFSIGNALED(status) else None,
        "exit": os.WEXITSTATUS(status) if os.WIFEXITED(status) else None,
        "peak_mb": usage.ru_maxrss // 1024,
        "out_of_memory": _OVER_MEMORY in over or any(mark in complaint for mark in _OUT_OF_MEMORY_MARKS),
        "out_of_output": _OVER_OUTPUT in over,
    }


def _run(limits: Limits, folder: str, complain: int, isolation_report: dict[str, Any]) -> NoReturn:
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD, _OVER_MEMORY, _OVER_OUTPUT})
    connection = socket.socket(fileno=os.dup(0))
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    os.dup2(complain, 2)
    # What Python code prints might be document text and is dropped; only native last words are looked at.
    sys.stdout = sys.stderr = os.fdopen(nothing, "w")
    user.drop_capabilities()
    missing: set[str] = isolation_report["missing"]
    if not restrict_files(readable=[f"{folder}/in"], writable=[f"{folder}/out", f"{folder}/work"]):
        missing.add("files")
    if not filter_calls():
        missing.add("calls")
    from docsieve.sandbox.runner import serve

    serve(connection, limits, {"uid": isolation_report["uid"], "missing": sorted(missing)})
    os._exit(0)


if __name__ == "__main__":
    main()
