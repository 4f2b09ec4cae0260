"""Tasks of a module that sandboxes of these tests run, as if a parser had taken the child over."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from docsieve.domain.pages.page import OnProgress
from docsieve.sandbox import runner
from docsieve.sandbox.paths import InputPath, OutputPath
from docsieve.sandbox.task import Task


@dataclass(frozen=True, slots=True)
class Seen:
    text: str
    count: int = 0
    words: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Answer(Task[Seen]):
    """Has its process send `forged` as the result, if given."""

    text: str = ""
    forged: str | None = None

    def perform(self, report: OnProgress) -> Seen:
        if self.forged is not None:
            forged = self.forged.encode()
            vars(runner)["encode_result"] = lambda kind, result: forged
        return Seen(self.text)


@dataclass(frozen=True, slots=True)
class Open(Task[Seen]):
    """Tries to read a file that was given as a mere text."""

    path: str

    def perform(self, report: OnProgress) -> Seen:
        try:
            return Seen(Path(self.path).read_text())
        except OSError:
            return Seen("refused")


@dataclass(frozen=True, slots=True)
class Write(Task[Seen]):
    """Says where it was told to write, and tries to write where it wants."""

    output: OutputPath
    elsewhere: str

    def perform(self, report: OnProgress) -> Seen:
        self.output.write_text("made")
        try:
            Path(self.elsewhere).write_text("made elsewhere")
        except OSError:
            return Seen(str(self.output))
        return Seen("written elsewhere")


@dataclass(frozen=True, slots=True)
class Link(Task[Seen]):
    """Leaves a link instead of its result."""

    target: str

    def perform(self, report: OnProgress) -> Seen:
        os.symlink(self.target, "../out/result.json")
        return Seen("linked", words=["word"] * 100_000)


@dataclass(frozen=True, slots=True)
class Count(Task[Seen]):
    """Reads its inputs; it may itself be too large for a message."""

    inputs: tuple[InputPath, ...]
    text: str = ""

    def perform(self, report: OnProgress) -> Seen:
        return Seen(self.text[:10], count=len(self.text), words=[path.read_text() for path in self.inputs])


@dataclass(frozen=True, slots=True)
class Recall(Task[Seen]):
    """Names the kinds of tasks that its process was prepared for."""

    def perform(self, report: OnProgress) -> Seen:
        return Seen("", words=[*_prepared])


@dataclass(frozen=True, slots=True)
class NotRegistered(Task[Seen]):
    def perform(self, report: OnProgress) -> Seen:
        return Seen("performed")


TASKS: Sequence[type[Task[Any]]] = (Answer, Open, Write, Link, Count, Recall)

_prepared: list[str] = []


def prepare(kind: str, folder: Path) -> None:
    _prepared.append(kind)


def warm_up(folder: Path) -> Iterator[None]:
    return iter(())


def load_models(name: str) -> None:
    pass


def loaded_models(kind: type[Task[Any]]) -> str | None:
    return None
