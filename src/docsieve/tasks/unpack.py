"""The task that unpacks a slice of an archive, and the module of tasks for the children that run nothing else."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from docsieve.archives.registry import Opening, open_archive
from docsieve.archives.unpack import Budget, Slice, Unpacking
from docsieve.domain.pages.page import OnProgress, Progress
from docsieve.parsers.registry import detect, parsers
from docsieve.sandbox.paths import InputPath, OutputPath
from docsieve.sandbox.task import Task

STAGE = "unpacking"


@dataclass(frozen=True, slots=True)
class UnpackSlice(Task[Slice]):
    """Unpacks entries of `source` into `folder`, from number `start` on, until the slice is full."""

    source: InputPath
    folder: OutputPath
    opening: Opening
    start: int
    budget: Budget

    def perform(self, report: OnProgress) -> Slice:
        self.folder.mkdir()
        report(Progress(STAGE, self.start))
        with open_archive(self.source, self.opening) as reader:
            unpacking = Unpacking(self.folder, detect, self.budget)
            return unpacking.run(reader, self.start, on_entry=lambda number: report(Progress(STAGE, number)))


TASKS: Sequence[type[Task[Any]]] = (UnpackSlice,)


def prepare(kind: str, folder: Path) -> None:
    parsers()


def warm_up(folder: Path) -> Iterator[None]:
    return iter(())


def load_models(name: str) -> None:
    """There are none."""


def loaded_models(kind: type[Task[Any]]) -> str | None:
    return None
