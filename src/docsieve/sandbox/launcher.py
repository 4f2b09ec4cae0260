"""`python -m docsieve.sandbox.launcher`: the processes that make up one sandboxed child.

    launcher   the pool's child; starts each task, watches what its processes use, and kills what they leave behind
    zygote     has libraries and models loaded, never sees a document, and forks a runner for each task
    keeper     process 1 of a task's namespace: when it exits, the kernel kills everything in the namespace
    runner     runs one task under the limits, as a separate user if we are root

Process 1 ignores signals that would kill another process, so the runner is not process 1 itself. The pool's commands
arrive over a socket that is standard input, one per task: the names of the classes to prepare for, and a connection
for its runner. Messages to the pool are lines of JSON on standard output. Nothing heavy is imported here: a keeper is a
fork of this process.
"""

import json
import os
import select
import signal
import socket
import sys
from dataclasses import dataclass
from typing import Any, NoReturn

from docsieve import folders
from docsieve.sandbox import zygote
from docsieve.sandbox.kernel import isolation, watch
from docsieve.sandbox.limits import Limits

COMMAND_BYTES = 4096

_DIAGNOSIS_BYTES = 64 * 1024
_OUT_OF_MEMORY_MARKS = (b"bad_alloc", b"out of memory", b"Out of memory", b"Cannot allocate memory", b"MemoryError")

_WATCH_MS = 100
_TICKS_TO_LOOK_AT_DISK = 10


def main() -> NoReturn:
    settings = json.loads(sys.argv[1])
    limits, folder = Limits(**settings["limits"]), settings["folder"]
    isolation.die_with_parent(settings["parent"], by=signal.SIGTERM)
    isolation.gain_no_privileges()
    isolation.adopt_orphans()
    left = isolation.leave_namespaces()
    if isolation.can_make_process_namespaces():
        left |= {"processes"}
    isolation.hide()
    launcher = os.getpid()
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    pid = os.fork()
    if pid == 0:
        ours.close()
        zygote.serve(theirs, zygote.Settings(limits, folder, settings["tasks"], settings["models"]), launcher, left)
    theirs.close()
    signal.signal(signal.SIGTERM, lambda *_: _end_all(folder))
    _say({"group": pid})
    _Launcher(ours, pid, limits, folder, namespaces="processes" in left).serve()
    _end_all(folder)


def _say(message: dict[str, Any]) -> None:
    os.write(1, json.dumps(message).encode() + b"\n")


def _end_all(folder: str) -> NoReturn:
    """Without a namespace, this is what ends processes that left the group."""
    # A parent with threads dies thread by thread, and each death sends the signal again.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    isolation.kill_descendants()
    # The pool removes the folder too, but a pool that was killed cannot.
    folders.remove(folder)
    os._exit(0)


@dataclass(slots=True)
class _Document:
    """`keeper` is None without a namespace, or once it is gone; `complaints` is the runner's standard error."""

    keeper: int | None
    complaints: int
    ticks: int = 0
    out_of_memory: bool = False
    out_of_output: bool = False


class _Launcher:
    def __init__(
        self, zygote_connection: socket.socket, zygote_pid: int, limits: Limits, folder: str, *, namespaces: bool
    ) -> None:
        self._control = socket.socket(fileno=0)
        self._zygote, self._zygote_pid = zygote_connection, zygote_pid
        self._limits = limits
        self._writable = [f"{folder}/out", f"{folder}/work"]
        self._namespaces = namespaces
        self._document: _Document | None = None

    def serve(self) -> None:
        """Follow the pool's commands until the pool or the zygote is gone."""
        events = select.poll()
        for connection in (self._control, self._zygote):
            events.register(connection, select.POLLIN)
        while True:
            ready = {number for number, _ in events.poll(None if self._document is None else _WATCH_MS)}
            if self._zygote.fileno() in ready and not self._hear():
                return
            if self._control.fileno() in ready and not self._obey():
                return
            if not ready and self._document is not None:
                self._watch(self._document)

    def _obey(self) -> bool:
        command, files, _, _ = socket.recv_fds(self._control, COMMAND_BYTES, 1)
        return bool(command) and self._begin(command, files[0])

    def _begin(self, command: bytes, connection: int) -> bool:
        """Start the runner of a task; false if no process can be started."""
        complaints, complain = os.pipe()
        os.set_blocking(complaints, False)
        os.set_blocking(complain, False)  # endless output of native code is lost instead of blocking it
        files = [connection, complain]
        keeper = isolation.fork_into_new_namespace() if self._namespaces else None
        if keeper == 0:
            _keep(last_file=max(complaints, *files))
        if keeper is not None:
            # One group for all, so that the pool can kill them at once.
            os.setpgid(keeper, self._zygote_pid)
            files.append(os.open(f"/proc/{keeper}/ns/pid", os.O_RDONLY))
        elif self._namespaces:
            return False
        socket.send_fds(self._zygote, [command], files)
        for each in files:
            os.close(each)
        self._document = _Document(keeper, complaints)
        return True

    def _hear(self) -> bool:
        said = self._zygote.recv(COMMAND_BYTES)
        if not said:
            return False
        message = json.loads(said)
        if "ended" in message and self._document is not None:
            document, self._document = self._document, None
            # The runner itself has ended; this kills the keeper and everything that the runner started.
            isolation.kill_descendants(but=[self._zygote_pid])
            message["ended"] |= self._diagnosis(document)
        _say(message)
        return True

    def _watch(self, document: _Document) -> None:
        """Kill the task's processes if they use too much."""
        self._collect(document)
        processes = [pid for pid in watch.descendants(os.getpid()) if pid not in (self._zygote_pid, document.keeper)]
        max_bytes = self._limits.memory_mb * 1024**2
        document.ticks += 1
        if watch.memory_bytes(processes, enough=max_bytes) > max_bytes:
            document.out_of_memory = True
        elif document.ticks % _TICKS_TO_LOOK_AT_DISK == 0:
            # Once found, it stays: a dying process closes its deleted files before it is gone.
            document.out_of_output = document.out_of_output or self._takes_too_much(processes)
        if document.out_of_memory or document.out_of_output:
            for pid in (document.keeper,) if document.keeper else isolation.children_of(self._zygote_pid):
                os.kill(pid, signal.SIGKILL)

    def _takes_too_much(self, processes: list[int]) -> bool:
        taken = watch.disk_bytes(self._writable, processes, limits=self._limits)
        return taken is None or taken > self._limits.output_bytes

    def _diagnosis(self, document: _Document) -> dict[str, bool]:
        try:
            complaint = os.read(document.complaints, _DIAGNOSIS_BYTES)
        except BlockingIOError:
            complaint = b""
        os.close(document.complaints)
        return {
            "out_of_memory": document.out_of_memory or any(mark in complaint for mark in _OUT_OF_MEMORY_MARKS),
            # A short task may have ended between two checks.
            "out_of_output": document.out_of_output or self._takes_too_much([]),
        }

    def _collect(self, document: _Document) -> None:
        """Reap orphans that have ended. A reaped process no longer has a number that could be killed."""
        while (pid := os.waitpid(-1, os.WNOHANG)[0]) != 0:
            if pid == document.keeper:
                document.keeper = None


def _keep(last_file: int) -> NoReturn:
    """Wait until killed. Every document has such a process, so it does little: it copies the memory that it uses."""
    isolation.die_with_parent(0)  # a parent outside the namespace has no number in it
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the kernel reaps orphans
    os.closerange(0, last_file + 1)
    while True:
        signal.pause()


if __name__ == "__main__":
    main()
