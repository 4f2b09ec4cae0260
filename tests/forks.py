"""`docsieve …` as a fork of a process that has imported it already.

An API takes one and a half seconds of processor time to start and a worker one, nearly all of it for imports. Tests
start more than a hundred of them. Each is a process like any other, with its own number, environment, files and
signals; it only was not loaded from disk. `docsieve up` itself starts its parts in the usual way.
"""

import gc
import importlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import IO, Any

from docsieve.sandbox.kernel.isolation import die_with_parent

MODULES = ("docsieve.cli.main", "docsieve.cli.server.serve", "docsieve.api.app", "docsieve.api.server")
ROOT = Path(__file__).parents[1]

_MESSAGE_BYTES = 128 * 1024
_ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
"""A process with threads cannot be forked safely."""


class Forked:
    """The part of `subprocess.Popen` that tests use. `wait` wakes up when the process ends, without polling."""

    def __init__(self, arguments: list[str]) -> None:
        self.args = arguments
        self.pid = 0
        self.returncode: int | None = None
        self._ended = threading.Event()

    def poll(self) -> int | None:
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        if not self._ended.wait(timeout):
            assert timeout is not None
            raise subprocess.TimeoutExpired(self.args, timeout)
        assert self.returncode is not None
        return self.returncode

    def send_signal(self, number: int) -> None:
        if self.returncode is None:
            with suppress(ProcessLookupError):  # it has ended, and the news is on its way
                os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def end(self, returncode: int) -> None:
        self.returncode = returncode
        self._ended.set()


class ForkServer:
    """Forks processes one at a time, and hears how they end."""

    def __init__(self) -> None:
        from tests.service import start_bound

        self._connection, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            environment = {**os.environ, **_ONE_THREAD}
            start_bound([sys.executable, "-m", "tests.forks"], stdin=theirs, cwd=ROOT, env=environment)
        self._lock = threading.Lock()
        self._started = threading.Semaphore(0)
        self._next: Forked | None = None
        self._living: dict[int, Forked] = {}
        threading.Thread(target=self._hear, daemon=True).start()

    def fork(
        self, arguments: list[str], environment: dict[str, str], out: IO[bytes], err: IO[bytes] | None = None
    ) -> Forked:
        """Run `docsieve …` in our working directory. Without `err`, both outputs go to `out`."""
        with self._lock:
            self._next = process = Forked(arguments)
            request = {"arguments": arguments, "environment": environment, "folder": os.getcwd()}
            outputs = [out.fileno(), (err or out).fileno()]
            socket.send_fds(self._connection, [json.dumps(request).encode()], outputs)
            assert self._started.acquire(timeout=60), "the fork server has died"
        return process

    def _hear(self) -> None:
        while said := self._connection.recv(_MESSAGE_BYTES):
            message: dict[str, int] = json.loads(said)
            if "started" in message:
                assert self._next is not None
                self._next.pid = message["started"]
                self._living[self._next.pid] = self._next
                self._started.release()
            else:
                self._living.pop(message["ended"]).end(message["returncode"])


@cache
def fork_server() -> ForkServer:
    return ForkServer()


def serve() -> None:
    """Fork as asked until the test process has gone."""
    connection = socket.socket(fileno=os.dup(0))
    for module in MODULES:
        import_module(module)
    gc.collect()
    gc.freeze()
    living: dict[int, int] = {}
    """The process of each open file that tells its end."""
    waiting = select.poll()
    waiting.register(connection, select.POLLIN)
    while True:
        for number, _ in waiting.poll():
            if number != connection.fileno():
                waiting.unregister(number)
                _report_end(connection, number, living.pop(number))
                continue
            request, files, _, _ = socket.recv_fds(connection, _MESSAGE_BYTES, 2)
            if not request:
                return
            assert len(os.listdir("/proc/self/task")) == 1, "a thread would not survive the fork"
            parent, pid = os.getpid(), os.fork()
            if pid == 0:
                _become(json.loads(request), parent, [connection.fileno(), *living], files)
                return
            for each in files:
                os.close(each)
            connection.send(json.dumps({"started": pid}).encode())
            end = os.pidfd_open(pid)
            living[end] = pid
            waiting.register(end, select.POLLIN)


def _report_end(connection: socket.socket, end: int, pid: int) -> None:
    os.close(end)
    returncode = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    connection.send(json.dumps({"ended": pid, "returncode": returncode}).encode())


def _become(request: dict[str, Any], parent: int, files: list[int], outputs: list[int]) -> None:
    """Run the command in this process; raises SystemExit at its end."""
    die_with_parent(parent)
    for number in files:
        os.close(number)
    nothing = os.open(os.devnull, os.O_RDONLY)
    given = [nothing, *outputs]
    for target, source in enumerate(given):
        os.dup2(source, target)
    for number in given:
        os.close(number)
    os.chdir(request["folder"])
    os.environ.clear()
    os.environ.update(request["environment"])
    time.tzset()
    sys.argv = ["docsieve", *request["arguments"]]
    importlib.reload(import_module("docsieve.faults"))  # which reads the environment once
    import_module("docsieve.cli.main").app()


if __name__ == "__main__":
    serve()
