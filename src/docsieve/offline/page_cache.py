"""Pages cached on disk between commands, so that a document is read once, however often it is extracted from.

The key is the content of the document, the parser and its version.
"""

import hashlib
import json
import os
import shutil
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from docsieve import faults
from docsieve.domain.pages.pagefile import check_file
from docsieve.errors import PagesDamaged

_MAX_AGE_SECONDS = 30 * 86_400
_PRIVATE = 0o700


@dataclass(frozen=True, slots=True)
class About:
    """Facts about a document whose pages were read."""

    media_type: str
    page_count: int
    language: str | None
    document_class: str | None


@dataclass(frozen=True, slots=True)
class CachedPages:
    pages: Path
    about: About


@dataclass(frozen=True, slots=True)
class ReadFile:
    """`seconds` is how long reading took; 0 for cached pages."""

    path: Path
    pages: Path
    about: About
    seconds: float


class PageCache:
    """A private folder. Opening it removes pages that were not used for a month."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder.absolute()
        self._folder.mkdir(parents=True, exist_ok=True, mode=_PRIVATE)
        self._remove_old()

    def find(self, key: str) -> CachedPages | None:
        """None for pages that are damaged or in the format of another release."""
        pages, about = self._pages(key), self._about(key)
        try:
            cached = CachedPages(pages, About(**json.loads(about.read_bytes())))
            with pages.open("rb") as file:
                check_file(file)
            os.utime(pages)
        except (FileNotFoundError, ValueError, TypeError, PagesDamaged):
            return None
        return cached

    def add(self, key: str, pages: Path, about: About) -> CachedPages:
        """Move the page file in. Concurrent readers see all of it or nothing."""
        moved = self._pages(key).with_suffix(f".{os.getpid()}-pages")
        shutil.move(pages, moved)
        moved.replace(self._pages(key))
        written = self._about(key).with_suffix(f".{os.getpid()}-json")
        written.write_text(json.dumps(asdict(about)))
        written.replace(self._about(key))
        faults.signal("pages.cached")
        return CachedPages(self._pages(key), about)

    def _pages(self, key: str) -> Path:
        return self._folder / f"{key}.pages"

    def _about(self, key: str) -> Path:
        return self._folder / f"{key}.json"

    def _remove_old(self) -> None:
        oldest = time.time() - _MAX_AGE_SECONDS
        for pages in self._folder.glob("*.pages"):
            if pages.stat().st_mtime < oldest:
                pages.unlink(missing_ok=True)
                pages.with_suffix(".json").unlink(missing_ok=True)


def cache_key(document: Path, reader: tuple[str, str]) -> str:
    """`reader` is the parser's name and full version."""
    with document.open("rb") as file:
        content = hashlib.file_digest(file, "sha256").hexdigest()
    how = hashlib.sha256("\0".join(reader).encode()).hexdigest()
    return f"{content}-{how[:16]}"


def default_cache() -> Path:
    """The cache folder of this user."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "docsieve" / "pages"
