"""The first recipe: bytes on disk become a page file on disk, with what it is about, in the sandbox."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple

from docsieve.domain.classes import ClassDescription, Classification
from docsieve.domain.pages import Progress
from docsieve.parsers.ocr.registry import engine
from docsieve.parsers.port import ReadOptions
from docsieve.parsers.registry import parser_for
from docsieve.pipelines.ocr import MachineOcr
from docsieve.sandbox.pool import Sandbox

OnProgress = Callable[[Progress], None]
AttachmentsOf = Literal["none", "mail", "any"]

_SAMPLE_CHARACTERS = 6_000  # as much as a language model is shown to tell the class of a document


@dataclass(frozen=True, slots=True)
class Attached:
    """A document that was inside another, as a file."""

    name: str
    media_type: str
    path: Path


class Reader(NamedTuple):
    """Name and version of what reads a document; together they say whether stored pages still hold."""

    name: str
    version: str


@dataclass(frozen=True, slots=True)
class Read:
    """`reader` is what really read it, where another OCR engine had to take over."""

    reader: Reader
    page_count: int
    pages_failed: int
    characters: int
    media_type: str | None = None


@dataclass(frozen=True, slots=True)
class Analysis:
    """What a document is about, as far as its own text tells; `sample` is the beginning of that text."""

    language: str | None
    classification: Classification
    sample: str


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


def reader_of(media_type: str, options: ReadOptions) -> Reader:
    """What would read this type. The backends of an OCR engine give the same words, so they are not part of it."""
    parser = parser_for(media_type)
    if not parser.uses_ocr:
        return Reader(parser.name, parser.version)
    languages = "+".join(options.ocr_languages)
    return Reader(
        parser.name, f"{parser.version}-{options.ocr_engine}-{engine(options.ocr_engine).version}-{languages}"
    )


def readers_of(media_type: str, options: ReadOptions, ocr: MachineOcr) -> list[Reader]:
    """Those whose stored pages need not be read again: the one that is asked for, then what this machine has instead.

    So pages that a lesser engine read are not kept for a machine that can do better.
    """
    return list(dict.fromkeys(reader_of(media_type, each) for each in (options, ocr.options(options))))


async def read(
    sandbox: Sandbox,
    ocr: MachineOcr,
    place: Workplace,
    *,
    media_type: str,
    options: ReadOptions,
    own_classes: Sequence[ClassDescription],
    attachments_of: AttachmentsOf,
    on_progress: OnProgress,
) -> tuple[Read, Analysis, list[Attached]]:
    """Read `place.original` into `place.pages` and its chunks into `place.chunks`."""

    def arguments(options: ReadOptions) -> dict[str, Any]:
        return {
            **_opening(place, media_type, options),
            "output": str(place.pages),
            "analysis": _wanted(place, own_classes),
            "attachments_of": attachments_of,
        }

    answer = await ocr.run(sandbox, "read_document", arguments, options, on_progress)
    summary = answer.result
    read = Read(
        reader_of(media_type, answer.options if answer.used_ocr else options),
        summary["page_count"],
        summary["pages_failed"],
        summary["characters"],
        summary["media_type"],
    )
    return read, _analysis(summary), _attached(place, summary)


async def analyse(
    sandbox: Sandbox, place: Workplace, *, own_classes: Sequence[ClassDescription], on_progress: OnProgress
) -> Analysis:
    """Analyse `place.pages`, which were there already, and write their chunks into `place.chunks`."""
    arguments = {"pages": str(place.pages), "analysis": _wanted(place, own_classes)}
    return _analysis(await sandbox.run("analyse_document", arguments, on_progress=on_progress))


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
        "options": options.to_json(),
        "attachments": str(place.attachments),
    }


def _wanted(place: Workplace, own_classes: Sequence[ClassDescription]) -> dict[str, Any]:
    return {
        "chunks": str(place.chunks),
        "own_classes": [[each.name, each.description] for each in own_classes],
        "sample_characters": _SAMPLE_CHARACTERS,
    }


def _analysis(summary: dict[str, Any]) -> Analysis:
    found = summary["analysis"]
    classification = Classification(found["class"], found["class_confidence"])
    return Analysis(found["language"], classification, found["sample"])


def _attached(place: Workplace, summary: dict[str, Any]) -> list[Attached]:
    return [
        Attached(entry["name"], entry["media_type"], place.attachments / str(int(entry["file"])))
        for entry in summary["attachments"]
    ]
