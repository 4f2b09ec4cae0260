"""Search the text of all documents that the key can access."""

from typing import Annotated
from uuid import UUID

from fastapi import Query
from pydantic import Field

from docsieve.api.access import Reader, Resources
from docsieve.api.problems import COMMON
from docsieve.api.routing import Router
from docsieve.api.text import Name, Text, json_object
from docsieve.api.wire.base import Moment, Wire
from docsieve.db.index.search import Filters
from docsieve.domain.pages.page import Box
from docsieve.services.index import search
from docsieve.services.index.search import Found, Hit, Ranking

router = Router(prefix="/search", tags=["search"], responses=COMMON)


class SnippetPart(Wire):
    text: str = Field(description="Plain text, not HTML.")
    hit: bool = Field(description="Whether the text matches the query and should be highlighted.")


class LineBox(Wire):
    page: int
    box: Box = Field(description="x0, y0, x1, y1 in points.")


class SearchShares(Wire):
    words: float = 0.0
    meaning: float = 0.0
    spelling: float = 0.0


class SameContent(Wire):
    document_id: UUID
    filename: str


class SearchHit(Wire):
    document_id: UUID
    filename: str
    document_class: str | None = Field(alias="class")
    page: int
    heading: str | None = Field(description="The section heading above the passage.")
    kind: str = Field(description="`text` or `table`.")
    snippet: list[SnippetPart]
    boxes: list[LineBox] = Field(description="Bounding boxes of the matching lines.")
    score: float = Field(description="From 0 to 1. A score of 1 means best match by words, by meaning and by spelling.")
    matched_by: list[Ranking] = Field(
        description="How the passage was found, most important first: by the words of the query, by a similar meaning, "
        "or by words of similar spelling."
    )
    also_in: list[SameContent] = Field(description="Other documents with the same content, at most 20.")
    shares: SearchShares | None = Field(description="Contribution of each ranking to the score. Only with `explain`.")

    @classmethod
    def of(cls, hit: Hit, *, explain: bool) -> "SearchHit":
        return cls(
            document_id=hit.document_id,
            filename=hit.filename,
            document_class=hit.document_class,
            page=hit.page,
            heading=hit.heading,
            kind=hit.kind,
            snippet=[SnippetPart.model_validate(part) for part in hit.snippet],
            boxes=[LineBox.model_validate(line) for line in hit.lines],
            score=round(hit.score, 6),
            matched_by=hit.matched_by,
            also_in=[SameContent.model_validate(each) for each in hit.also_in],
            shares=SearchShares(**hit.shares) if explain else None,
        )


class SearchExplanation(Wire):
    weights: SearchShares = Field(description="Weight of each ranking.")
    embedder: str | None = Field(description="The embedder used. Null if none was available.")
    candidates: int = Field(description="Number of chunks that were scored by words.")


class SearchAnswer(Wire):
    hits: list[SearchHit]
    corrections: dict[str, str] = Field(
        description="Query words that occur in no document, and their corrected spelling."
    )
    explanation: SearchExplanation | None

    @classmethod
    def of(cls, found: Found, *, explain: bool) -> "SearchAnswer":
        explanation = SearchExplanation(
            weights=SearchShares.model_validate(dict(search.WEIGHTS)),
            embedder=found.embedder,
            candidates=found.candidates,
        )
        return cls(
            hits=[SearchHit.of(hit, explain=explain) for hit in found.hits],
            corrections=found.corrections,
            explanation=explanation if explain else None,
        )


@router.get("", response_model=SearchAnswer)
async def search_documents(
    caller: Reader,
    resources: Resources,
    q: Annotated[Text, Query(description="Search words. Quoted phrases must match exactly.")],
    project: Name | None = None,
    document_class: Annotated[Text | None, Query(alias="class")] = None,
    media_type: Text | None = None,
    language: Annotated[Text | None, Query(description="ISO 639-1 code.")] = None,
    created_from: Moment | None = None,
    created_to: Annotated[Moment | None, Query(description="Only documents created before this time.")] = None,
    metadata: Annotated[
        Text | None, Query(description="A JSON object that the document's metadata must contain.")
    ] = None,
    document_id: UUID | None = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 10,
    explain: Annotated[bool, Query(description="Include the contribution of each ranking.")] = False,
) -> SearchAnswer:
    """Search by words, by meaning and with typo tolerance, best match first, with at most three hits per document.

    Documents with the same content are one hit; the others are listed in `also_in`.
    """
    filters = Filters(
        project=project,
        document_class=document_class,
        media_type=media_type,
        language=language,
        created_from=created_from,
        created_to=created_to,
        metadata=json_object(metadata, field="metadata") if metadata is not None else None,
        document_id=document_id,
    )
    found = await search.find(resources.database, resources.embedders, caller.scope, q, filters, limit=limit)
    return SearchAnswer.of(found, explain=explain)
