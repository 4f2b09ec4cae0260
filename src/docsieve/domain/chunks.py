"""Pieces of a document's text, each small enough to be one answer to a question, with their places on the pages."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal, Self

from docsieve.domain.pages import Box

ChunkKind = Literal["text", "table"]


@dataclass(frozen=True, slots=True)
class Place:
    """Where the characters from `start` to `end` of a chunk's text stand."""

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

    def to_json(self) -> str:
        """One line."""
        fields = [self.ordinal, self.text, self.page, self.heading, self.kind, _numbers(self.places)]
        return json.dumps(fields, ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_json(cls, line: str) -> Self:
        ordinal, text, page, heading, kind, places = json.loads(line)
        return cls(ordinal, text, page, heading, kind, _places(places))

    @property
    def searchable(self) -> str:
        """What embedders are given: the text under its heading, unless it begins with that anyway."""
        return under_heading(self.heading, self.text)


def under_heading(heading: str | None, text: str) -> str:
    return text if heading is None or text.startswith(heading) else f"{heading}\n{text}"


def pack_places(places: Iterable[Place]) -> str:
    return json.dumps(_numbers(places), separators=(",", ":"))


def unpack_places(packed: str) -> list[Place]:
    return _places(json.loads(packed))


def _numbers(places: Iterable[Place]) -> list[list[float]]:
    return [
        [p.page, p.start, p.end, round(x0, 1), round(y0, 1), round(x1, 1), round(y1, 1)]
        for p in places
        for x0, y0, x1, y1 in (p.box,)
    ]


def _places(numbers: list[list[Any]]) -> list[Place]:
    return [Place(page, start, end, (x0, y0, x1, y1)) for page, start, end, x0, y0, x1, y1 in numbers]
