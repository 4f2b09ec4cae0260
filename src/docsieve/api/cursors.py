"""Opaque places in a list: the id of the last item seen, newest first."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence
from typing import Annotated, Protocol
from uuid import UUID

from fastapi import Depends, Query


class _Identified(Protocol):
    @property
    def id(self) -> UUID: ...


def next_cursor(items: Sequence[_Identified], limit: int) -> str | None:
    if len(items) < limit:
        return None
    return urlsafe_b64encode(items[-1].id.bytes).decode().rstrip("=")


_Cursor = Annotated[str | None, Query(pattern=r"^[A-Za-z0-9_-]{22}$", description="`next_cursor` of the page before")]


async def _before(cursor: _Cursor = None) -> UUID | None:
    if cursor is None:
        return None
    return UUID(bytes=urlsafe_b64decode(cursor + "=="))


Before = Annotated[UUID | None, Depends(_before)]
Limit = Annotated[int, Query(ge=1, le=200, description="items a page")]
