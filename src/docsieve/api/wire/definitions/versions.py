"""Request fields shared by schemas and prompts, which are both versioned."""

from typing import Annotated

from pydantic import Field

from docsieve.api.wire.base import Body

MakeCurrent = Annotated[bool, Field(description="Whether this becomes the current version of the name.")]


class UseVersion(Body):
    version: int = Field(ge=0, lt=1_000_000_000)
