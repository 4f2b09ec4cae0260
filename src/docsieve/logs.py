"""Logs: a constant event and keys; for people on a terminal, JSON elsewhere."""

import json
import logging
import sys
from contextlib import suppress
from typing import Any, TextIO, cast

import structlog

from docsieve.settings import Settings

# json.dumps would make an encoder for every line
_encoder = json.JSONEncoder(default=str)


def _in_one_line(event: Any, **_: Any) -> str:
    return _encoder.encode(event)


class _Stderr:
    """Standard error, which may be a file on a full disk: a line is then lost, and who logged it goes on."""

    def write(self, text: str) -> int:
        with suppress(OSError):
            return sys.stderr.write(text)
        return 0

    def flush(self) -> None:
        with suppress(OSError):
            sys.stderr.flush()


def get_logger() -> Any:
    """A lazy logger; untyped because structlog builds its methods at run time."""
    return structlog.get_logger()


def for_people(settings: Settings) -> bool:
    """Whether this process logs in lines for people, not in JSON."""
    return settings.log_format == "console" or (settings.log_format == "auto" and sys.stderr.isatty())


def configure(settings: Settings, **bound: str) -> None:
    """Set up logging for this process; `bound` keys are added to every line."""
    console = for_people(settings)
    level = logging.getLevelNamesMapping()[settings.log_level.upper()]
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="%H:%M:%S" if console else "iso", utc=not console),
    ]
    if console:
        tail: list[structlog.typing.Processor] = [
            # the default shows the values of local variables, which may hold document text
            structlog.dev.ConsoleRenderer(pad_event_to=24, exception_formatter=structlog.dev.plain_traceback)
        ]
    else:
        tail = [structlog.processors.format_exc_info, structlog.processors.JSONRenderer(_in_one_line)]
    structlog.configure(
        processors=[*shared, *tail],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.WriteLoggerFactory(cast(TextIO, _Stderr())),
        cache_logger_on_first_use=True,
    )
    structlog.contextvars.bind_contextvars(**bound)
    bridge = structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=shared,
        processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *tail],
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(bridge)
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(max(level, logging.WARNING))
