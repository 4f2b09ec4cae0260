"""Search in the text of all documents that the key may see."""

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
from docsieve.domain.pages import Box
from docsieve.services.index import search
from docsieve.services.index.search import Found, Hit

router = Router(prefix="/search", tags=["search"], responses=COMMON)


class SnippetPart(Wire):
    text: str = Field(description="plain text, not HTML")
    hit: bool = Field(description="a word that was asked for; mark it")


class LineBox(Wire):
    page: int
    box: Box = Field(description="x0, y0, x1, y1 in points of the page")


class SearchShares(Wire):
    lexical: float = 0.0
    vector: float = 0.0
    trigram: float = 0.0


class SameContent(Wire):
    document_id: UUID
    filename: str


class SearchHit(Wire):
    document_id: UUID
    filename: str
    document_class: str | None = Field(alias="class")
    page: int
    heading: str | None = Field(description="the heading it stands under")
    kind: str = Field(description="text or table")
    snippet: list[SnippetPart]
    boxes: list[LineBox] = Field(description="the lines that match")
    score: float = Field(description="0 to 1; 1 is first by words, by meaning and by spelling")
    also_in: list[SameContent] = Field(description="other documents with the very same content, at most 20")
    shares: SearchShares | None = Field(description="what each ranking gave to the score; with `explain`")

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
            also_in=[SameContent.model_validate(each) for each in hit.also_in],
            shares=SearchShares(**hit.shares) if explain else None,
        )


class SearchExplanation(Wire):
    weights: SearchShares = Field(description="what each ranking counts")
    embedder: str | None = Field(description="whose vectors were compared; null when none could be asked")
    candidates: int = Field(description="chunks that were scored by their words")


class SearchAnswer(Wire):
    hits: list[SearchHit]
    corrections: dict[str, str] = Field(description="words that nobody wrote, and what they were taken for")
    explanation: SearchExplanation | None

    @classmethod
    def of(cls, found: Found, *, explain: bool) -> "SearchAnswer":
        explanation = SearchExplanation(
            weights=SearchShares(**search.WEIGHTS), embedder=found.embedder, candidates=found.candidates
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
    q: Annotated[Text, Query(description="words; what stands in quotes must be found word by word")],
    project: Name | None = None,
    document_class: Annotated[Text | None, Query(alias="class")] = None,
    media_type: Text | None = None,
    language: Annotated[Text | None, Query(description="ISO 639-1")] = None,
    created_from: Moment | None = None,
    created_to: Annotated[Moment | None, Query(description="before this moment")] = None,
    metadata: Annotated[Text | None, Query(description="a JSON object that the document's metadata contains")] = None,
    document_id: UUID | None = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 10,
    explain: Annotated[bool, Query(description="show what each ranking gave")] = False,
) -> SearchAnswer:
    """By words, by meaning and with tolerance for misspelling at once; best first, at most three of one document.

    A passage of a document that was uploaded several times is one hit, with the others in `also_in`.
    """
    filters = Filters(
        project=project,
        document_class=document_class,
        media_type=media_type,
        language=language,
        created_from=created_from,
        created_to=created_to,
        metadata=json_object(metadata) if metadata is not None else None,
        document_id=document_id,
    )
    found = await search.find(resources.database, resources.embedders, caller.scope, q, filters, limit=limit)
    return SearchAnswer.of(found, explain=explain)
