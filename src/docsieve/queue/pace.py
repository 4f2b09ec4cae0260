"""Estimates how long the rest of a document's pages will take."""

from typing import NamedTuple

from docsieve.domain.pages.page import Progress

_READ = "reading"


class _Mark(NamedTuple):
    page: int
    at: float


class Pace:
    """The first page also pays for what is loaded once, so the others are expected to take as long as each other."""

    def __init__(self) -> None:
        self._start: _Mark | None = None
        self._first: _Mark | None = None
        self._last: _Mark | None = None
        self._pages = 0

    def add(self, progress: Progress, now: float) -> None:
        """Only the stage `reading` says how many pages are done."""
        if progress.stage != _READ or progress.page is None or progress.pages is None:
            return
        mark = _Mark(progress.page, now)
        if self._start is None or mark.page == 0 or (self._last is not None and mark.page < self._last.page):
            self._start, self._first = mark, None  # begun, perhaps again
        elif self._first is None and mark.page > self._start.page:
            self._first = mark
        self._last, self._pages = mark, progress.pages

    def seconds_left(self, now: float) -> float | None:
        """None before the first page and after the last one."""
        if self._start is None or self._first is None or self._last is None or self._last.page >= self._pages:
            return None
        since = self._first if self._last.page > self._first.page else self._start
        each = (self._last.at - since.at) / (self._last.page - since.page)
        return max(0.0, each * (self._pages - self._last.page) - (now - self._last.at))
