"""`python -m docsieve.sandbox.launcher`: the processes that make one sandboxed child.

    launcher   the pool's own child; begins each document, watches what its processes use, and ends what they left
    zygote     has libraries and models loaded, never sees a document, and forks a runner for each
    keeper     process 1 of a document's own namespace: when it goes, the kernel kills everything in there
    runner     runs one task under the limits, as a user of its own where we are root

Process 1 ignores signals that would kill another, so the runner is not process 1 itself. The pool's commands arrive
over a socket that is standard input, one for each document, with a connection that only its runner gets. What the pool
is told is one line of JSON each on standard output. Nothing heavy is imported here: a keeper is a fork of this.
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
from docsieve.sandbox import isolation, watch, zygote
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
        zygote.serve(theirs, limits, folder, launcher, left, settings["ocr"])
    theirs.close()
    signal.signal(signal.SIGTERM, lambda *_: _end_all(folder))
    _say({"group": pid})
    _Launcher(ours, pid, limits, folder, namespaces="processes" in left).serve()
    _end_all(folder)


def _say(message: dict[str, Any]) -> None:
    os.write(1, json.dumps(message).encode() + b"\n")


def _end_all(folder: str) -> NoReturn:
    """Where the kernel gives no namespace, this is what ends processes that left the group."""
    # A parent with threads dies thread by thread, and each one's death sends the signal again.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    isolation.kill_descendants()
    # The pool removes the folder too, but a pool that was killed cannot.
    folders.remove(folder)
    os._exit(0)


@dataclass(slots=True)
class _Document:
    """`keeper` is None where there is no namespace, or once it is gone; `complaints` is the runner's standard error."""

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
        """Do as the pool says until it is gone, or the zygote."""
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
        return bool(command) and self._begin(files[0])

    def _begin(self, connection: int) -> bool:
        """Have the document's runner started; false where no process can be."""
        complaints, complain = os.pipe()
        os.set_blocking(complaints, False)
        os.set_blocking(complain, False)  # native code that prints without end loses the rest instead of waiting
        keeper = isolation.fork_into_new_namespace() if self._namespaces else None
        if keeper == 0:
            _keep(self._zygote, [connection, complain])
        if keeper is not None:
            # One group for all, so that the pool can kill it at once.
            os.setpgid(keeper, self._zygote_pid)
        elif self._namespaces:
            return False
        else:
            socket.send_fds(self._zygote, [zygote.RUN], [connection, complain])
        os.close(connection)
        os.close(complain)
        self._document = _Document(keeper, complaints)
        return True

    def _hear(self) -> bool:
        said = self._zygote.recv(COMMAND_BYTES)
        if not said:
            return False
        message = json.loads(said)
        if "ended" in message and self._document is not None:
            document, self._document = self._document, None
            # The runner itself has ended; this is all that it started, with the keeper.
            isolation.kill_descendants(but=[self._zygote_pid])
            message["ended"] |= self._diagnosis(document)
        _say(message)
        return True

    def _watch(self, document: _Document) -> None:
        """Have the document ended when its processes use too much."""
        self._collect(document)
        processes = [pid for pid in watch.descendants(os.getpid()) if pid not in (self._zygote_pid, document.keeper)]
        most_bytes = self._limits.memory_mb * 1024**2
        document.ticks += 1
        if watch.memory_bytes(processes, enough=most_bytes) > most_bytes:
            document.out_of_memory = True
        elif document.ticks % _TICKS_TO_LOOK_AT_DISK == 0:
            document.out_of_output = self._takes_too_much(processes)
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
            # A short document may have ended between two looks.
            "out_of_output": document.out_of_output or self._takes_too_much([]),
        }

    def _collect(self, document: _Document) -> None:
        """Orphans that have ended. Whoever is collected has a number no more that could be killed."""
        while (pid := os.waitpid(-1, os.WNOHANG)[0]) != 0:
            if pid == document.keeper:
                document.keeper = None


def _keep(zygote_connection: socket.socket, files: list[int]) -> NoReturn:
    """Have the zygote fork into this namespace, and be there until killed."""
    isolation.die_with_parent(0)  # a parent outside the namespace has no number in it
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the kernel collects what is orphaned
    namespace = os.open("/proc/self/ns/pid", os.O_RDONLY)
    socket.send_fds(zygote_connection, [zygote.RUN], [*files, namespace])
    os.closerange(0, namespace + 1)
    while True:
        signal.pause()


if __name__ == "__main__":
    main()
