"""The file format of Word 1 to 2003: where its text is, and the properties of its paragraphs."""

import re
import struct
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from typing import Self

from docsieve.errors import CorruptDocument, UnsupportedType
from docsieve.parsers.office.legacy.compound import Compound
from docsieve.parsers.office.legacy.word.fonts import encoding_by_fonts
from docsieve.parsers.office.legacy.word.lists import list_numbers
from docsieve.parsers.office.legacy.word.properties import ParagraphProperties, paragraph_runs, unseen_runs
from docsieve.parsers.office.legacy.word.styles import ListStyles
from docsieve.parsers.office.list_numbers import ListNumbers

_WORD_6, _WORD_8 = 0x65, 0xC1
# The last three are those of East Asian versions.
_IDENTS = frozenset({0xA5EC, 0xA5DC, 0xA697, 0xA698, 0xA699})
_COMPLEX, _SECOND_TABLE = 0x0004, 0x0200
_NARROW = 0x4000_0000
_ALL_BUT_CELL_ENDS = re.compile("[^\x07]")
_STORIES = ("main", "footnotes", "headers", "macros", "comments", "endnotes", "text boxes", "header text boxes")


@dataclass(frozen=True, slots=True)
class Story:
    """`begin` is the position of its first character in the whole text."""

    begin: int
    text: str


@dataclass(frozen=True, slots=True)
class _Piece:
    """Characters from position `first` are at byte `offset`, each of one byte or two."""

    first: int
    last: int
    offset: int
    width: int


