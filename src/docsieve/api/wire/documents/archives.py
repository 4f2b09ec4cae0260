"""Responses about the entries of archives."""

from typing import Literal
from uuid import UUID

from pydantic import Field

from docsieve.api.wire.base import ListPage, Wire

Verdict = Literal["created", "skipped", "unsupported_type", "refused"]


class EntryRead(Wire):
    number: int = Field(description="Position in the archive, starting at 0.")
    path: str = Field(description="Normalized path inside the archive.")
    verdict: Verdict
    code: str | None = Field(description="Why the entry was skipped or refused.")
    size: int | None = Field(description="Unpacked size in bytes, where it is known.")
    document_id: UUID | None = Field(description="The document it became. Null after that was deleted.")


class EntryPage(ListPage):
    entries: list[EntryRead]
