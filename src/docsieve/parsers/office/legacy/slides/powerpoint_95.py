"""Slides of PowerPoint 95: nested records with headers of 16 bytes, the texts of a slide below its record."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass

from docsieve.errors import TooLarge
from docsieve.parsers.flow.blocks import Block, NewPage, Paragraph

# Kind, three values, size, what a part of a collection is, and three bytes more.
_HEADER = struct.Struct("<H6xIB3x")
_ROOT, _DOCUMENT_ATOM, _SLIDE, _NOTES, _TEXT = 3, 1001, 1006, 1008, 2030
_CHARACTERS = 53
_STREAM, _DOCUMENT, _LIST = 0, 1000, 2000
_CONTAINERS = frozenset({_STREAM, _ROOT, _DOCUMENT, _LIST, _SLIDE})
_MAX_KIND = 6000
_MAX_DEPTH = 40
_MAX_RECORDS = 2_000_000
_UNITS_PER_POINT = 8


@dataclass(frozen=True, slots=True)
class _Record:
    """`begin` and `end` are those of its content."""

    kind: int
    part: int
    begin: int
    end: int


def is_powerpoint_95(stream: bytes) -> bool:
    return len(stream) >= _HEADER.size and _HEADER.unpack_from(stream)[0] == _ROOT


def slide_blocks_95(stream: bytes) -> Iterator[Block]:
    """A page per slide with its texts and, at their end, its notes. Masters hold prompts and are left out."""
    records = _Records(stream)
    size = (0.0, 0.0)
    for record in records.within(_Record(_STREAM, 0, 0, len(stream)), skipped=_SLIDE):
        if record.kind == _DOCUMENT_ATOM and record.end - record.begin >= 8:
            width, height = struct.unpack_from("<ii", stream, record.begin)
            size = (width / _UNITS_PER_POINT, height / _UNITS_PER_POINT)
        elif record.kind == _SLIDE:
            yield NewPage(slide=size)
            yield from map(Paragraph, records.texts(record, skipped=_NOTES))
            for notes in records.within(record, skipped=_NOTES):
                if notes.kind == _NOTES:
                    yield from (Paragraph(f"Notes: {text}") for text in records.texts(notes))


class _Records:
    def __init__(self, stream: bytes) -> None:
        self._stream = stream
        self._walked = 0

    def texts(self, holder: _Record, skipped: int | None = None) -> Iterator[str]:
        for record in self.within(holder, skipped=skipped):
            if record.kind == _TEXT and record.part == _CHARACTERS:
                text = self._stream[record.begin : record.end].decode("cp1252", "replace").rstrip("\0")
                if text := text.replace("\r", "\n").replace("\v", "\n").strip():
                    yield text

    def within(self, parent: _Record, *, skipped: int | None = None, depth: int = 0) -> Iterator[_Record]:
        """All records below, those of a container after it, but none below a record of the skipped kind."""
        for record in self._children(parent):
            self._walked += 1
            if self._walked > _MAX_RECORDS:
                raise TooLarge(f"The presentation has more than {_MAX_RECORDS} records.")
            yield record
            if record.kind not in (skipped, _TEXT) and depth < _MAX_DEPTH:
                yield from self.within(record, skipped=skipped, depth=depth + 1)

    def _children(self, parent: _Record) -> list[_Record]:
        """The records that fill the parent, or none if they do not: no header says which records are containers.

        Known containers may be cut off, and are read as far as they go.
        """
        is_container = parent.kind in _CONTAINERS
        children: list[_Record] = []
        place = parent.begin
        while place < parent.end:
            fits = place + _HEADER.size <= parent.end
            kind, size, part = _HEADER.unpack_from(self._stream, place) if fits else (0, 0, 0)
            begin = place + _HEADER.size
            end = min(begin + size, parent.end) if kind in _CONTAINERS else begin + size
            if not 0 < kind <= _MAX_KIND or end > parent.end:
                return children if is_container else []
            children.append(_Record(kind, part, begin, end))
            place = end
        return children
