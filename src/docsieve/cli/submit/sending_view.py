"""What a person sees while files are sent and read: a row for each that is under way, and one for all."""

import sys
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from rich.console import Console
from rich.filesize import decimal
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TaskID, TextColumn
from rich.table import Column
from rich.text import Text

from docsieve.cli.console.tables import cell

_NAME_WIDTH = 36


class _Standing(ProgressColumn):
    """The document's state once it has one; until then the bytes sent."""

    def render(self, task: Task) -> Text:
        if task.fields["standing"]:
            return Text(task.fields["standing"], style="dim")
        speed = f", {decimal(int(task.speed))}/s" if task.speed else ""
        return Text(f"sending {decimal(int(task.completed))} of {decimal(int(task.total or 0))}{speed}", style="dim")


class Row:
    def __init__(self, view: "SendingView", task: TaskID) -> None:
        self._view = view
        self._task = task

    def sent(self, bytes_read: int) -> None:
        self._view.progress.update(self._task, completed=bytes_read)

    def show_state(self, state: dict[str, Any]) -> None:
        progress = state["progress"] or {}
        # A bar without a total pulses: the work has no measure yet.
        self._view.progress.update(
            self._task, standing=standing(state), total=progress.get("pages"), completed=progress.get("page") or 0
        )

    def close(self) -> None:
        self._view.progress.remove_task(self._task)
        self._view.count_one()


class SendingView:
    """Silent unless stderr is a terminal."""

    def __init__(self, files: int, *, quiet: bool) -> None:
        self.progress = Progress(
            TextColumn("{task.fields[name]}", markup=False, table_column=Column(no_wrap=True, max_width=_NAME_WIDTH)),
            BarColumn(bar_width=24),
            _Standing(table_column=Column(no_wrap=True)),
            console=Console(stderr=True),
            transient=True,
            disable=quiet or not sys.stderr.isatty(),
        )
        self._files = files
        self._done = 0
        self._all = self.progress.add_task("", name="all files", total=files, standing=" ", visible=files > 1)
        self._show_count()

    def __enter__(self) -> Self:
        self.progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.progress.stop()

    def row(self, path: Path) -> Row:
        try:
            size = path.stat().st_size
        except OSError:
            size = 0  # opening it will say what is wrong
        return Row(self, self.progress.add_task("", name=cell(path.name).plain, total=size, standing=""))

    def count_one(self) -> None:
        self._done += 1
        self._show_count()

    def _show_count(self) -> None:
        done = f"{self._done} of {self._files} done"
        self.progress.update(self._all, completed=self._done, standing=done)


def standing(state: dict[str, Any]) -> str:
    """A document's state in a few words."""
    progress, job = state["progress"], state["job"]
    if progress is not None:
        pages = f", page {progress['page'] or 0} of {progress['pages']}" if progress["pages"] else ""
        return f"{progress['stage']}{pages}"
    if job is not None and job["attempts"] and state["error"] is not None:
        return f"waits for attempt {job['attempts'] + 1} of {job['max_attempts']} after {state['error']['code']}"
    if state["queue_position"] is not None:
        return f"waits, place {state['queue_position']} in the queue"
    return str(state["status"])
