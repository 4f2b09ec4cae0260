"""The task that reads a document: its bytes become a page file, its attachments become files."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import ClassVar

from docsieve.domain.extraction import Result
from docsieve.domain.pages.page import OnProgress, Page, Progress
from docsieve.domain.pages.pagefile import PageFileSummary, PageFileWriter
from docsieve.errors import ParserCrashed
from docsieve.parsers.port import Reading, ReadOptions
from docsieve.parsers.registry import parser_for
from docsieve.sandbox.paths import InputPath, SharedPath
from docsieve.sandbox.task import Task
from docsieve.tasks.analyze import Analysis, AnalysisOptions, analyze
from docsieve.tasks.attachments import AttachedFile, AttachmentOptions, write_attachments
from docsieve.tasks.extract import ExtractFields, WantedFields

OCR_STAGE = "ocr"
"""From this stage until the next `reading`, a page is read by OCR."""

MAX_PAGES_TO_EXTRACT = 20
"""Fields of a longer document are extracted by a separate task, which has its own time and memory."""


@dataclass(frozen=True, slots=True)
class ReadSummary:
    """`media_type` is set if the content shows a more specific type than the task named.

    `fields` is None if none were wanted, and if they are to be extracted by a separate task.
    """

    pages: PageFileSummary
    media_type: str | None = None
    analysis: Analysis | None = None
    attachments: list[AttachedFile] = field(default_factory=list)
    fields: Result | None = None


@dataclass(frozen=True, slots=True)
class ReadDocument(Task[ReadSummary]):
    """Reads `source` into the page file `pages`. Without `analysis` or `attachments`, that part is left out.

    Each page is in the file before it is reported. If `fields` are wanted, a short document with a text layer is
    extracted from in the same process: a second one would cost as much as reading a page.
    """

    limited_by_page: ClassVar[bool] = True

    source: InputPath
    pages: SharedPath
    media_type: str
    options: ReadOptions = field(default_factory=ReadOptions)
    analysis: AnalysisOptions | None = None
    attachments: AttachmentOptions | None = None
    fields: WantedFields | None = None

    @property
    def kinds(self) -> tuple[str, ...]:
        return (ReadDocument.__name__, *((ExtractFields.__name__,) if self.fields is not None else ()))

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
        fields = self._extract(analysis, report) if stages.few_pages_without_ocr else None
        return ReadSummary(summary, reading.media_type, analysis, attached, fields)

    def _pass_by(self, pages: Iterator[Page]) -> Analysis | None:
        """Analyzed page by page while they are written, so that a long document is never in memory as a whole."""
        if self.analysis is not None:
            return analyze(pages, self.analysis)
        deque(pages, maxlen=0)
        return None

    def _extract(self, analysis: Analysis | None, report: OnProgress) -> Result | None:
        """From the page file as it was written, as a separate task would, so the result is the same."""
        if self.fields is None or analysis is None:
            return None
        try:
            return self.fields.of(self.pages, analysis.language, analysis.classification.name).perform(report)
        except Exception:  # noqa: BLE001  an engine may raise anything; the separate task then says what
            return None


class _Stages:
    """Reports the last page that was read, and when the next one goes to OCR, and remembers both."""

    def __init__(self, report: OnProgress) -> None:
        self._report = report
        self._page = 0
        self._pages: int | None = None
        self._used_ocr = False

    @property
    def few_pages_without_ocr(self) -> bool:
        return self._page <= MAX_PAGES_TO_EXTRACT and not self._used_ocr

    def opened(self, pages: int) -> None:
        self._pages = pages
        self.read(0)

    def read(self, page: int) -> None:
        self._page = page
        self._report(Progress("reading", page, self._pages))

    def ocr(self) -> None:
        self._used_ocr = True
        self._report(Progress(OCR_STAGE, self._page + 1, self._pages))


def _written(reading: Reading, writer: PageFileWriter, stages: _Stages) -> Iterator[Page]:
    for read in reading.pages:
        page = writer.add(read)
        stages.read(page.number)
        yield page
