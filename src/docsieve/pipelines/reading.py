"""The first recipe: bytes on disk become a page file on disk, with what it is about, in the sandbox."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from docsieve.domain.pages import Progress
from docsieve.parsers.port import ReadOptions
from docsieve.parsers.registry import parser_for
from docsieve.sandbox.pool import Sandbox

OnProgress = Callable[[Progress], None]
AttachmentsOf = Literal["none", "mail", "any"]


@dataclass(frozen=True, slots=True)
class Attached:
    """A document that was inside another, as a file."""

    name: str
    media_type: str
    path: Path


@dataclass(frozen=True, slots=True)
class Read:
    page_count: int
    pages_failed: int
    characters: int
    media_type: str | None = None


@dataclass(frozen=True, slots=True)
class Workplace:
    """A directory for one document: what comes in and what comes out."""

    directory: Path

    @property
    def original(self) -> Path:
        return self.directory / "original"

    @property
    def pages(self) -> Path:
        return self.directory / "pages"

    @property
    def chunks(self) -> Path:
        return self.directory / "chunks"

    @property
    def attachments(self) -> Path:
        return self.directory / "attachments"


def reader_of(media_type: str, options: ReadOptions) -> tuple[str, str]:
    """Name and version of what would read this type; together they say whether stored pages still hold."""
    parser = parser_for(media_type)
    if not parser.uses_ocr:
        return parser.name, parser.version
    languages = "+".join(options.ocr_languages)
    return parser.name, f"{parser.version}-{options.ocr_engine}-{languages}"


async def read(
    sandbox: Sandbox,
    place: Workplace,
    *,
    media_type: str,
    options: ReadOptions,
    analysis: dict[str, Any],
    attachments_of: AttachmentsOf,
    on_progress: OnProgress,
) -> tuple[Read, dict[str, Any], list[Attached]]:
    """Read `place.original` into `place.pages`; the analysis beside it is what `sandbox.analysing` says."""
    summary = await sandbox.run(
        "read_document",
        {
            **_opening(place, media_type, options),
            "output": str(place.pages),
            "analysis": analysis,
            "attachments_of": attachments_of,
        },
        on_progress=on_progress,
    )
    read = Read(summary["page_count"], summary["pages_failed"], summary["characters"], summary["media_type"])
    return read, summary["analysis"], _attached(place, summary)


async def attachments(
    sandbox: Sandbox,
    place: Workplace,
    *,
    media_type: str,
    options: ReadOptions,
    attachments_of: AttachmentsOf,
    on_progress: OnProgress,
) -> list[Attached]:
    """What is attached to `place.original`, whose pages need not be read again."""
    arguments = {**_opening(place, media_type, options), "attachments_of": attachments_of}
    return _attached(place, await sandbox.run("extract_attachments", arguments, on_progress=on_progress))


def _opening(place: Workplace, media_type: str, options: ReadOptions) -> dict[str, Any]:
    return {
        "source": str(place.original),
        "media_type": media_type,
        "options": asdict(options),
        "attachments": str(place.attachments),
    }


def _attached(place: Workplace, summary: dict[str, Any]) -> list[Attached]:
    return [
        Attached(entry["name"], entry["media_type"], place.attachments / str(int(entry["file"])))
        for entry in summary["attachments"]
    ]
