"""Word 1 to 2003: text in pieces, with paragraph properties that mark headings and the ends of table rows."""

from collections.abc import Iterator

from docsieve.parsers.flow.blocks import Block, Grid, GridCell, Heading, NewPage, Paragraph
from docsieve.parsers.office.legacy.compound import Compound
from docsieve.parsers.office.legacy.word.file import LegacyWordFile, Story

_CELL_END, _PAGE_END = "\x07", "\x0c"
_PARAGRAPH_ENDS = frozenset("\r\x07\x0c")
_NOTE_MARK = "\x02"
_FIELD_BEGIN, _FIELD_RESULT, _FIELD_END = "\x13", "\x14", "\x15"
_SHOWN = str.maketrans(
    {"\x0b": "\n", "\x0e": "\n", "\x1e": "-", "\x1f": None, "\x01": None, "\x05": None, "\x08": None}
)


def legacy_word_blocks(compound: Compound) -> Iterator[Block]:
    """Raises CorruptDocument if no text is found."""
    yield from word_file_blocks(LegacyWordFile.opened(compound))


def word_file_blocks(file: LegacyWordFile) -> Iterator[Block]:
    stories = file.stories()
    for name in ("main", "text boxes", "footnotes", "endnotes", "headers", "comments", "header text boxes"):
        if name in stories:
            yield from _StoryReader(file, stories[name], is_main=name == "main").blocks()


class _StoryReader:
    def __init__(self, file: LegacyWordFile, story: Story, *, is_main: bool) -> None:
        self._file = file
        self._story = story
        self._is_main = is_main
        self._notes = 0
        self._cells: list[str] = []
        self._lines: list[str] = []
        self._rows: list[list[GridCell]] = []
        self._given: set[str] = set()

    def blocks(self) -> Iterator[Block]:
        text = without_field_codes(self._story.text)
        begin = 0
        for end, character in enumerate(text):
            if character in _PARAGRAPH_ENDS:
                yield from self._paragraph(text[begin:end], character, self._story.begin + end)
                begin = end + 1
        yield from self._paragraph(text[begin:], "\r", self._story.begin + max(begin, len(text) - 1))
        yield from self._end_table()

    def _paragraph(self, raw: str, ending: str, position: int) -> Iterator[Block]:
        text = self._shown(raw)
        properties = self._file.properties_at(position)
        label = self._file.list_label(properties) if properties is not None and text.strip() else ""
        text = f"{label} {text}" if label else text
        if ending == _CELL_END:
            self._cell(text, ends_row=properties.ends_row if properties else not text and bool(self._cells))
            return
        if properties is not None and properties.in_table:
            self._lines.append(text)
            return
        yield from self._end_table()
        if text.strip() and (self._is_main or text not in self._given):
            # Headers are stored once per section; the same text again is the same header.
            self._given.add(text)
            level = properties.heading if properties is not None else None
            listed = bool(label) or (properties is not None and properties.listed)
            yield Heading(text, level) if level else Paragraph(text, listed=listed)
        if ending == _PAGE_END and self._is_main:
            yield NewPage()

    def _cell(self, text: str, *, ends_row: bool) -> None:
        if not ends_row:
            self._cells.append("\n".join([*self._lines, text]).strip())
        elif self._cells:
            self._rows.append([GridCell(cell) for cell in self._cells])
            self._cells = []
        self._lines = []

    def _end_table(self) -> Iterator[Block]:
        """An unfinished row counts as a row."""
        if self._cells or self._lines:
            self._rows.append([GridCell(cell) for cell in [*self._cells, *self._lines]])
        if self._rows:
            yield Grid(self._rows)
        self._rows, self._cells, self._lines = [], [], []

    def _shown(self, raw: str) -> str:
        text = raw.translate(_SHOWN).replace("\0", "")
        while _NOTE_MARK in text:
            self._notes += 1
            text = text.replace(_NOTE_MARK, f"[{self._notes}]", 1)
        return text


def without_field_codes(text: str) -> str:
    """Replace fields by their results. Everything else of them becomes NULs, so that positions stay."""
    if _FIELD_BEGIN not in text:
        return text
    shown: list[str] = []
    in_code: list[bool] = []
    hidden = 0
    for character in text:
        if character == _FIELD_BEGIN:
            in_code.append(True)
            hidden += 1
        elif character == _FIELD_RESULT and in_code and in_code[-1]:
            in_code[-1] = False
            hidden -= 1
        elif character == _FIELD_END and in_code:
            hidden -= in_code.pop()
        elif not hidden:
            shown.append(character)
            continue
        shown.append("\0")
    return "".join(shown)
