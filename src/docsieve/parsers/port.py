"""What a parser is: bytes in, pages out.

A parser is one file here and one line in `registry.py`, or an installed package with an entry point of group
`docsieve.parsers` that names a class taking no arguments. `read` runs in a sandboxed child process, `sniff` in the
API's: a module that defines a parser therefore imports its heavy libraries inside `read` only.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from docsieve.domain.pages import Page

HEAD_BYTES = 8 * 1024


@dataclass(frozen=True, slots=True)
class ReadOptions:
    password: str | None = None
    max_pages: int = 5000


@dataclass(slots=True)
class Reading:
    """An opened document; `pages` is lazy and yields exactly `page_count` pages, numbered from 1."""

    page_count: int
    pages: Iterator[Page]


class Parser(Protocol):
    """`version` names everything that shapes the pages, because stored pages are found again by name and version."""

    name: str
    version: str
    media_types: frozenset[str]

    def sniff(self, head: bytes) -> str | None:
        """The media type that the first 8 KiB of a document show, if it is one of ours. Cheap; never raises."""
        ...

    def read(self, source: Path, options: ReadOptions) -> Reading:
        """Open a document.

        Raises CorruptDocument, PasswordRequired, PasswordWrong or TooManyPages. A page that cannot be read is
        yielded with its `error` set; the others go on.
        """
        ...
