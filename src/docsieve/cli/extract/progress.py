"""Progress display of `docsieve extract`: an overall bar and the documents in progress."""

import sys
from pathlib import Path
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Column

from docsieve.cli.console.tables import cell
from docsieve.domain.pages import page as pages

_MAX_NAME_LENGTH = 40


class ExtractProgress:
    """Silent unless stderr is a terminal."""

    def __init__(self, documents: int) -> None:
        self._progress = Progress(
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            TimeRemainingColumn(compact=True),
            TextColumn("{task.fields[doing]}", markup=False, style="dim", table_column=Column(no_wrap=True)),
            console=Console(stderr=True),
            transient=True,
            disable=not sys.stderr.isatty(),
        )
        self._task = self._progress.add_task("", total=documents, doing="")

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()

    def show(self, path: Path, at: pages.Progress) -> None:
        page = f", page {at.page} of {at.pages}" if at.page and at.pages else ""
        name = cell(path.name).plain[-_MAX_NAME_LENGTH:]
        self._progress.update(self._task, doing=f"{name}: {at.stage}{page}")

    def count_one(self) -> None:
        self._progress.update(self._task, advance=1)
