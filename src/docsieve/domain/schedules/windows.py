"""Processing windows: the local times between which a project's work is started."""

from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

LocalTime = Annotated[str, StringConstraints(pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]$")]

URGENT_PRIORITY = 50
"""Work with at least this priority does not wait for a processing window."""


class ProcessingWindow(BaseModel):
    """`processing_window_opens` in `db/schema.sql` says when it is open."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    start: LocalTime = Field(description="Local time at which the window opens, such as `22:00`.")
    end: LocalTime = Field(description="Local time at which it closes. One before `start` is on the next day.")
    time_zone: Annotated[str, StringConstraints(min_length=1, max_length=100, pattern=r"^[A-Za-z0-9_+/-]+$")] = Field(
        "UTC", description="Name of the time zone, such as `Europe/Berlin`."
    )
    applies_to: Literal["batches", "all"] = Field(
        "batches", description="`batches`: starts of batches. `all`: also uploads, reprocessing and extractions."
    )

    @model_validator(mode="after")
    def _is_not_empty(self) -> Self:
        if self.start == self.end:
            raise ValueError("start and end must differ")
        return self

    def __str__(self) -> str:
        return f"{self.start}-{self.end} {self.time_zone} {self.applies_to}"
