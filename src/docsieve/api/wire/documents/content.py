"""Chunks of a document's content on the wire."""

from typing import Self
from uuid import UUID

from pydantic import BaseModel, Field

from docsieve.analysis.search.chunks import weight
from docsieve.domain.pages.chunks import ChunkKind
from docsieve.domain.pages.page import Box
from docsieve.services.content import IdentifiedChunk


class ChunkPlace(BaseModel):
    """Where the characters from `start` to `end` of the text are."""

    page: int
    start: int
    end: int
    box: Box


class ContentChunk(BaseModel):
    id: UUID = Field(description="The same for the same text of the document and the same sizes.")
    number: int = Field(description="Counted from 0.")
    kind: ChunkKind
    text: str
    tokens: int = Field(description="Estimated, at about four and a half bytes per token.")
    pages: list[int]
    headings: list[str] = Field(description="The headings above it, from the highest level down.")
    places: list[ChunkPlace]

    @classmethod
    def of(cls, identified: IdentifiedChunk) -> Self:
        chunk = identified.chunk
        places = [ChunkPlace(page=each.page, start=each.start, end=each.end, box=each.box) for each in chunk.places]
        return cls(
            id=identified.id,
            number=chunk.ordinal,
            kind=chunk.kind,
            text=chunk.text,
            tokens=max(1, round(weight(chunk.text))),
            pages=sorted({each.page for each in chunk.places}),
            headings=list(chunk.headings),
            places=places,
        )


class ContentChunks(BaseModel):
    document_id: UUID
    chunks: list[ContentChunk]
    next_cursor: str | None
