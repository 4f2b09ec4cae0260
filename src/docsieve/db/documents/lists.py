"""Lists of documents: filtered, sorted and paginated.

A page continues after the last row of the previous one, by sort key and id, so that rows that are added or deleted in
the meantime cause no repeated or missing ones.
"""

from dataclasses import dataclass
from typing import Any, Literal
from uuid import UUID

from docsieve.db.connection.session import Session
from docsieve.db.documents.rows import COLUMNS, Document, document_of

Sort = Literal["created_at", "-created_at", "filename", "-filename", "size", "-size", "confidence", "-confidence"]

_ID = "documents.id"
# Documents without a confidence come last in both directions, those without a size where empty ones would be.
_KEYS: dict[Sort, str] = {
    "created_at": _ID,
    "-created_at": _ID,
    "filename": "sort_name",
    "-filename": "sort_name",
    "size": "coalesce(size, 0)",
    "-size": "coalesce(size, 0)",
    "confidence": "coalesce(documents.confidence, 2)",
    "-confidence": "coalesce(documents.confidence, -1)",
}


@dataclass(frozen=True, slots=True)
class DocumentFilter:
    """`name` matches any part of the file name, ignoring case."""

    status: str | None = None
    project: str | None = None
    name: str | None = None
    document_class: str | None = None
    parent_id: UUID | None = None
    needs_review: bool | None = None
    split_needs_review: bool | None = None


@dataclass(frozen=True, slots=True)
class Position:
    """The last row of a page: its sort key and id."""

    key: str | int | float | None
    id: UUID


@dataclass(frozen=True, slots=True)
class DocumentList:
    documents: list[Document]
    total: int
    last: Position | None


class _Conditions:
    """Only the conditions that apply: one of the form `$1 is null or …` would keep PostgreSQL from using an index."""

    def __init__(self, tenant_id: UUID) -> None:
        self.arguments: list[Any] = [tenant_id]
        self._texts = ["documents.tenant_id = $1"]

    def add(self, text: str, *values: Any) -> None:
        numbers = []
        for value in values:
            self.arguments.append(value)
            numbers.append(f"${len(self.arguments)}")
        self._texts.append(text.format(*numbers))

    @property
    def text(self) -> str:
        return " and ".join(self._texts)


def _conditions(session: Session, chosen: DocumentFilter) -> _Conditions:
    conditions = _Conditions(session.scope.tenant_id)
    if chosen.status is not None:
        conditions.add("documents.status = {}", chosen.status)
    if chosen.project is not None:
        conditions.add("project_id = (select id from projects where tenant_id = $1 and name = {})", chosen.project)
    if chosen.name is not None:
        conditions.add("filename ilike {}", f"%{_escape_like(chosen.name)}%")
    if chosen.document_class is not None:
        conditions.add("class = {}", chosen.document_class)
    if chosen.parent_id is not None:
        conditions.add("parent_id = {}", chosen.parent_id)
    if chosen.needs_review is not None:
        conditions.add("coalesce(needs_review, false) = {}", chosen.needs_review)
    if chosen.split_needs_review is not None:
        conditions.add("coalesce(split_needs_review, false) = {}", chosen.split_needs_review)
    return conditions


def _escape_like(text: str) -> str:
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")


async def list_page(
    session: Session, chosen: DocumentFilter, *, sort: Sort = "-created_at", after: Position | None = None, limit: int
) -> DocumentList:
    """One page, with the number of all matching documents."""
    matching = _conditions(session, chosen)
    total = await session.connection.fetchval(
        f"select count(*) from documents where {matching.text}", *matching.arguments
    )
    query, arguments = page_query(session, chosen, sort, after, limit)
    rows = await session.connection.fetch(query, *arguments)
    found = [document_of(tuple(row)[:-1]) for row in rows]
    if len(found) < limit:
        return DocumentList(found, total, None)
    return DocumentList(found, total, Position(None if _KEYS[sort] == _ID else rows[-1][-1], found[-1].id))


def page_query(
    session: Session, chosen: DocumentFilter, sort: Sort, after: Position | None, limit: int
) -> tuple[str, list[Any]]:
    conditions, key = _conditions(session, chosen), _KEYS[sort]
    beyond, direction = ("<", "desc") if sort.startswith("-") else (">", "asc")
    order = f"{_ID} {direction}" if key == _ID else f"{key} {direction}, {_ID} {direction}"
    if after is not None and key == _ID:
        conditions.add(f"{_ID} {beyond} {{}}", after.id)
    elif after is not None:
        conditions.add(f"({key}, {_ID}) {beyond} ({{}}, {{}})", after.key, after.id)
    query = f"select {COLUMNS}, {key} from documents where {conditions.text} order by {order} limit {limit:d}"
    return query, conditions.arguments
