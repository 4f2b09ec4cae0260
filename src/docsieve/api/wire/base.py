"""Base classes of request and response bodies."""

import re
from datetime import UTC, datetime, timedelta
from typing import Annotated, Self

from pydantic import AfterValidator, AwareDatetime, BaseModel, BeforeValidator, ConfigDict, Field

MAX_IDS = 1_000


def _in_utc(moment: datetime) -> datetime:
    try:
        return moment.astimezone(UTC)
    except OverflowError as error:
        raise ValueError("must be between the years 1 and 9999 in UTC") from error


def _written_out(value: object) -> object:
    """Pydantic would take a number, also in a string, for seconds since 1970."""
    if isinstance(value, int | float) or (isinstance(value, str) and _DATE.match(value) is None):
        raise ValueError("must be a date and time with a time zone, such as 2026-11-17T08:00:00Z")
    return value


_DATE = re.compile(r"\d{4}-\d\d-\d\d[Tt ]")
Moment = Annotated[AwareDatetime, BeforeValidator(_written_out), AfterValidator(_in_utc)]


MAX_DAYS_AHEAD = 366


def _soon_enough(moment: datetime) -> datetime:
    if moment > datetime.now(UTC) + timedelta(days=MAX_DAYS_AHEAD):
        raise ValueError(f"must be at most {MAX_DAYS_AHEAD} days ahead")
    return moment


RunAt = Annotated[Moment, AfterValidator(_soon_enough)]
"""When work is to start. A time in the past means at once."""


class Wire(BaseModel):
    model_config = ConfigDict(from_attributes=True, populate_by_name=True, serialize_by_alias=True)


class Body(BaseModel):
    """A request body. Unknown fields are rejected instead of being silently ignored."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)


class ListPage(Wire):
    """One page of a list. A subclass adds the items under their own name."""

    next_cursor: str | None = Field(description="Pass it as `cursor` to get the next page. Null on the last page.")


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
    seconds_left: int | None = Field(None, description="Estimated from the pages that were read so far.")
