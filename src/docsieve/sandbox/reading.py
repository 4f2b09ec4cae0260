"""Reading a document inside a sandboxed child: bytes become a page file, attachments become files."""

from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from docsieve.domain.documents import MAIL_TYPES
from docsieve.domain.pagefile import PageFileWriter
from docsieve.domain.pages import Page, Progress
from docsieve.errors import ParserCrashed
from docsieve.parsers.port import HEAD_BYTES, MAX_ATTACHMENTS, Reading, ReadOptions
from docsieve.parsers.registry import detect, parser_for
from docsieve.sandbox.analysing import analyse
from docsieve.sandbox.port import Report

OCR_STAGE = "ocr"
"""From here until the next `reading`, a page is read by OCR."""


def read_document(arguments: dict[str, Any], report: Report) -> dict[str, Any]:
    """Read `source`, of type `media_type`, into a page file at `output`.

    All paths are absolute, because a child works in a directory of its own; what is written is whole only if this
    returns. With `analysis`, see there, the pages are analysed on their way; with `attachments_of`, "any" or "mail",
    what is attached is written into the folder `attachments`.
    """
    parser = parser_for(arguments["media_type"])
    stages = _Stages(report)
    options = replace(ReadOptions.from_json(arguments.get("options", {})), before_ocr=stages.ocr)
    reading = parser.read(Path(arguments["source"]), options)
    stages.opened(reading.page_count)
    with Path(arguments["output"]).open("wb") as file:
        writer = PageFileWriter(file, parser=parser.name, parser_version=parser.version)
        analysis = analyse(_written(reading, writer, stages), arguments.get("analysis"))
        writer.describe(reading.info, reading.media_type)
        summary = writer.close()
    if summary.page_count != reading.page_count:
        raise ParserCrashed(f"The parser gave {summary.page_count} of {reading.page_count} pages.")
    attached = _write_attachments(reading, arguments)
    return {**asdict(summary), "media_type": reading.media_type, "analysis": analysis, "attachments": attached}


def extract_attachments(arguments: dict[str, Any], report: Report) -> dict[str, Any]:
    """As `read_document`, for a document whose pages are known."""
    parser = parser_for(arguments["media_type"])
    reading = parser.read(Path(arguments["source"]), ReadOptions.from_json(arguments.get("options", {})))
    report(Progress("unpacking"))
    return {"attachments": _write_attachments(reading, arguments)}


class _Stages:
    """Reports the last page that was read, and when the next one goes to OCR."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._page = 0
        self._pages: int | None = None

    def opened(self, pages: int) -> None:
        self._pages = pages
        self.read(0)

    def read(self, page: int) -> None:
        self._page = page
        self._report(Progress("reading", page, self._pages))

    def ocr(self) -> None:
        self._report(Progress(OCR_STAGE, self._page + 1, self._pages))


def _written(reading: Reading, writer: PageFileWriter, stages: _Stages) -> Iterator[Page]:
    for read in reading.pages:
        page = writer.add(read)
        stages.read(page.number)
        yield page


def _write_attachments(reading: Reading, arguments: dict[str, Any]) -> list[dict[str, Any]]:
    """Those that some parser reads; the others are listed with the document and go no further."""
    of_which = arguments.get("attachments_of", "none")
    is_mail = (reading.media_type or arguments["media_type"]) in MAIL_TYPES
    if not (of_which == "any" or (of_which == "mail" and is_mail)):
        return []
    folder = Path(arguments["attachments"])
    folder.mkdir(exist_ok=True)
    written = []
    for number, attachment in enumerate(reading.attachments):
        if number == MAX_ATTACHMENTS:
            break
        media_type = detect(attachment.content[:HEAD_BYTES]) if attachment.content else None
        if media_type is not None:
            Path(folder, str(number)).write_bytes(attachment.content)
            written.append({"name": attachment.name, "media_type": media_type, "file": str(number)})
    return written
