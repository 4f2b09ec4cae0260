"""Base shapes of requests and responses, shared by all nouns of the API."""

from datetime import UTC, datetime
from typing import Annotated, Self

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field

MOST_IDS = 1_000


def _in_utc(moment: datetime) -> datetime:
    try:
        return moment.astimezone(UTC)
    except OverflowError as error:
        raise ValueError("must be a moment between the years 1 and 9999 in UTC") from error


Moment = Annotated[AwareDatetime, AfterValidator(_in_utc)]


class Wire(BaseModel):
    model_config = ConfigDict(from_attributes=True, populate_by_name=True, serialize_by_alias=True)


class Body(BaseModel):
    """What clients send: a field we do not know is an error and not a silent wish."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)


class ListPage(Wire):
    """A list in the shape of all lists: what it holds under its own name, a page at a time."""

    next_cursor: str | None = Field(description="pass it as `cursor` for the next page; null at the end")


class Reason(Wire):
    code: str
    message: str

    @classmethod
    def of(cls, code: str | None, message: str | None) -> Self | None:
        return cls(code=code, message=message or "") if code is not None else None


class StatusProgress(Wire):
    stage: str
    page: int | None = None
    pages: int | None = None
