"""Reads and analyzes documents in the sandbox: files in a work directory become other files in it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, NamedTuple

from docsieve.domain.classes import ClassDescription
from docsieve.domain.extraction import Result
from docsieve.domain.pages.page import OnProgress, Progress
from docsieve.errors import AttemptError, ParserCrashed
from docsieve.parsers.ocr.registry import engine
from docsieve.parsers.port import ReadOptions
from docsieve.parsers.registry import parser_for
from docsieve.pipelines.ocr import MachineOcr, OcrReading
from docsieve.pipelines.workdir import WorkDir
from docsieve.sandbox.paths import InputPath, OutputPath, SharedPath
from docsieve.sandbox.pool import Sandbox
from docsieve.tasks.analyze import Analysis, AnalysisOptions, AnalyzePages
from docsieve.tasks.attachments import AttachedFile, AttachmentOptions, ExtractAttachments
from docsieve.tasks.extract import EXTRACTING, GROUNDING, WantedFields
from docsieve.tasks.read import ReadDocument

AttachmentsOf = Literal["none", "mail", "any"]


@dataclass(frozen=True, slots=True)
class Attached:
    """A document that was inside another, as a file."""

    name: str
    media_type: str
    path: Path


class Reader(NamedTuple):
    """Name and version of what reads a document; stored pages are found by both."""

    name: str
    version: str


@dataclass(frozen=True, slots=True)
class Read:
    """`reader` is what actually read the document, which may be a fallback OCR engine.

    `fields` is what was extracted at the same time, not checked yet; None if that is left to a separate task.
    """

    reader: Reader
    page_count: int
    pages_failed: int
    characters: int
    media_type: str | None = None
    fields: Result | None = None


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
    """Readers whose stored pages can be used: the requested one, then the one that this machine falls back to.

    Pages that a lesser engine read are therefore not used on a machine that can do better.
    """
    return list(dict.fromkeys(reader_of(media_type, each) for each in (options, ocr.options(options))))


async def read(
    sandbox: Sandbox,
    ocr: MachineOcr,
    work: WorkDir,
    *,
    media_type: str,
    options: ReadOptions,
    own_classes: Sequence[ClassDescription],
    attachments_of: AttachmentsOf,
    on_progress: OnProgress,
    fields: WantedFields | None = None,
) -> tuple[Read, Analysis, list[Attached]]:
    """Read `work.original` into `work.pages` and its chunks into `work.chunks`."""
    task = ReadDocument(
        source=InputPath(work.original),
        pages=SharedPath(work.pages),
        media_type=media_type,
        options=options,
        analysis=_analysis_options(work, own_classes),
        attachments=_attachment_options(work, attachments_of) if attachments_of != "none" else None,
        fields=fields,
    )
    outcome = await _outcome(sandbox, ocr, task, on_progress)
    summary = outcome.summary
    if summary.analysis is None:
        raise ParserCrashed("The sandboxed process returned no analysis.")
    found = Read(
        reader_of(media_type, outcome.options if outcome.used_ocr else options),
        summary.pages.page_count,
        summary.pages.pages_failed,
        summary.pages.characters,
        summary.media_type,
        summary.fields,
    )
    return found, summary.analysis, _attached(work, summary.attachments)


async def _outcome(sandbox: Sandbox, ocr: MachineOcr, task: ReadDocument, on_progress: OnProgress) -> OcrReading:
    """If the process ends while it extracts fields, the document is read again without them: it has no part in that."""
    extracting = False

    def watched(progress: Progress) -> None:
        nonlocal extracting
        extracting = progress.stage in (EXTRACTING, GROUNDING)
        on_progress(progress)

    try:
        return await ocr.read(sandbox, task, watched)
    except AttemptError:
        if task.fields is None or not extracting:
            raise
    return await ocr.read(sandbox, replace(task, fields=None), on_progress)


async def analyze(
    sandbox: Sandbox, work: WorkDir, *, own_classes: Sequence[ClassDescription], on_progress: OnProgress
) -> Analysis:
    """Analyze `work.pages`, which were read before, and write their chunks into `work.chunks`."""
    task = AnalyzePages(InputPath(work.pages), _analysis_options(work, own_classes))
    return await sandbox.run(task, on_progress=on_progress)


async def attachments(
    sandbox: Sandbox,
    work: WorkDir,
    *,
    media_type: str,
    options: ReadOptions,
    attachments_of: Literal["mail", "any"],
    on_progress: OnProgress,
) -> list[Attached]:
    """The attachments of `work.original`, whose pages need not be read again."""
    task = ExtractAttachments(InputPath(work.original), media_type, options, _attachment_options(work, attachments_of))
    found = await sandbox.run(task, on_progress=on_progress)
    return _attached(work, found.files)


def _analysis_options(work: WorkDir, own_classes: Sequence[ClassDescription]) -> AnalysisOptions:
    return AnalysisOptions(SharedPath(work.chunks), tuple(own_classes))


def _attachment_options(work: WorkDir, attachments_of: Literal["mail", "any"]) -> AttachmentOptions:
    return AttachmentOptions(OutputPath(work.attachments), attachments_of)


def _attached(work: WorkDir, files: Sequence[AttachedFile]) -> list[Attached]:
    return [Attached(each.name, each.media_type, work.attachments / str(each.number)) for each in files]
