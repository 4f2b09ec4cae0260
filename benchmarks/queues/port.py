"""What a queue must offer to be measured."""

from collections.abc import Awaitable, Callable
from typing import Protocol

Gate = Callable[[], Awaitable[None]]
Job = Callable[[], None]


class Client(Protocol):
    """One enqueuing connection, as a web process would hold it."""

    async def enqueue(self) -> None:
        """Make one job durable and let an idle worker know."""

    async def enqueue_bulk(self, count: int) -> None:
        """Make many jobs durable by the fastest documented way."""

    async def close(self) -> None: ...


class Contender(Protocol):
    """A queue with the settings its own documentation and benchmarks favour."""

    @property
    def name(self) -> str: ...

    @property
    def settings(self) -> str:
        """The settings used, in one line, for the report."""

    @property
    def drained_jobs(self) -> int:
        """How many jobs one drain takes; fewer for a slow queue, which only helps it."""

    @property
    def unfinished(self) -> str:
        """SQL for one boolean: is any job not durably finished?"""

    async def setup(self, dsn: str) -> None:
        """Install the schema into an empty database."""

    async def connect(self, dsn: str) -> Client: ...

    async def work(self, dsn: str, gate: Gate, job: Job) -> None:
        """Connect, run once over the empty queue, wait at the gate, then work until killed.

        `job` is the body of every job. It is called from an async handler.
        """
