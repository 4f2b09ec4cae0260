"""A real Redis for tests, which can be killed and started again, and a line to it that can be cut."""

import socket
import subprocess
import tempfile
import threading
from pathlib import Path
from typing import Any, Self

import redis

from tests.service import poll_until, reserve_port, start_bound


class RedisServer:
    """It keeps nothing on disk, so a restart is the loss of everything."""

    def __init__(self, *, databases: int = 16) -> None:
        self._databases = databases
        self._reservation = reserve_port()
        self.port: int = self._reservation.getsockname()[1]
        self.url = f"redis://127.0.0.1:{self.port}/0"
        # untyped, because redis-py declares each answer as one that may have to be awaited
        self.client: Any = redis.Redis(port=self.port, socket_timeout=10)
        self._folder = tempfile.TemporaryDirectory(prefix="docsieve-redis-")
        self.process: subprocess.Popen[Any] | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.client.close()
        self.kill()
        self._folder.cleanup()
        self._reservation.close()

    def start(self) -> None:
        options = {"port": self.port, "bind": "127.0.0.1", "save": "", "appendonly": "no", "dir": self._folder.name}
        options["databases"] = self._databases
        command = ["redis-server", *(part for name, value in options.items() for part in (f"--{name}", str(value)))]
        with Path(self._folder.name, "log").open("ab") as log:
            self.process = start_bound(command, stdout=log, stderr=log)
        poll_until(self._answers, what="Redis started")

    def _answers(self) -> bool:
        try:
            return bool(self.client.ping())
        except redis.ConnectionError:
            return False

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def clear(self) -> None:
        self.client.flushall()


class Line:
    """Forwards connections to a port until it is cut: then they stay open, and nothing comes through."""

    def __init__(self, port: int) -> None:
        self._target = port
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"redis://127.0.0.1:{self._listening.getsockname()[1]}/0"
        self._open = threading.Event()
        self._open.set()
        self._sockets: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._listening.close()
        for each in self._sockets:
            each.close()
        self._open.set()

    def cut(self) -> None:
        self._open.clear()

    def mend(self) -> None:
        self._open.set()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listening.accept()
            except OSError:
                return  # closed
            try:
                far = socket.create_connection(("127.0.0.1", self._target))
            except OSError:
                near.close()
                continue
            self._sockets += [near, far]
            for source, target in ((near, far), (far, near)):
                threading.Thread(target=self._forward, args=(source, target), daemon=True).start()

    def _forward(self, source: socket.socket, target: socket.socket) -> None:
        try:
            while data := source.recv(65536):
                self._open.wait()
                target.sendall(data)
        except OSError:
            pass
        finally:
            for each in (source, target):
                try:
                    each.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass
