"""Lines of a page from the provider's words, lines, paragraphs and selection marks."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from docsieve.domain.pages.page import Box, Line, LineRole, Word
from docsieve.domain.text import clean
from docsieve.remote.azure.places import Sheet, around
from docsieve.remote.azure.shapes import LineShape, MarkShape, PageShape, ParagraphShape, Span, WordShape

_ROLES: dict[str, LineRole] = {
    "title": "heading",
    "sectionHeading": "heading",
    "pageHeader": "header",
    "footnote": "footnote",
    "pageFooter": "footer",
    "pageNumber": "footer",
}
_MARKS = {"selected": "☑", "unselected": "☐"}
_WORDS_FOR_MARKS = {f":{state}:": mark for state, mark in _MARKS.items()}
_MARK_REACH = 3.0  # In line heights: a mark this close before a line belongs to it.


@dataclass(frozen=True, slots=True)
class _Placed:
    """A line, and where its text begins in the text of the document. That is its place in reading order."""

    offset: int
    line: Line


class Paragraphs:
    """Finds the paragraph at a place in the text."""

    def __init__(self, shapes: Sequence[ParagraphShape]) -> None:
        self._pieces = sorted(
            (span.offset, span.end, number) for number, shape in enumerate(shapes) for span in shape.spans
        )
        self._starts = [start for start, _, _ in self._pieces]
        self._shapes = shapes

    def find(self, offset: int) -> int | None:
        place = bisect_right(self._starts, offset) - 1
        if place < 0:
            return None
        _, end, number = self._pieces[place]
        return number if offset < end else None

    def role(self, number: int | None) -> LineRole | None:
        return _ROLES.get(self._shapes[number].role or "") if number is not None else None


def read_lines(page: PageShape, sheet: Sheet, paragraphs: Paragraphs) -> list[Line]:
    placed = [*_lines(page, sheet), *_marks(page.selection_marks, sheet)]
    placed.sort(key=lambda each: each.offset)
    blocks: dict[int, int] = {}
    for each in placed:
        number = paragraphs.find(each.offset)
        each.line.role = paragraphs.role(number)
        if number is not None:
            each.line.block = blocks.setdefault(number, len(blocks))
    return list(_joined([each.line for each in placed]))


def with_marks(text: str) -> str:
    """The text with the provider's words for selection marks turned into marks."""
    for word, mark in _WORDS_FOR_MARKS.items():
        text = text.replace(word, mark)
    return clean(text)


def _lines(page: PageShape, sheet: Sheet) -> Iterator[_Placed]:
    words = sorted(page.words, key=lambda word: word.span.offset)
    starts = [word.span.offset for word in words]
    taken: set[int] = set()
    for shape in page.lines:
        places = [place for span in shape.spans for place in _inside(starts, span)]
        taken.update(places)
        line = _line(shape, [words[place] for place in places], sheet)
        if line is not None:
            yield _Placed(min((span.offset for span in shape.spans), default=0), line)
    for place, word in enumerate(words):
        if place not in taken and (alone := _word(word, sheet)) is not None:
            yield _Placed(word.span.offset, Line(alone.text, alone.box, [alone]))


def _inside(starts: Sequence[int], span: Span) -> range:
    return range(bisect_left(starts, span.offset), bisect_left(starts, span.end))


def _line(shape: LineShape, shapes: Sequence[WordShape], sheet: Sheet) -> Line | None:
    words = [word for each in shapes if (word := _word(each, sheet)) is not None]
    text = with_marks(shape.content).strip() or " ".join(word.text for word in words)
    boxes = [word.box for word in words]
    box = sheet.box(shape.polygon) or (around(boxes) if boxes else None)
    return Line(text, around([box, *boxes]), words) if box is not None and text else None


def _word(shape: WordShape, sheet: Sheet) -> Word | None:
    text, box = clean(shape.content).strip(), sheet.box(shape.polygon)
    return Word(text, box, _share(shape.confidence)) if text and box is not None else None


def _marks(shapes: Sequence[MarkShape], sheet: Sheet) -> Iterator[_Placed]:
    for shape in shapes:
        text, box = _MARKS.get(shape.state), sheet.box(shape.polygon)
        if text is not None and box is not None:
            word = Word(text, box, _share(shape.confidence))
            yield _Placed(shape.span.offset, Line(text, box, [word]))


def _joined(lines: Sequence[Line]) -> Iterator[Line]:
    """Make a mark right before a line its first word: it shows the selection."""
    waiting: Line | None = None
    for line in lines:
        if waiting is not None and line.text not in _MARKS.values() and _is_right_before(waiting.box, line.box):
            line.text = f"{waiting.text} {line.text}"
            line.words = [*waiting.words, *line.words]
            line.box = around([waiting.box, line.box])
            waiting = None
        if waiting is not None:
            yield waiting
        waiting = line if line.text in _MARKS.values() else None
        if waiting is None:
            yield line
    if waiting is not None:
        yield waiting


def _is_right_before(mark: Box, line: Box) -> bool:
    height = line[3] - line[1]
    middle = (mark[1] + mark[3]) / 2
    return line[1] <= middle <= line[3] and -height < line[0] - mark[2] < _MARK_REACH * height


def _share(confidence: float | None) -> float | None:
    return None if confidence is None else min(max(confidence, 0.0), 1.0)
