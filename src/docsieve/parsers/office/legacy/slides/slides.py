"""PowerPoint 95 to 2003: records in one stream. The newest edit says which of them are current."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass

from docsieve.errors import CorruptDocument
from docsieve.parsers.flow.blocks import Block, Heading, NewPage, Paragraph
from docsieve.parsers.office.legacy.compound import Compound
from docsieve.parsers.office.legacy.slides.footers import footers_of
from docsieve.parsers.office.legacy.slides.masters import Masters
from docsieve.parsers.office.legacy.slides.powerpoint_95 import is_powerpoint_95, slide_blocks_95
from docsieve.parsers.office.legacy.slides.records import Record, Records

_DOCUMENT, _DOCUMENT_ATOM, _SLIDE, _SLIDE_ATOM = 1000, 1001, 1006, 1007
_SLIDE_LIST, _SLIDE_PLACE = 4080, 1011
_TEXT_HEADER, _TEXT_WIDE, _TEXT_NARROW, _TEXT_REFERENCE, _STRING = 3999, 4000, 4008, 3998, 4026
_USER_EDIT, _DIRECTORY, _COMMENT = 4085, 6002, 12000
_SLIDES_LIST, _MASTERS_LIST, _NOTES_LIST = 0, 1, 2
_TITLE_KINDS = frozenset({0, 6})
_NOTES_KIND = 2
_COMMENT_TEXT = 1
_UNITS_A_POINT = 8
# A placeholder for the slide number or a date.
_FIELD = "*"
_MAX_EDITS = 1000
_MAX_OBJECTS = 100_000
# Where files for both version 95 and later versions have the later data.
_FOR_LATER = "PP97_DUALSTORAGE/"


@dataclass(frozen=True, slots=True)
class _Text:
    kind: int
    text: str

    def block(self) -> Block:
        return Heading(self.text) if self.kind in _TITLE_KINDS else Paragraph(self.text)


def legacy_slide_blocks(compound: Compound) -> Iterator[Block]:
    storage = _FOR_LATER if f"{_FOR_LATER}PowerPoint Document" in compound else ""
    stream = compound.read(f"{storage}PowerPoint Document")
    if not stream:
        raise CorruptDocument("The slides of the document are missing.")
    edit = compound.read(f"{storage}Current User", 20)
    newest = struct.unpack_from("<I", edit, 16)[0] if len(edit) == 20 else 0
    has_text = False
    for block in slide_blocks_95(stream) if is_powerpoint_95(stream) else _slide_blocks_97(stream, newest):
        has_text = has_text or not isinstance(block, NewPage)
        yield block
    if not has_text:
        # Version 95 also writes all text into a separate stream.
        texts = compound.read("Text_Content").decode("cp1252", "replace").split("\r")
        yield from (Paragraph(text) for text in texts if text.strip())


def _slide_blocks_97(stream: bytes, newest_edit: int) -> Iterator[Block]:
    reader = _SlideReader(Records(stream), newest_edit)
    found = False
    for block in reader.slides():
        found = True
        yield block
    if not found:
        yield from reader.everything()


class _SlideReader:
    def __init__(self, records: Records, newest_edit: int) -> None:
        self._records = records
        self._places = self._directory(newest_edit)

    def slides(self) -> Iterator[Block]:
        """Yield the blocks of the slides in presentation order; nothing if the directory is lost."""
        records = filter(None, map(self._records.at, self._places.values()))
        document = next((record for record in records if record.kind == _DOCUMENT), None)
        if document is None:
            return
        lists = {record.instance: record for record in self._records.children(document) if record.kind == _SLIDE_LIST}
        notes = {notes_id: place for place, notes_id, _ in self._listed(lists.get(_NOTES_LIST))}
        listed = ((number, self._object(place)) for place, number, _ in self._listed(lists.get(_MASTERS_LIST)))
        masters = Masters(self._records, {number: master for number, master in listed if master is not None})
        size = self._size(document)
        for place, _, outlined in self._listed(lists.get(_SLIDES_LIST)):
            yield NewPage(slide=size)
            slide = self._object(place)
            yield from self._slide(slide, outlined, notes, masters)
            if slide is not None:
                yield from map(Paragraph, footers_of(self._records, slide, document))

    def _size(self, document: Record) -> tuple[float, float]:
        atom = next((record for record in self._records.children(document) if record.kind == _DOCUMENT_ATOM), None)
        width, height = self._records.integers(atom, 0, 4) if atom is not None else (0, 0)
        return width / _UNITS_A_POINT, height / _UNITS_A_POINT

    def everything(self) -> Iterator[Block]:
        """Yield all texts in the order of the stream."""
        whole = Record(0, 0, True, 0, len(self._records.stream))
        yield from (text.block() for text in self._texts(whole, []))

    def _object(self, place: int) -> Record | None:
        return self._records.at(self._places.get(place, -1))

    def _slide(
        self, slide: Record | None, outlined: list[_Text], notes: dict[int, int], masters: Masters
    ) -> Iterator[Block]:
        shown = self._texts(slide, outlined) if slide is not None else []
        missing = [text for text in outlined if text not in shown]
        yield from (text.block() for text in sorted(missing + shown, key=lambda text: text.kind not in _TITLE_KINDS))
        if slide is None:
            return
        atom = next((record for record in self._records.children(slide) if record.kind == _SLIDE_ATOM), None)
        for shape in masters.shapes_behind(atom) if atom is not None else ():
            yield from (text.block() for text in self._texts(shape, []) if text.text != _FIELD)
        notes_id = self._records.integers(atom, 16)[0] if atom is not None else 0
        spoken = self._object(notes.get(notes_id, -1))
        for text in self._texts(spoken, []) if spoken is not None else ():
            if text.kind == _NOTES_KIND:
                yield Paragraph(f"Notes: {text.text}")
        for comment in self._records.within(slide):
            if comment.kind == _COMMENT:
                yield from self._comment(comment)

    def _comment(self, comment: Record) -> Iterator[Block]:
        for string in self._records.children(comment):
            if string.kind == _STRING and string.instance == _COMMENT_TEXT:
                yield Paragraph(f"Comment: {self._records.content(string).decode('utf-16-le', 'replace')}")

    def _texts(self, holder: Record, outlined: list[_Text]) -> list[_Text]:
        """Return the texts of a slide's shapes. Placeholders refer to texts of the outline."""
        texts: list[_Text] = []
        kind = -1
        for record in self._records.within(holder):
            if record.kind == _TEXT_HEADER:
                kind = self._records.integers(record, 0)[0]
            elif record.kind == _TEXT_REFERENCE:
                place = self._records.integers(record, 0)[0]
                texts.extend(outlined[place : place + 1])
            elif text := self._text(record):
                texts.append(_Text(kind, text))
                kind = -1
        return texts

    def _text(self, record: Record) -> str:
        if record.kind == _TEXT_WIDE:
            text = self._records.content(record).decode("utf-16-le", "replace")
        elif record.kind == _TEXT_NARROW:
            text = self._records.content(record).decode("latin-1")
        else:
            return ""
        return text.replace("\r", "\n").replace("\v", "\n").strip()

    def _listed(self, slides: Record | None) -> Iterator[tuple[int, int, list[_Text]]]:
        """Yield for each slide of a list the number of its object, its id, and the texts of its outline."""
        current: tuple[int, int, list[_Text]] | None = None
        kind = -1
        for record in self._records.children(slides) if slides is not None else ():
            if record.kind == _SLIDE_PLACE:
                if current is not None:
                    yield current
                place, slide_id = self._records.integers(record, 0, 12)
                current = (place, slide_id, [])
            elif record.kind == _TEXT_HEADER:
                kind = self._records.integers(record, 0)[0]
            elif record.kind in (_TEXT_WIDE, _TEXT_NARROW) and current is not None:
                current[2].append(_Text(kind, self._text(record)))
        if current is not None:
            yield current

    def _directory(self, edit: int) -> dict[int, int]:
        """Return the position of each object, from the chain of edits, newest first."""
        found: dict[int, int] = {}
        for _ in range(_MAX_EDITS):
            record = self._records.at(edit)
            if record is None or record.kind != _USER_EDIT:
                break
            previous, directory = self._records.integers(record, 8, 12)
            for number, place in self._directory_entries(directory):
                found.setdefault(number, place)
            if not 0 < previous < edit or len(found) > _MAX_OBJECTS:
                break
            edit = previous
        return found

    def _directory_entries(self, place: int) -> Iterator[tuple[int, int]]:
        record = self._records.at(place)
        if record is None or record.kind != _DIRECTORY:
            return
        content = self._records.content(record)
        numbers = struct.unpack(f"<{len(content) // 4}I", content[: len(content) // 4 * 4])
        at = 0
        while at < len(numbers):
            first, count = numbers[at] & 0xFFFFF, numbers[at] >> 20
            yield from enumerate(numbers[at + 1 : at + 1 + count], start=first)
            at += 1 + count
