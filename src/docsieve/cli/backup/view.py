"""Progress of backups and restores, and how they are listed."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from rich.console import Console
from rich.filesize import decimal
from rich.progress import BarColumn, Progress, TextColumn

from docsieve.cli.console.tables import show_table
from docsieve.services.backup import create, restore
from docsieve.services.backup.repository import Backup, Total


def described(total: Total) -> str:
    return f"{total.files:,} file{'' if total.files == 1 else 's'} ({decimal(total.bytes)})"


def show_backups(backups: Sequence[Backup]) -> None:
    show_table(
        ["backup", "created", "release", "files", "size", "new", "database"],
        [
            (
                each.id,
                each.created_at,
                each.release,
                f"{each.all_files.files:,}",
                decimal(each.all_files.bytes),
                decimal(each.new_files.bytes),
                decimal(each.database.size),
            )
            for each in backups
        ],
        whole=["backup"],
    )


class View:
    """Silent unless stderr is a terminal."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._task = progress.add_task("", total=None, said="")

    def backing_up(self, state: create.Progress) -> None:
        new = f"{state.new_files:,} new, {decimal(state.new_bytes)}"
        self._progress.update(self._task, said=f"{state.files:,} files, {new}")

    def restoring(self, state: restore.Progress) -> None:
        said = f"{state.files:,} of {state.total_files:,} files, {decimal(state.bytes)} of {decimal(state.total_bytes)}"
        self._progress.update(self._task, total=state.total_files, completed=state.files, said=said)


@contextmanager
def shown() -> Iterator[View]:
    progress = Progress(
        BarColumn(bar_width=24),
        TextColumn("{task.fields[said]}", markup=False),
        console=Console(stderr=True),
        transient=True,
        disable=not sys.stderr.isatty(),
    )
    with progress:
        yield View(progress)
