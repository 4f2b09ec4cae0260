"""How many messages a worker sends to one receiver at a time, so that slow or dead ones delay no others.

A receiver starts with one attempt at a time, gets more while it answers quickly, and fewer when it is slow or fails.
Further messages for a quick one wait here if that takes about a second. All others go back to the queue until about the
time when their turn will come, and leave their slot to messages for other receivers.
"""

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Hashable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

MAX_AT_ONCE = 32
PATIENCE_SECONDS = 1.0
FAST_SECONDS = 1.0
HANGING_SECONDS = 3.0

_FIRST_WAITERS = 8

_SLOW_START = 8
_FIRST_PACE = 0.02
_MIN_DELAY, _MAX_DELAY = 1.0, 600.0
_MAX_GATES = 10_000


class ReceiverBusy(Exception):
    """The receiver has enough to do. Its turn will come in about so many seconds."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.seconds = seconds


@dataclass(slots=True)
class _Gate:
    """`inside` counts attempts, `started` says when they began; `pace` is their smoothed duration."""

    limit: float = 1.0
    pace: float = _FIRST_PACE
    inside: int = 0
    started: deque[float] = field(default_factory=deque)
    waiting: deque["asyncio.Future[None]"] = field(default_factory=deque)
    next_free: float = 0.0

    @property
    def idle(self) -> bool:
        return not self.inside and not self.waiting


class Place:
    """One attempt under way. Say how it went."""

    def __init__(self, gate: _Gate) -> None:
        self._gate = gate

    def answered(self, seconds: float) -> None:
        gate = self._gate
        gate.pace += (seconds - gate.pace) / 4
        if seconds > FAST_SECONDS:
            gate.limit = max(gate.limit / 2, 2.0)
        else:
            gate.limit = min(gate.limit * 2 if gate.limit < _SLOW_START else gate.limit + 1, MAX_AT_ONCE)

    def failed(self, seconds: float) -> None:
        gate = self._gate
        gate.pace += (seconds - gate.pace) / 4
        gate.limit = max(gate.limit / 2, 1.0)


class Gates:
    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._gates: dict[Hashable, _Gate] = {}
        self._clock = clock

    @asynccontextmanager
    async def place(self, receiver: Hashable, *, failing: bool = False) -> AsyncIterator[Place]:
        """Wait for a place among the attempts to this receiver; one that is failing gets one attempt at a time.

        Raises ReceiverBusy if that would take long.
        """
        gate = self._gate(receiver)
        await self._enter(gate, failing=failing)
        started = self._clock()
        gate.started.append(started)
        try:
            yield Place(gate)
        finally:
            gate.started.remove(started)
            self._leave(gate)

    def _gate(self, receiver: Hashable) -> _Gate:
        if receiver not in self._gates and len(self._gates) >= _MAX_GATES:
            self._gates = {key: gate for key, gate in self._gates.items() if not gate.idle}
        return self._gates.setdefault(receiver, _Gate())

    async def _enter(self, gate: _Gate, *, failing: bool) -> None:
        limit = 1.0 if failing else gate.limit
        if gate.inside < limit and not gate.waiting:
            gate.inside += 1
            return
        if failing or len(gate.waiting) >= self._may_wait(gate):
            raise ReceiverBusy(self._delay(gate, limit))
        turn = asyncio.get_running_loop().create_future()
        gate.waiting.append(turn)
        try:
            async with asyncio.timeout(2 * PATIENCE_SECONDS):
                await turn
        except BaseException as error:
            if not turn.cancelled():  # its turn came at the same moment
                self._leave(gate)
            elif turn in gate.waiting:
                gate.waiting.remove(turn)
            if isinstance(error, TimeoutError):
                raise ReceiverBusy(self._delay(gate, limit)) from None
            raise

    @staticmethod
    def _leave(gate: _Gate) -> None:
        """Fill the places that are free now: the limit may have changed."""
        gate.inside -= 1
        while gate.waiting and gate.inside < int(gate.limit):
            turn = gate.waiting.popleft()
            if not turn.cancelled():
                turn.set_result(None)
                gate.inside += 1

    def _may_wait(self, gate: _Gate) -> float:
        """The number that a quick receiver takes within a second; a few until it has answered once."""
        seconds = self._seconds(gate)
        if seconds > FAST_SECONDS:
            return 0
        return _FIRST_WAITERS if gate.limit <= 1.0 else PATIENCE_SECONDS * MAX_AT_ONCE / seconds

    def _seconds(self, gate: _Gate) -> float:
        """How long an attempt takes. One that seems to hang says more than earlier ones."""
        oldest = self._clock() - gate.started[0] if gate.started else 0.0
        return max(gate.pace, oldest) if oldest > HANGING_SECONDS else gate.pace

    def _delay(self, gate: _Gate, limit: float) -> float:
        """Each message that is sent away gets a later turn than the one before. A quick receiver will get more."""
        now, seconds = self._clock(), self._seconds(gate)
        each = seconds / (limit if seconds > FAST_SECONDS else MAX_AT_ONCE)
        gate.next_free = max(gate.next_free, now + _MIN_DELAY) + each
        return min(gate.next_free - now, _MAX_DELAY)
