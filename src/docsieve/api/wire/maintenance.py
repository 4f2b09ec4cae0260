"""Responses about maintenance tasks."""

from datetime import datetime
from typing import Self

from pydantic import Field

from docsieve.api.wire.base import ListPage, Wire
from docsieve.api.wire.jobs import JobRead
from docsieve.services.maintenance.runs import TaskState


class TaskRead(Wire):
    name: str
    description: str
    schedule: str | None = Field(
        description="An interval (`15m`, `1h`) or a local time (`02:30 Europe/Berlin`). Null if it is switched off."
    )
    next_run_at: datetime | None = Field(
        description="When the task is due. Null if it is switched off, or before the first worker has started."
    )
    current: JobRead | None = Field(description="The job that waits or runs, if there is one.")
    last: JobRead | None = Field(description="The last finished job that was not a dry run, with its `result`.")

    @classmethod
    def of(cls, state: TaskState) -> Self:
        return cls(
            name=state.task.name,
            description=state.task.description,
            schedule=str(state.schedule) if state.schedule is not None else None,
            next_run_at=state.next_run_at,
            current=JobRead.of(state.current) if state.current is not None else None,
            last=JobRead.of(state.last) if state.last is not None else None,
        )


class TaskList(ListPage):
    tasks: list[TaskRead]