class LegacyWordFile:
    def __init__(self, document: bytes, table: bytes) -> None:
        self._document = document
        self._table = table
        self._pieces = self._found_pieces()
        if not self._pieces:
            raise CorruptDocument("The document's text cannot be found.")
        self._firsts = [piece.first for piece in self._pieces]

    @classmethod
    def opened(cls, compound: Compound) -> Self:
        document = compound.read("WordDocument")
        if len(document) < 0x60 or _short(document, 0) not in _IDENTS:
            raise UnsupportedType("The document's version of Word is not supported.")
        if _short(document, 2) < _WORD_8:
            return cls(document, document)
        first, second = compound.read("0Table"), compound.read("1Table")
        table = (second or first) if _short(document, 10) & _SECOND_TABLE else (first or second)
        return cls(document, table)

    @property
    def _is_word_8(self) -> bool:
        return _short(self._document, 2) >= _WORD_8

    def stories(self) -> dict[str, Story]:
        text = "".join(map(self._decoded, self._pieces))
        start = 0x4C if self._is_word_8 else 0x34
        found = {}
        begin = 0
        for place, name in enumerate(_STORIES):
            size = _long(self._document, start + 4 * place)
            if name == "main" and not 0 < size <= len(text):
                size = len(text)
            size = min(size, len(text) - begin)
            if size > 0 and name != "macros":
                found[name] = Story(begin, text[begin : begin + size])
            begin += max(0, size)
        return found

    def properties_at(self, position: int) -> ParagraphProperties | None:
        """Return the properties of the character's paragraph, if known."""
        piece = self._pieces[max(0, bisect_right(self._firsts, position) - 1)]
        offset = piece.offset + (position - piece.first) * piece.width
        run = bisect_right(self._run_begins, offset) - 1
        if run < 0 or offset >= self._runs[run][1]:
            return None
        return self._runs[run][2]

    def list_label(self, properties: ParagraphProperties) -> str:
        """Count a paragraph of a list, and return the number or bullet shown before it."""
        if not self._is_word_8:
            return ""
        styled_list, styled_level = self._list_styles.place(properties.style)
        number = styled_list if properties.list_number is None else properties.list_number
        level = styled_level if properties.list_level is None else properties.list_level
        return self._lists.label(str(number), level or 0) if number else ""

    @cached_property
    def _lists(self) -> ListNumbers:
        return list_numbers(self._table, self._found_at(0x2E2), self._found_at(0x2EA))

    @cached_property
    def _list_styles(self) -> ListStyles:
        begin, size = self._found_at(0xA2)
        return ListStyles(self._table[begin : begin + size])

    def _found_at(self, place: int) -> tuple[int, int]:
        """The place and size of a structure of the table stream, which the header states at `place`."""
        return _long(self._document, place), _long(self._document, place + 4)

    @cached_property
    def _runs(self) -> list[tuple[int, int, ParagraphProperties]]:
        if not self._is_word_8:
            return []
        begin, size = self._found_at(0x102)
        return paragraph_runs(self._document, self._table[begin : begin + size])

    @cached_property
    def _run_begins(self) -> list[int]:
        return [begin for begin, _, _ in self._runs]

    def _decoded(self, piece: _Piece) -> str:
        content = self._document[piece.offset : piece.offset + (piece.last - piece.first) * piece.width]
        encoding = "utf-16-le" if piece.width == 2 else self._narrow_encoding
        text = content.decode(encoding, "replace")
        # Positions count bytes or UTF-16 units, so a character of two units takes two positions.
        if len(text) * piece.width != len(content):
            text = "".join(f"{character}{_filling(character, encoding, piece.width)}" for character in text)
        return self._without_unseen(text[: piece.last - piece.first], piece)

    @cached_property
    def _narrow_encoding(self) -> str:
        if not _WORD_6 <= _short(self._document, 2) < _WORD_8:
            return "cp1252"
        begin, size = self._found_at(0xD0)
        text = b"".join(
            self._document[piece.offset : piece.offset + piece.last - piece.first] for piece in self._pieces
        )
        return encoding_by_fonts(self._document[begin : begin + size], text)

    def _without_unseen(self, text: str, piece: _Piece) -> str:
        """Replace invisible characters by NULs, so that positions stay. Cell ends stay, because tables need them."""
        end = piece.offset + len(text) * piece.width
        seen: list[str] = []
        given = 0
        for begin, finish in self._unseen[max(0, bisect_right(self._unseen, (piece.offset, 0)) - 1) :]:
            if begin >= end:
                break
            first = max(given, (begin - piece.offset) // piece.width)
            last = max(first, (min(finish, end) - piece.offset) // piece.width)
            seen.append(text[given:first])
            seen.append(_ALL_BUT_CELL_ENDS.sub("\0", text[first:last]))
            given = last
        return "".join(seen) + text[given:]

    @cached_property
    def _unseen(self) -> list[tuple[int, int]]:
        if not self._is_word_8:
            return []
        begin, size = self._found_at(0xFA)
        return unseen_runs(self._document, self._table[begin : begin + size])

    def _found_pieces(self) -> list[_Piece]:
        was_saved_fast = _short(self._document, 2) >= _WORD_6 and bool(_short(self._document, 10) & _COMPLEX)
        if not self._is_word_8 and not was_saved_fast:
            begin, end = _long(self._document, 0x18), min(_long(self._document, 0x1C), len(self._document))
            return [_Piece(0, end - begin, begin, 1)] if 0 < begin < end else []
        begin, size = self._found_at(0x1A2 if self._is_word_8 else 0x160)
        return self._listed_pieces(_piece_table(self._table[begin : begin + size]))

    def _listed_pieces(self, listed: bytes) -> list[_Piece]:
        count = max(0, (len(listed) - 4) // 12)
        positions = struct.unpack_from(f"<{count + 1}I", listed) if count else ()
        pieces: list[_Piece] = []
        for place in range(count):
            first, last = positions[place], positions[place + 1]
            offset = _long(listed, 4 * (count + 1) + 8 * place + 2)
            narrow = bool(offset & _NARROW) or not self._is_word_8
            offset = (offset & ~_NARROW) // 2 if offset & _NARROW else offset
            if first < last and offset < len(self._document) and (not pieces or first == pieces[-1].last):
                limit = (len(self._document) - offset) // (1 if narrow else 2)
                pieces.append(_Piece(first, min(last, first + limit), offset, 1 if narrow else 2))
        return pieces


def _filling(character: str, encoding: str, width: int) -> str:
    return "\0" * (len(character.encode(encoding, "replace")) // width - 1)


def _piece_table(listed: bytes) -> bytes:
    """The piece table follows property modifiers, each with its size."""
    place = 0
    while place + 3 <= len(listed) and listed[place] == 1:
        place += 3 + _short(listed, place + 1)
    if place >= len(listed) or listed[place] != 2:
        return b""
    return listed[place + 5 : place + 5 + _long(listed, place + 1)]


def _short(content: bytes, place: int) -> int:
    return int(struct.unpack_from("<H", content, place)[0]) if place + 2 <= len(content) else 0


def _long(content: bytes, place: int) -> int:
    return int(struct.unpack_from("<I", content, place)[0]) if place + 4 <= len(content) else 0
