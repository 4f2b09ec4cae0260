"""What `docsieve batch` shows: progress while it waits, and what became of the groups."""

import sys
from types import TracebackType
from typing import Any, Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Column

from docsieve.cli.console.tables import span


class BatchView:
    """Silent unless stderr is a terminal."""

    def __init__(self) -> None:
        self._progress = Progress(
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            TextColumn("{task.fields[state]}", markup=False, style="dim", table_column=Column(no_wrap=True)),
            console=Console(stderr=True),
            transient=True,
            disable=not sys.stderr.isatty(),
        )
        self._task = self._progress.add_task("", total=None, state="")

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._progress.stop()

    def show(self, batch: dict[str, Any]) -> None:
        counts = batch["progress"]
        self._progress.update(self._task, total=counts["total"] or None, completed=ended(counts), state=describe(batch))


def ended(counts: dict[str, Any]) -> int:
    return int(counts["completed"] + counts["failed"] + counts["cancelled"])


def describe(batch: dict[str, Any]) -> str:
    """A short description of how far a batch is."""
    counts = batch["progress"]
    if batch["starting"]:
        return f"starts when {counts['documents_waiting']} more documents are read"
    parts = [f"{counts['failed']} failed"] if counts["failed"] else []
    if counts.get("documents_waiting"):
        noun = "document" if counts["documents_waiting"] == 1 else "documents"
        parts.append(f"{counts['documents_waiting']} {noun} to read")
    if counts.get("estimated_seconds_left") is not None:
        parts.append(f"about {span(counts['estimated_seconds_left'])} left")
    return ", ".join(parts) or ("extracting" if batch["status"] == "running" else batch["status"])


def summary(batch: dict[str, Any]) -> str:
    """`12 completed (2 need review), 1 failed`"""
    counts = batch["progress"]
    review = f" ({counts['needs_review']} need review)" if counts["needs_review"] else ""
    parts = [f"{counts['completed']} completed{review}"]
    parts += [f"{counts[name]} {name}" for name in ("failed", "cancelled") if counts[name]]
    return ", ".join(parts)
