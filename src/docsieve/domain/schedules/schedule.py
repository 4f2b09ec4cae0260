"""When something recurs: at an interval, or once a day at a local time."""

import re
from dataclasses import dataclass
from datetime import time

_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}
_INTERVAL = re.compile(r"([1-9][0-9]{0,5})([smhd])")
_LOCAL_TIME = re.compile(r"([01][0-9]|2[0-3]):([0-5][0-9])(?: +([A-Za-z0-9_+/-]+))?")


@dataclass(frozen=True, slots=True)
class Every:
    """At each multiple of an interval since 1970."""

    seconds: int

    def __str__(self) -> str:
        unit, length = max((each for each in _UNITS.items() if self.seconds % each[1] == 0), key=lambda each: each[1])
        return f"{self.seconds // length}{unit}"


@dataclass(frozen=True, slots=True)
class Daily:
    """Once per calendar day when clocks in the zone show this time, whether or not they change that day."""

    at: time
    zone: str = "UTC"

    def __str__(self) -> str:
        return f"{self.at:%H:%M} {self.zone}"


Schedule = Every | Daily


def parse(text: str) -> Schedule | None:
    """A schedule as it is written in settings: `15m`, `6h`, `02:30`, `02:30 Europe/Berlin`; None for `off`.

    Raises ValueError.
    """
    text = text.strip()
    if text == "off":
        return None
    if (interval := _INTERVAL.fullmatch(text)) is not None:
        return Every(int(interval[1]) * _UNITS[interval[2]])
    if (local := _LOCAL_TIME.fullmatch(text)) is not None:
        return Daily(time(int(local[1]), int(local[2])), local[3] or "UTC")
    raise ValueError(f"{text}: write an interval (15m, 6h), a time of day (02:30 Europe/Berlin) or off")
