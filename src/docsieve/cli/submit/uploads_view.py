"""Progress display of `docsieve submit`: a row per file in progress, and one for all files."""

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


class _State(ProgressColumn):
    """The document's state, or the bytes sent until there is one."""

    def render(self, task: Task) -> Text:
        if task.fields["state"]:
            return Text(task.fields["state"], style="dim")
        speed = f", {decimal(int(task.speed))}/s" if task.speed else ""
        return Text(f"sending {decimal(int(task.completed))} of {decimal(int(task.total or 0))}{speed}", style="dim")


class Row:
    def __init__(self, view: "SendingView", task: TaskID) -> None:
        self._view = view
        self._task = task

    def sent(self, bytes_read: int) -> None:
        self._view.progress.update(self._task, completed=bytes_read)

    def show_step(self, step: str) -> None:
        """The current step of the file; an empty one shows the bytes that were sent."""
        self._view.progress.update(self._task, state=step, completed=0)

    def show_state(self, state: dict[str, Any]) -> None:
        progress = state["progress"] or {}
        # A bar without a total pulses, because the amount of work is unknown.
        self._view.progress.update(
            self._task, state=describe(state), total=progress.get("pages"), completed=progress.get("page") or 0
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
            _State(table_column=Column(no_wrap=True)),
            console=Console(stderr=True),
            transient=True,
            disable=quiet or not sys.stderr.isatty(),
        )
        self._files = files
        self._done = 0
        self._all = self.progress.add_task("", name="all files", total=files, state=" ", visible=files > 1)
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
            size = 0  # opening it will report the error
        return Row(self, self.progress.add_task("", name=cell(path.name).plain, total=size, state=""))

    def count_one(self) -> None:
        self._done += 1
        self._show_count()

    def _show_count(self) -> None:
        done = f"{self._done} of {self._files} done"
        self.progress.update(self._all, completed=self._done, state=done)


def describe(state: dict[str, Any]) -> str:
    """A short description of a document's state."""
    progress, job = state["progress"], state["job"]
    if progress is not None:
        pages = f", page {progress['page'] or 0} of {progress['pages']}" if progress["pages"] else ""
        return f"{progress['stage']}{pages}"
    if job is not None and job["attempts"] and state["error"] is not None:
        return f"waiting for attempt {job['attempts'] + 1} of {job['max_attempts']} after {state['error']['code']}"
    if state["queue_position"] is not None:
        return f"waiting, position {state['queue_position']} in the queue"
    return str(state["status"])
