"""The command line as a user runs it: its two outputs and its exit code."""

import json
import os
import pty
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from tempfile import TemporaryFile
from typing import IO, Any

from typer.testing import CliRunner

from docsieve.cli.main import PARTS, app
from tests.forks import fork_server

COMMAND = [sys.executable, "-m", "docsieve"]


@dataclass(frozen=True)
class Ran:
    code: int
    out: str
    err: str

    def json(self) -> Any:
        return json.loads(self.out)


@dataclass(frozen=True)
class CommandLine:
    environment: dict[str, str]

    def __call__(self, *arguments: object, stdin: str = "", **settings: str) -> Ran:
        """Run a command in this process, which spares it half a second of imports; a server runs in its own."""
        if arguments and arguments[0] in PARTS:
            return self.as_process(*arguments, **settings)
        ran = CliRunner().invoke(app, [*map(str, arguments)], input=stdin, env={**self.environment, **settings})
        if ran.exception is not None and not isinstance(ran.exception, SystemExit):
            raise ran.exception
        return Ran(ran.exit_code, ran.stdout, ran.stderr)

    def as_process(self, *arguments: object, **settings: str) -> Ran:
        with TemporaryFile() as out, TemporaryFile() as err:
            code = fork_server().fork([*map(str, arguments)], {**self.environment, **settings}, out, err).wait(120)
            ran = Ran(code, *(_written(file) for file in (out, err)))
        assert "Traceback" not in ran.err, ran.err
        return ran

    def on_terminal(self, *arguments: object) -> str:
        """What a person sees on a terminal of 120 columns, with everything that was drawn over since."""
        with on_terminal(self.environment, *arguments) as terminal:
            terminal.process.wait(60)
        return terminal.seen()


@dataclass(frozen=True)
class Terminal:
    process: subprocess.Popen[bytes]
    _pieces: list[bytes]

    def seen(self) -> str:
        return b"".join(self._pieces).decode()


@contextmanager
def on_terminal(environment: dict[str, str], *arguments: object) -> Iterator[Terminal]:
    """A command that runs on a terminal; what has not ended by then is terminated."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, *map(str, arguments)],
        env={**environment, "TERM": "xterm", "COLUMNS": "120"},
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    terminal = Terminal(process, [])
    reader = threading.Thread(target=_read_all, args=(ours, terminal._pieces))
    reader.start()
    try:
        yield terminal
    finally:
        process.terminate()
        process.wait(60)
        reader.join()
        os.close(ours)


def _written(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode()


def _read_all(terminal: int, pieces: list[bytes]) -> None:
    while piece := _read(terminal):
        pieces.append(piece)


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # how Linux says that the other side has closed a terminal
        return b""
