"""The first recipe: bytes on disk become a page file on disk, in the sandbox."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from docsieve.domain.pages import Progress
from docsieve.parsers.registry import parser_for
from docsieve.sandbox.pool import Sandbox


@dataclass(frozen=True, slots=True)
class Read:
    page_count: int
    pages_failed: int
    characters: int


def reader_of(media_type: str) -> tuple[str, str]:
    """Name and version of the parser that would read this type; together they say whether stored pages still hold."""
    parser = parser_for(media_type)
    return parser.name, parser.version


async def read(
    sandbox: Sandbox,
    source: Path,
    output: Path,
    *,
    media_type: str,
    password: str | None,
    max_pages: int,
    on_progress: Callable[[Progress], None],
) -> Read:
    summary = await sandbox.run(
        "read_document",
        {
            "source": str(source),
            "output": str(output),
            "media_type": media_type,
            "password": password,
            "max_pages": max_pages,
        },
        on_progress=on_progress,
    )
    return Read(summary["page_count"], summary["pages_failed"], summary["characters"])
