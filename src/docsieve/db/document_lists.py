"""Lists of documents: narrowed, in one of several orders, a page at a time.

A page goes on after the last row of the one before, by the order's own key and the id, so that rows which come or go
meanwhile are neither shown twice nor left out.
"""

from dataclasses import dataclass
from typing import Any, Literal
from uuid import UUID

from docsieve.db.connection.session import Session
from docsieve.db.documents import COLUMNS, Document, document_of

Sort = Literal["created_at", "-created_at", "filename", "-filename", "size", "-size", "confidence", "-confidence"]

_ID = "documents.id"
# Documents without a confidence come last in both directions.
_KEYS: dict[Sort, str] = {
    "created_at": _ID,
    "-created_at": _ID,
    "filename": "sort_name",
    "-filename": "sort_name",
    "size": "size",
    "-size": "size",
    "confidence": "coalesce(documents.confidence, 2)",
    "-confidence": "coalesce(documents.confidence, -1)",
}


@dataclass(frozen=True, slots=True)
class DocumentFilter:
    """`name` matches any part of the file name, case aside."""

    status: str | None = None
    project: str | None = None
    name: str | None = None
    document_class: str | None = None
    parent_id: UUID | None = None
    needs_review: bool | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """The last row of a page: what it was sorted by, and its id."""

    key: str | int | float | None
    id: UUID


@dataclass(frozen=True, slots=True)
class DocumentList:
    documents: list[Document]
    total: int
    last: Place | None


class _Conditions:
    """Only those that are asked for: one that may be null is none that an index could be read by."""

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


def _conditions(session: Session, wanted: DocumentFilter) -> _Conditions:
    chosen = _Conditions(session.scope.tenant_id)
    if wanted.status is not None:
        chosen.add("documents.status = {}", wanted.status)
    if wanted.project is not None:
        chosen.add("project_id = (select id from projects where tenant_id = $1 and name = {})", wanted.project)
    if wanted.name is not None:
        chosen.add("filename ilike {}", f"%{_escape_like(wanted.name)}%")
    if wanted.document_class is not None:
        chosen.add("class = {}", wanted.document_class)
    if wanted.parent_id is not None:
        chosen.add("parent_id = {}", wanted.parent_id)
    if wanted.needs_review is not None:
        chosen.add("coalesce(needs_review, false) = {}", wanted.needs_review)
    return chosen


def _escape_like(text: str) -> str:
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")


async def list_page(
    session: Session, wanted: DocumentFilter, *, sort: Sort = "-created_at", after: Place | None = None, limit: int
) -> DocumentList:
    """One page after another, with how many match in all."""
    chosen = _conditions(session, wanted)
    total = await session.connection.fetchval(f"select count(*) from documents where {chosen.text}", *chosen.arguments)
    query, arguments = page_query(session, wanted, sort, after, limit)
    rows = await session.connection.fetch(query, *arguments)
    found = [document_of(tuple(row)[:-1]) for row in rows]
    if len(found) < limit:
        return DocumentList(found, total, None)
    return DocumentList(found, total, Place(None if _KEYS[sort] == _ID else rows[-1][-1], found[-1].id))


def page_query(
    session: Session, wanted: DocumentFilter, sort: Sort, after: Place | None, limit: int
) -> tuple[str, list[Any]]:
    chosen, key = _conditions(session, wanted), _KEYS[sort]
    beyond, direction = ("<", "desc") if sort.startswith("-") else (">", "asc")
    order = f"{_ID} {direction}" if key == _ID else f"{key} {direction}, {_ID} {direction}"
    if after is not None and key == _ID:
        chosen.add(f"{_ID} {beyond} {{}}", after.id)
    elif after is not None:
        chosen.add(f"({key}, {_ID}) {beyond} ({{}}, {{}})", after.key, after.id)
    query = f"select {COLUMNS}, {key} from documents where {chosen.text} order by {order} limit {limit:d}"
    return query, chosen.arguments
