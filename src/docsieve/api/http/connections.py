"""Timeouts for slow clients. Uvicorn itself waits indefinitely for a request, and for a client to read the response."""

from asyncio import TimerHandle, Transport
from enum import Enum, auto

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEAD_SECONDS = 10.0
HEAD_BYTES = 64 * 1024  # also the limit for consecutive bytes of a chunked body that are not content
# The minimum number of body bytes in the first period, 500 bytes per second, and how much it grows with each period.
# Otherwise a client could hold a place for uploads for months: 2 GiB at 500 bytes per second.
BODY_SECONDS = 20.0
BODY_BYTES = 10_000
BODY_BYTES_MORE = 1_000
# How long a response may wait for a client that takes none of it.
READ_SECONDS = 30.0


class _Phase(Enum):
    """What the client must send next. Uvicorn's own keep-alive timeout closes idle connections."""

    IDLE = auto()
    HEAD = auto()
    BODY = auto()


class TimedConnection(HttpToolsProtocol):
    """Closes a connection if the client sends headers or a body too slowly, or too many headers, or stops reading.

    Timers run only while a request is incomplete; a request that arrives in one piece needs none.
    """

    body_seconds = BODY_SECONDS
    _phase = _Phase.HEAD
    _timer: TimerHandle | None = None
    _in_phase = 0  # bytes since the timer was started
    _periods = 0  # for which the client has been sending this body
    _unparsed = 0  # bytes since the parser last got to the end of the headers or to a part of the body
    _held = False  # reading was paused in this period, by us and not by the client
    _reading_timer: TimerHandle | None = None
    _unsent = 0  # bytes of the response that waited when that timer was started

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._start_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timer()
        self._stop_reading_timer()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._phase is _Phase.IDLE:
            self._enter(_Phase.HEAD)
        self._in_phase += len(data)
        self._unparsed += len(data)
        super().data_received(data)
        self._held = self._held or self.flow.read_paused
        if self._unparsed > HEAD_BYTES:
            self.transport.close()
        elif self._timer is None and self._phase is not _Phase.IDLE:
            self._start_timer()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._start_reading_timer()

    def resume_writing(self) -> None:
        self._stop_reading_timer()
        super().resume_writing()

    def on_message_begin(self) -> None:
        self._enter(_Phase.HEAD)
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._enter(_Phase.BODY)
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._unparsed = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._enter(_Phase.IDLE)
        super().on_message_complete()

    def _enter(self, phase: _Phase) -> None:
        self._phase, self._unparsed, self._periods = phase, 0, 0
        self._stop_timer()

    def _start_timer(self) -> None:
        self._in_phase, self._held = 0, self.flow.read_paused
        head = self._phase is _Phase.HEAD
        self._timer = self.loop.call_later(HEAD_SECONDS if head else self.body_seconds, self._judge)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _judge(self) -> None:
        """Close the connection unless the client kept up or had to wait for us."""
        if self._is_late():
            self.transport.close()
        else:
            self._start_timer()

    def _is_late(self) -> bool:
        answered = self.cycle is None or self.cycle.response_complete
        if answered or self._phase is _Phase.HEAD:
            return answered  # what follows an early answer is thrown away; what precedes an answer may wait for it
        if self._held or self.cycle.waiting_for_100_continue:
            return False
        wanted = BODY_BYTES + BODY_BYTES_MORE * self._periods
        self._periods += 1
        return self._in_phase < wanted

    def _start_reading_timer(self) -> None:
        self._unsent = self.transport.get_write_buffer_size()
        self._reading_timer = self.loop.call_later(READ_SECONDS, self._judge_reader)

    def _stop_reading_timer(self) -> None:
        if self._reading_timer is not None:
            self._reading_timer.cancel()
            self._reading_timer = None

    def _judge_reader(self) -> None:
        if self.transport.get_write_buffer_size() >= self._unsent:
            self.transport.abort()
        else:
            self._start_reading_timer()
