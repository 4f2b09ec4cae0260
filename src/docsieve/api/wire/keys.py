"""Requests and responses about API keys."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from docsieve.api.text import Name, Text
from docsieve.api.wire.base import Body, ListPage, Moment, Wire

ScopeName = Literal["read", "write", "admin"]


class KeyCreate(Body):
    name: Text
    scopes: list[ScopeName] = Field(min_length=1, max_length=3)
    project: Name | None = Field(None, description="Restrict the key to this project.")
    expires_at: Moment | None = None


class KeyRead(Wire):
    id: str
    name: str
    scopes: list[ScopeName]
    project: str | None
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None


class KeyPage(ListPage):
    keys: list[KeyRead]


class KeyCreated(KeyRead):
    key: str = Field(description="The API key. It is shown only once; the server stores only its hash.")
