"""Requests for redacted copies on the wire."""

from typing import Annotated, Self
from uuid import UUID

from pydantic import Field, FiniteFloat, StringConstraints, model_validator

from docsieve.api.text import Text
from docsieve.api.wire.base import Body
from docsieve.content.redaction import PlaceOnPage, Redaction

_Coordinate = Annotated[FiniteFloat, Field(ge=-1e6, le=1e6)]
_Written = Annotated[Text, StringConstraints(min_length=1, pattern=r"\S")]


class RedactedPlace(Body):
    page: int = Field(ge=1, le=1_000_000)
    box: tuple[_Coordinate, _Coordinate, _Coordinate, _Coordinate] = Field(
        description="`[x0, y0, x1, y1]` in points from the upper left corner, as everywhere."
    )


class Redact(Body):
    fields: list[_Written] = Field(
        default=[],
        max_length=1000,
        description="Paths of fields, such as `iban` or `items[0].price`; a list or an object stands for all in it.",
    )
    extraction_id: UUID | None = Field(
        default=None, description="The extraction of the fields. Defaults to the newest completed one."
    )
    texts: list[_Written] = Field(
        default=[],
        max_length=200,
        description="Removed wherever they are, in any case and spacing. Each must be there.",
    )
    patterns: list[_Written] = Field(
        default=[], max_length=50, description="Regular expressions in RE2 syntax, which ignore case."
    )
    places: list[RedactedPlace] = Field(default=[], max_length=10_000)

    @model_validator(mode="after")
    def _asks_for_something(self) -> Self:
        if not (self.fields or self.texts or self.patterns or self.places):
            raise ValueError("must name fields, texts, patterns or places")
        return self

    def redaction(self) -> Redaction:
        places = tuple(PlaceOnPage(each.page, each.box) for each in self.places)
        return Redaction(places, tuple(self.texts), tuple(self.patterns))
