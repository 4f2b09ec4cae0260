"""Pieces of a document's text, each small enough to be one answer to a question, with their places on the pages."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal, Self

from pydantic_core import from_json, to_json

from docsieve.domain.pages import Box

ChunkKind = Literal["text", "table"]

# Written out and possessive, which is matched in half the time: every place of every document is.
_COUNT, _LENGTH = r"[0-9]{1,9}+", r"-?[0-9]{1,20}+\.[0-9]"
_PLACE = rf"\[{_COUNT},{_COUNT},{_COUNT},{_LENGTH},{_LENGTH},{_LENGTH},{_LENGTH}\]"
_PACKED = re.compile(rf"\[(?:{_PLACE}(?:,{_PLACE})*+)?+\]")


@dataclass(slots=True)
class Place:
    """Where the characters from `start` to `end` of a chunk's text stand.

    Not frozen, which makes them three times as slow to make: a document has some for each of its lines.
    """

    page: int
    start: int
    end: int
    box: Box


@dataclass(frozen=True, slots=True)
class Chunk:
    """`heading` is the one it stands under, on `page` where it begins."""

    ordinal: int
    text: str
    page: int
    heading: str | None = None
    kind: ChunkKind = "text"
    places: list[Place] = field(default_factory=list)

    def to_json(self) -> bytes:
        """One line."""
        return to_json([self.ordinal, self.text, self.page, self.heading, self.kind, self.packed])

    @classmethod
    def from_json(cls, line: bytes) -> Self:
        ordinal, text, page, heading, kind, packed = from_json(line)
        return cls(ordinal, text, page, heading, kind, unpack_places(packed))

    @property
    def packed(self) -> str:
        """Its places, as they are kept."""
        return pack_places(self.places)

    @property
    def searchable(self) -> str:
        """What embedders are given: the text under its heading, unless it begins with that anyway."""
        return under_heading(self.heading, self.text)


@dataclass(frozen=True, slots=True)
class PackedChunk:
    """A chunk on its way from a sandboxed child to the index, where nobody looks at its places."""

    ordinal: int
    text: str
    page: int
    heading: str | None
    kind: ChunkKind
    packed: str

    @classmethod
    def from_json(cls, line: str | bytes) -> Self:
        """Raises ValueError for a line that no chunk made."""
        ordinal, text, page, heading, kind, packed = from_json(line)
        if not _PACKED.fullmatch(packed):
            raise ValueError("the places of a chunk are not such")
        return cls(ordinal, text, page, heading, kind, packed)

    @property
    def searchable(self) -> str:
        return under_heading(self.heading, self.text)


def under_heading(heading: str | None, text: str) -> str:
    return text if heading is None or text.startswith(heading) else f"{heading}\n{text}"


def pack_places(places: Iterable[Place]) -> str:
    """JSON; written by hand, because a document has one for each of its lines."""
    packed = [f"[{place.page},{place.start},{place.end},%.1f,%.1f,%.1f,%.1f]" % place.box for place in places]
    return "[" + ",".join(packed) + "]"


def unpack_places(packed: str) -> list[Place]:
    return [Place(page, start, end, (x0, y0, x1, y1)) for page, start, end, x0, y0, x1, y1 in from_json(packed)]
