"""Runs the commands of a page one after the other, like a reader who copies them."""

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.service import ADMIN_KEY, Service

_ASSIGNMENT = re.compile(r"(?:export )?([A-Z_]+)=(.*)")
_PLACEHOLDER = re.compile(r'([A-Z]+)=…\s*# "(\w+)"')
_NAMED = re.compile(r"(?<![$\w])(?:ID|OTHER|FOLDER)(?!\w)")
_SERVER = "http://127.0.0.1:8400"
_QUIET = 'curl() { command curl --silent --show-error "$@"; }; '


@dataclass
class Shell:
    """`problems` collects the error codes of the server's responses."""

    service: Service
    folder: Path
    variables: dict[str, str] = field(default_factory=dict)
    answers: list[dict[str, Any]] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        commands = self.folder / ".venv" / "bin"
        commands.mkdir(parents=True)
        command = commands / "docsieve"
        command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m docsieve "$@"\n')
        command.chmod(0o755)
        self.variables["XDG_CACHE_HOME"] = str(self.folder / ".cache")
        self.variables["PATH"] = f"{commands}{os.pathsep}{os.environ['PATH']}"

    def run(self, command: str) -> tuple[int, str]:
        """Return exit code and output, stderr last. A placeholder variable is filled from the latest response."""
        if placeholder := _PLACEHOLDER.match(command):
            name, key = placeholder.groups()
            self.variables[name] = next(answer[key] for answer in reversed(self.answers) if key in answer)
            return 0, ""
        command = command.replace("ds_…", ADMIN_KEY).replace(_SERVER, self.service.url)
        command = _NAMED.sub(lambda named: self.variables.get(named[0], named[0]), command)
        if assignment := _ASSIGNMENT.fullmatch(command):
            name = assignment[1]
            self.variables[name] = self._bash(f'{name}={assignment[2]}\nprintf %s "${name}"')[1]
            return 0, ""
        code, output = self._bash(_QUIET + command)
        self._look_at(output)
        return code, output

    def _bash(self, script: str) -> tuple[int, str]:
        ran = subprocess.run(
            ["bash", "-c", script],
            cwd=self.folder,
            env={**self.service.environment, **self.variables},
            capture_output=True,
            text=True,
            timeout=180,
            check=False,
        )
        assert "Traceback" not in ran.stderr, ran.stderr
        return ran.returncode, ran.stdout + ran.stderr

    def _look_at(self, output: str) -> None:
        try:
            answer = json.loads(output)
        except ValueError:
            return
        if isinstance(answer, dict):
            self.answers.append(answer)
            if answer.get("type") == "about:blank":
                self.problems.append(answer["code"])
            if "processing_job_id" in answer:
                self.settle(answer["id"])

    def settle(self, document_id: str) -> None:
        """Wait until the document is read and its fields are extracted, as a reader would."""
        self.service.settled(document_id)

        def extracted() -> bool:
            extraction = self.service.status(document_id)["extraction"]
            return extraction is None or extraction["status"] not in ("pending", "processing")

        self.service.wait_until(extracted, what=f"fields of {document_id}")
