"""Chunks of a document's text, each small enough to be a search result, with their positions on the pages."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal, Self

from pydantic_core import from_json, to_json

from docsieve.domain.pages.page import Box

ChunkKind = Literal["text", "table"]

# Written out with possessive quantifiers, which halves the time to match every place of every document.
_COUNT, _LENGTH = r"[0-9]{1,9}+", r"-?[0-9]{1,20}+\.[0-9]"
_PLACE = rf"\[{_COUNT},{_COUNT},{_COUNT},{_LENGTH},{_LENGTH},{_LENGTH},{_LENGTH}\]"
_PACKED = re.compile(rf"\[(?:{_PLACE}(?:,{_PLACE})*+)?+\]")


@dataclass(slots=True)
class Place:
    """The position of the characters from `start` to `end` of a chunk's text.

    Not frozen, because that would make creation three times slower, and a document has some for each line.
    """

    page: int
    start: int
    end: int
    box: Box


@dataclass(frozen=True, slots=True)
class Chunk:
    """`heading` is the section heading above it, and `page` is where it starts.

    `headings` is the path of headings down to its section. It is not part of the stored form.
    """

    ordinal: int
    text: str
    page: int
    heading: str | None = None
    kind: ChunkKind = "text"
    places: list[Place] = field(default_factory=list)
    headings: tuple[str, ...] = ()

    def to_json(self) -> bytes:
        """One line."""
        return to_json([self.ordinal, self.text, self.page, self.heading, self.kind, self.packed])

    @classmethod
    def from_json(cls, line: bytes) -> Self:
        ordinal, text, page, heading, kind, packed = from_json(line)
        return cls(ordinal, text, page, heading, kind, unpack_places(packed))

    @property
    def packed(self) -> str:
        """With its places in the stored form."""
        return pack_places(self.places)

    @property
    def searchable(self) -> str:
        """The input of embedders: the heading and the text, unless the text starts with the heading."""
        return under_heading(self.heading, self.text)


@dataclass(frozen=True, slots=True)
class PackedChunk:
    """A chunk on its way from a sandboxed child to the index, with its places still encoded."""

    ordinal: int
    text: str
    page: int
    heading: str | None
    kind: ChunkKind
    packed: str

    @classmethod
    def from_json(cls, line: str | bytes) -> Self:
        """Raises ValueError if the line is not a valid chunk."""
        ordinal, text, page, heading, kind, packed = from_json(line)
        if not _PACKED.fullmatch(packed):
            raise ValueError("invalid places of a chunk")
        return cls(ordinal, text, page, heading, kind, packed)

    @property
    def searchable(self) -> str:
        return under_heading(self.heading, self.text)


def under_heading(heading: str | None, text: str) -> str:
    return text if heading is None or text.startswith(heading) else f"{heading}\n{text}"


def pack_places(places: Iterable[Place]) -> str:
    """As JSON, formatted by hand for speed, because a document has one per line."""
    packed = [f"[{place.page},{place.start},{place.end},%.1f,%.1f,%.1f,%.1f]" % place.box for place in places]
    return "[" + ",".join(packed) + "]"


def unpack_places(packed: str) -> list[Place]:
    return [Place(page, start, end, (x0, y0, x1, y1)) for page, start, end, x0, y0, x1, y1 in from_json(packed)]
