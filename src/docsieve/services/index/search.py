"""Finds chunks by words, by meaning and by similar spelling, and combines the three rankings."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal
from uuid import UUID

from docsieve.analysis.search import query as chunk_query
from docsieve.analysis.search import ranking, terms
from docsieve.analysis.search.query import Query
from docsieve.analysis.search.ranking import Asked
from docsieve.analysis.search.snippets import Part, hits, holds_phrase, snippet
from docsieve.db.connection.driver import Record
from docsieve.db.connection.session import Database, Session
from docsieve.db.index import embedders, search
from docsieve.db.index.chunks import as_vector
from docsieve.db.index.embedders import EmbedderRow
from docsieve.db.index.search import NO_FILTERS, Filters, Within
from docsieve.domain.pages.chunks import Place, unpack_places
from docsieve.domain.scope import Scope
from docsieve.embeddings.known import KnownEmbedders
from docsieve.errors import EmptyQuery
from docsieve.errors.providers import ProviderError
from docsieve.logs import get_logger
from docsieve.services.index.search_words import Meant, understand
from docsieve.services.index.vectors import embed_question

log = get_logger()

Ranking = Literal["words", "meaning", "spelling"]

WEIGHTS: Mapping[Ranking, float] = {"words": 1.0, "meaning": 0.4, "spelling": 1.0}

_CANDIDATES = 2000
_RANKED = 100
_EMBED_SECONDS = 5.0
_OF_ONE_CONTENT = 3
_MAX_COPIES = 20


@dataclass(frozen=True, slots=True)
class Copy:
    """Another document with the same content."""

    document_id: UUID
    filename: str


@dataclass(frozen=True, slots=True)
class Hit:
    """`shares` is the contribution of each ranking to the score; `also_in` are copies of the document."""

    document_id: UUID
    filename: str
    document_class: str | None
    page: int
    heading: str | None
    kind: str
    snippet: list[Part]
    lines: list[Place]
    score: float
    shares: dict[Ranking, float]
    also_in: list[Copy]

    @property
    def matched_by(self) -> list[Ranking]:
        """Most important first. The ranking by spelling counts the query's own words too, and then adds nothing."""
        found = [name for name in self.shares if name != "spelling" or "words" not in self.shares]
        return sorted(found, key=lambda name: -self.shares[name])


@dataclass(frozen=True, slots=True)
class Found:
    hits: list[Hit]
    corrections: dict[str, str] = field(default_factory=dict)
    embedder: str | None = None
    candidates: int = 0


async def find(
    database: Database,
    known: KnownEmbedders,
    scope: Scope,
    asked: str,
    filters: Filters = NO_FILTERS,
    *,
    limit: int = 10,
    weights: Mapping[Ranking, float] = WEIGHTS,
) -> Found:
    """Best matches first. Raises EmptyQuery. If the embedder does not respond, the ranking by meaning is left out."""
    query = chunk_query.parse(asked)
    if not query.words:
        raise EmptyQuery
    async with database.tenant(scope) as session:
        where = await search.within(session, filters)
        if where.documents == []:
            return Found([])
        meant = await understand(session, query)
        used = next((row for row in await embedders.in_use(session.connection) if known.named(row.name)), None)
    vector = await _vector(database, known, used, chunk_query.respelt(query.text, meant.corrections))
    async with database.tenant(scope) as session:
        rankings, candidates = await _rank_words(session, query, meant, where)
        if used is not None and vector is not None:
            rankings["meaning"] = await search.nearest(session, used, vector, where, among=meant.chunks, limit=_RANKED)
        fused = ranking.fuse({name: rankings[name] for name in rankings if name in weights}, weights)
        found = await _hits(session, query, meant, fused, where, limit=limit)
    return Found(found, meant.corrections, used.name if used and vector else None, candidates)


async def _vector(database: Database, known: KnownEmbedders, used: EmbedderRow | None, text: str) -> str | None:
    embedder = known.named(used.name) if used is not None else None
    if embedder is None:
        return None
    try:
        async with asyncio.timeout(_EMBED_SECONDS):
            (vector,) = await embed_question(database, embedder, text)
    except (ProviderError, TimeoutError) as error:
        log.warning("query_not_embedded", embedder=embedder.name, error=type(error).__name__)
        return None
    return as_vector(vector) if vector.any() else None


