"""Tables and other human-readable output, as wide as the terminal, or as needed when piped."""

import math
import sys
from collections.abc import Sequence
from datetime import datetime

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from docsieve.domain.text import clean, visible

_UNBOUNDED = 1000  # columns; piped output is never wrapped or truncated

STYLES = {"ready": "green", "completed": "green", "failed": "red", "refused": "red", "cancelled": "yellow"}


def console() -> Console:
    return Console(highlight=False, width=None if sys.stdout.isatty() else _UNBOUNDED)


def cell(value: object) -> Text:
    """One line of untrusted text, without markup, terminal escape sequences or bidirectional control characters."""
    if value is None:
        return Text("–", style="dim")
    if isinstance(value, datetime):
        return Text(f"{value.astimezone():%Y-%m-%d %H:%M:%S}")
    if isinstance(value, list | tuple):
        value = ", ".join(map(str, value)) or "–"
    text = " ".join(visible(clean(str(value))).split())
    return Text(text, style=STYLES.get(text, ""))


def show_table(columns: Sequence[str], rows: Sequence[Sequence[object]], *, whole: Sequence[str] = ()) -> None:
    """Print rows. The columns named in `whole` are never wrapped, so that they can be copied."""
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False, header_style="bold")
    for column in columns:
        table.add_column(column, no_wrap=column in whole, overflow="fold")
    for row in rows:
        table.add_row(*map(cell, row))
    console().print(table)


def show_fields(fields: dict[str, object]) -> None:
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    for name, value in fields.items():
        table.add_row(name, cell(value))
    console().print(table)


def share(confidence: float | None) -> str | None:
    """Rounded down, so that a confidence below a threshold never looks as if it reached it."""
    return f"{math.floor(confidence * 100 + 1e-6) / 100:.2f}" if confidence is not None else None


def show_empty(noun: str) -> None:
    console().print(f"There are no {noun}.", style="dim")


def span(seconds: float) -> str:
    """A human-readable duration."""
    for size, unit in ((86_400, "days"), (3_600, "hours"), (60, "minutes")):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} s"
