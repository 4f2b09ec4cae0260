"""The task that reads a document: its bytes become a page file, its attachments become files."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from docsieve.domain.pages.page import OnProgress, Page, Progress
from docsieve.domain.pages.pagefile import PageFileSummary, PageFileWriter
from docsieve.errors import ParserCrashed
from docsieve.parsers.port import Reading, ReadOptions
from docsieve.parsers.registry import parser_for
from docsieve.sandbox.paths import InputPath, SharedPath
from docsieve.sandbox.task import Task
from docsieve.tasks.analyze import Analysis, AnalysisOptions, analyze
from docsieve.tasks.attachments import AttachedFile, AttachmentOptions, write_attachments

OCR_STAGE = "ocr"
"""From this stage until the next `reading`, a page is read by OCR."""


@dataclass(frozen=True, slots=True)
class ReadSummary:
    """`media_type` is set if the content shows a more specific type than the task named."""

    pages: PageFileSummary
    media_type: str | None = None
    analysis: Analysis | None = None
    attachments: list[AttachedFile] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class ReadDocument(Task[ReadSummary]):
    """Reads `source` into the page file `pages`. Without `analysis` or `attachments`, that part is left out.

    Each page is in the file before it is reported.
    """

    source: InputPath
    pages: SharedPath
    media_type: str
    options: ReadOptions = field(default_factory=ReadOptions)
    analysis: AnalysisOptions | None = None
    attachments: AttachmentOptions | None = None

    def perform(self, report: OnProgress) -> ReadSummary:
        parser = parser_for(self.media_type)
        stages = _Stages(report)
        reading = parser.read(self.source, replace(self.options, before_ocr=stages.ocr))
        stages.opened(reading.page_count)
        with self.pages.open("wb") as file:
            writer = PageFileWriter(file, parser=parser.name, parser_version=parser.version)
            analysis = self._pass_by(_written(reading, writer, stages))
            writer.describe(reading.info, reading.media_type)
            summary = writer.close()
        if summary.page_count != reading.page_count:
            raise ParserCrashed(f"The parser returned {summary.page_count} of {reading.page_count} pages.")
        attached = write_attachments(reading, self.media_type, self.attachments) if self.attachments else []
        return ReadSummary(summary, reading.media_type, analysis, attached)

    def _pass_by(self, pages: Iterator[Page]) -> Analysis | None:
        """Analyzed page by page while they are written, so that a long document is never in memory as a whole."""
        if self.analysis is not None:
            return analyze(pages, self.analysis)
        deque(pages, maxlen=0)
        return None


class _Stages:
    """Reports the last page that was read, and when the next one goes to OCR."""

    def __init__(self, report: OnProgress) -> None:
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
