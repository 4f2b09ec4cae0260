"""The command line as a user runs it: a process, its two outputs and its exit code."""

import json
import os
import pty
import subprocess
import sys
from dataclasses import dataclass
from typing import Any

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
        ran = subprocess.run(
            [*COMMAND, *map(str, arguments)],
            env={**self.environment, **settings},
            input=stdin,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert "Traceback" not in ran.stderr, ran.stderr
        return Ran(ran.returncode, ran.stdout, ran.stderr)

    def on_terminal(self, *arguments: object) -> str:
        """What a person sees on a terminal of 120 columns, with everything that was drawn over since."""
        ours, theirs = pty.openpty()
        process = subprocess.Popen(
            [*COMMAND, *map(str, arguments)],
            env={**self.environment, "TERM": "xterm", "COLUMNS": "120"},
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
        )
        os.close(theirs)
        seen = b""
        while piece := _read(ours):
            seen += piece
        os.close(ours)
        process.wait(60)
        return seen.decode()


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # how Linux says that the other side has closed a terminal
        return b""