async def _rank_words(
    session: Session, query: Query, meant: Meant, where: Within
) -> tuple[dict[Ranking, Sequence[int]], int]:
    """Rankings by exact words and by similar spelling, from one pass over the candidates' profiles."""
    rows = await _candidates(session, query, meant, where)
    if not rows:
        return {}, 0
    ids = [row["id"] for row in rows]
    candidates = ranking.Candidates(
        {term for word in (*meant.words, *meant.similar) for term in word.terms},
        [row["profile"] for row in rows],
        [row["length"] for row in rows],
        mean_length=meant.mean_length,
    )
    rankings: dict[Ranking, Sequence[int]] = {}
    asked_in: dict[Ranking, list[Asked]] = {"words": meant.words, "spelling": meant.similar}
    for name, asked in asked_in.items():
        order = ranking.best(candidates.bm25(asked), ids, _RANKED)
        if order:
            rankings[name] = order
    return rankings, len(rows)


async def _candidates(session: Session, query: Query, meant: Meant, where: Within) -> list[Record]:
    """Chunks with the rarest words of the query. If all are common: first those with the two rarest, then with one."""
    rare = meant.rare(_CANDIDATES)
    required = meant.required(query)
    if not rare:
        return []
    if where.documents is not None:
        return await search.profiles(session, where, any_of=meant.every(), all_of=required, limit=2 * _CANDIDATES)
    if required or meant.frequency(rare[0]) <= _CANDIDATES:
        return await search.profiles(session, where, any_of=rare, all_of=required, limit=2 * _CANDIDATES)
    pair = meant.rarest_pair()
    rows = await search.profiles(session, where, any_of=pair, all_of=pair, limit=_CANDIDATES) if pair else []
    if len(rows) < _RANKED:
        more = await search.profiles(session, where, any_of=rare, limit=_CANDIDATES)
        rows = list({row["id"]: row for row in (*rows, *more)}.values())
    return rows


async def _hits(
    session: Session,
    query: Query,
    meant: Meant,
    shares: Mapping[int, dict[Ranking, float]],
    where: Within,
    *,
    limit: int,
) -> list[Hit]:
    order = sorted(shares, key=lambda each: (-sum(shares[each].values()), each))
    at_once = len(order) if query.demands else 4 * limit
    of_content: dict[str, int] = {}
    seen: set[tuple[str, int, str]] = set()
    found: list[tuple[int, Record]] = []
    most = limit if where.filters.document_id is not None else _OF_ONE_CONTENT
    for start in range(0, len(order), max(at_once, 1)):
        some = order[start : start + at_once]
        rows = await search.chunks(session, some)
        for each in some:
            row = rows.get(each)
            if row is None or not _holds_quoted(row, query) or of_content.get(row["sha256"], 0) == most:
                continue
            passage = (row["sha256"], row["ordinal"], row["text"])
            if passage in seen:
                continue
            seen.add(passage)
            of_content[row["sha256"]] = of_content.get(row["sha256"], 0) + 1
            found.append((each, row))
            if len(found) == limit:
                break
        if len(found) == limit:
            break
    copies = await search.with_content(session, list(of_content), where.filters, each=_MAX_COPIES + 1)
    return [_hit(row, meant, shares[each], _copies_of(row, copies)) for each, row in found]


def _copies_of(row: Record, documents: Sequence[Record]) -> list[Copy]:
    return [
        Copy(each["id"], each["filename"])
        for each in documents
        if each["sha256"] == row["sha256"] and each["id"] != row["document_id"]
    ][:_MAX_COPIES]


def _holds_quoted(row: Record, query: Query) -> bool:
    if not query.demands:
        return True

    def same(words: list[str]) -> list[str]:
        return terms.stems(words, row["stemming"])

    text = f"{row['heading'] or ''}\n{row['text']}"
    as_written = {token.word for token in terms.tokens(text)} if query.exact else frozenset()
    return query.exact <= as_written and all(holds_phrase(text, phrase, same) for phrase in query.phrases)


def _hit(row: Record, meant: Meant, shares: dict[Ranking, float], also_in: list[Copy]) -> Hit:
    shown = snippet(
        row["text"], unpack_places(row["places"]), hits(row["text"], row["stemming"], meant.salted, meant.worth)
    )
    return Hit(
        document_id=row["document_id"],
        filename=row["filename"],
        document_class=row["class"],
        page=shown.lines[0].page if shown.lines else row["page"],
        heading=row["heading"],
        kind=row["kind"],
        snippet=shown.parts,
        lines=shown.lines,
        score=sum(shares.values()),
        shares=shares,
        also_in=also_in,
    )
