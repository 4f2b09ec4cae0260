"""The tasks that split a packet: find where its documents begin, and write each as a file with its pages."""

from dataclasses import dataclass, field, replace
from pathlib import Path

from docsieve.domain.packets import DetectedSplits, PageRange
from docsieve.domain.pages.page import OnProgress, Page, Progress
from docsieve.domain.pages.pagefile import PageFileWriter, decode_page, stored_page, whole_index
from docsieve.errors import DocumentError, UnsupportedType
from docsieve.parsers.port import ReadOptions, Renderer, Slicer
from docsieve.parsers.registry import parser_for
from docsieve.sandbox.paths import InputPath, OutputPath
from docsieve.sandbox.task import Task


def can_split(media_type: str) -> bool:
    """Whether documents of this type consist of pages that can be written as separate files: PDFs and scans."""
    try:
        return isinstance(parser_for(media_type), Slicer)
    except UnsupportedType:
        return False


@dataclass(frozen=True, slots=True)
class DetectSplits(Task[DetectedSplits]):
    """Finds the likely cuts of a document that was read into the page file `pages`."""

    source: InputPath
    pages: InputPath
    media_type: str
    options: ReadOptions

    def perform(self, report: OnProgress) -> DetectedSplits:
        # loaded by the first packet, not by every start of a child
        from docsieve.analysis.packets.detect import detect
        from docsieve.analysis.packets.sheets import LOOK_WIDTH, SheetLook, look

        parser = parser_for(self.media_type)
        data = self.pages.read_bytes()
        index = whole_index(data)

        def seen(page: Page) -> SheetLook | None:
            if not isinstance(parser, Renderer):
                return None
            try:
                return look(parser.render(self.source, page, LOOK_WIDTH, self.options))
            except DocumentError:
                return None

        def reported(number: int) -> Page:
            report(Progress("splitting", number, index.page_count))
            return decode_page(stored_page(data, index, number))

        return detect(map(reported, range(1, index.page_count + 1)), seen)


@dataclass(frozen=True, slots=True)
class WrittenParts:
    count: int


@dataclass(frozen=True, slots=True)
class WriteParts(Task[WrittenParts]):
    """Writes each range of pages to `<number>.file`, and their stored pages to `<number>.pages`."""

    source: InputPath
    pages: InputPath
    media_type: str
    options: ReadOptions
    folder: OutputPath
    ranges: list[PageRange] = field(default_factory=list)

    def perform(self, report: OnProgress) -> WrittenParts:
        parser = parser_for(self.media_type)
        assert isinstance(parser, Slicer)
        self.folder.mkdir(exist_ok=True)
        for number, pages in enumerate(self.ranges):
            report(Progress("splitting", pages.first))
            parser.write_part(self.source, pages, self.folder / f"{number}.file", self.options)
            self._write_pages(pages, self.folder / f"{number}.pages")
        return WrittenParts(len(self.ranges))

    def _write_pages(self, pages: PageRange, target: Path) -> None:
        data = self.pages.read_bytes()
        index = whole_index(data)
        with target.open("wb") as file:
            writer = PageFileWriter(file, parser=index.parser, parser_version=index.parser_version)
            for number in range(pages.first, pages.last + 1):
                page = decode_page(stored_page(data, index, number))
                writer.add(replace(page, number=number - pages.first + 1))
            writer.close()
