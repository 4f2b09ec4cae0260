"""Shapes that schemas and prompts share because both are versioned."""

from typing import Annotated

from pydantic import Field

from docsieve.api.wire.base import Body

MakeCurrent = Annotated[bool, Field(description="whether the name alone means this version from now on")]


class UseVersion(Body):
    version: int = Field(ge=0, lt=1_000_000_000)
