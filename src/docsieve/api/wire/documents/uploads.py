"""Requests and responses of direct uploads and signed downloads."""

from datetime import datetime
from uuid import UUID

from pydantic import Field

from docsieve.api.wire.base import Wire


class UploadPart(Wire):
    number: int
    size: int = Field(description="The exact number of bytes of this part. Parts are consecutive pieces of the file.")
    method: str = "PUT"
    url: str = Field(description="Signed. Send the bytes as the body, without an API key, before `expires_at`.")
    headers: dict[str, str] = Field(description="Send these with the request.")


class UploadRead(Wire):
    id: UUID
    direct: bool = Field(
        description="Whether the parts go to the blob store itself. If clients cannot reach it, they go to the API."
    )
    parts: list[UploadPart]
    expires_at: datetime


class DownloadUrl(Wire):
    url: str = Field(description="Signed. Anyone who has it can download the file until `expires_at`.")
    expires_at: datetime
    filename: str
    media_type: str
    size: int
    sha256: str = Field(description="To verify what was downloaded.")
