"""Opaque list cursors: the id of the last item for newest-first lists, or its sort key for other orders."""

import json
import math
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Iterable, Sequence
from typing import Annotated, Any, Protocol, TypeVar
from uuid import UUID

from fastapi import Depends, Query

from docsieve.api.text import storable
from docsieve.errors import Invalid

T = TypeVar("T")


class _Identified(Protocol):
    @property
    def id(self) -> UUID: ...


def next_cursor(items: Sequence[_Identified], limit: int) -> str | None:
    if len(items) < limit:
        return None
    return urlsafe_b64encode(items[-1].id.bytes).decode().rstrip("=")


_Cursor = Annotated[
    str | None, Query(pattern=r"^[A-Za-z0-9_-]{22}$", description="`next_cursor` of the previous page.")
]


async def _before(cursor: _Cursor = None) -> UUID | None:
    if cursor is None:
        return None
    return UUID(bytes=urlsafe_b64decode(cursor + "=="))


SortedCursor = Annotated[
    str | None,
    Query(
        pattern=r"^[A-Za-z0-9_-]{2,2000}$", description="`next_cursor` of the previous page, with the same sort order."
    ),
]


def write_cursor(*place: object) -> str:
    """A cursor made of the sort key of a page's last row."""
    said = json.dumps([str(each) if isinstance(each, UUID) else each for each in place], ensure_ascii=False)
    return urlsafe_b64encode(said.encode()).decode().rstrip("=")


def read_cursor(cursor: str, kinds: tuple[type, ...]) -> list[Any]:
    """The values given to `write_cursor`. Raises Invalid if they do not have these types."""
    try:
        place = json.loads(urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
        if not isinstance(place, list) or len(place) != len(kinds):
            raise ValueError("another order")
        return [_of_kind(each, kind) for each, kind in zip(place, kinds, strict=True)]
    except (ValueError, RecursionError) as error:
        raise Invalid("query.cursor: it does not belong to this list and sort order.") from error


def _of_kind(value: object, kind: type) -> object:
    if kind is UUID and isinstance(value, str):
        return UUID(value)
    if type(value) is not kind:
        raise ValueError("another kind of value")
    if (isinstance(value, int) and abs(value) >= 2**63) or (isinstance(value, float) and not math.isfinite(value)):
        raise ValueError("out of range")
    return storable(value) if isinstance(value, str) else value


def cut(
    items: Iterable[T],
    place: Callable[[T], tuple[Any, ...]],
    cursor: str | None,
    limit: int,
    *,
    newest_first: bool = False,
) -> tuple[list[T], str | None]:
    """A page of a short list that is already in memory, sorted by `place`, and the cursor of the next page.

    Places must be unique and stable.
    """
    listed = sorted(items, key=place, reverse=newest_first)
    if cursor is not None and listed:
        last = tuple(read_cursor(cursor, tuple(type(part) for part in place(listed[0]))))
        listed = [each for each in listed if (place(each) < last if newest_first else place(each) > last)]
    page = listed[:limit]
    return page, write_cursor(*place(page[-1])) if len(listed) > limit else None


Before = Annotated[UUID | None, Depends(_before)]
Limit = Annotated[int, Query(ge=1, le=200, description="Maximum number of items per page.")]
