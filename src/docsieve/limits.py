"""Limits on what clients do per second and at once, and quotas per month: their names and how they are written."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

_UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}
_SECONDS = {"s": 1.0, "min": 60.0, "h": 3600.0}
OFF = "off"
_NUMBER = "([1-9][0-9]{0,11})([KMGT]?)B?"
AMOUNT = f"^({_NUMBER}|{OFF})$"
RATE = f"^({_NUMBER}/({'|'.join(_SECONDS)})|{OFF})$"
"""How limits are written, for the description of the API."""

QUOTAS = ("documents", "bytes", "pages")


@dataclass(frozen=True, slots=True)
class Rate:
    """So much per so many seconds. All of it may come at once, and then flows back evenly."""

    amount: float
    seconds: float


@dataclass(frozen=True, slots=True)
class Limits:
    """Those that start with `key_` apply to each key of a tenant, the others to all of its keys together.

    `uploads` is how many may be in progress at once. None means no limit.
    """

    requests: Rate | None = None
    upload_bytes: Rate | None = None
    uploads: int | None = None
    key_requests: Rate | None = None
    key_upload_bytes: Rate | None = None
    key_uploads: int | None = None


def parse_limits(written: Mapping[str, str]) -> Limits:
    """`{"requests": "100/s", "uploads": "16", "upload_bytes": "1GB/min"}`. Raises ValueError."""
    return Limits(**{name: _limit(name, text) for name, text in written.items()})  # type: ignore[arg-type]


def parse_quotas(written: Mapping[str, str]) -> dict[str, int]:
    """`{"documents": "10000", "bytes": "50GB"}`. Raises ValueError."""
    if unknown := written.keys() - {*QUOTAS}:
        raise ValueError(f"unknown: {', '.join(sorted(unknown))}; known: {', '.join(QUOTAS)}")
    return {name: _number(name, text) for name, text in written.items() if text != OFF}


def _limit(name: str, text: str) -> Rate | int | None:
    if name not in Limits.__dataclass_fields__:
        raise ValueError(f"unknown limit {name}; known: {', '.join(Limits.__dataclass_fields__)}")
    if text == OFF:
        return None
    if name.endswith("uploads"):
        return _number(name, text)
    amount, _, window = text.partition("/")
    if window not in _SECONDS:
        raise ValueError(f"{name}: write it as 100/s, 6000/min, 1GB/h or {OFF}")
    return Rate(_number(name, amount), _SECONDS[window])


def _number(name: str, text: str) -> int:
    match = re.fullmatch(_NUMBER, text)
    if match is None:
        raise ValueError(f"{name}: {text!r} is not a number such as 500, 20K or 5GB; use {OFF} for no limit")
    return int(match[1]) * _UNITS[match[2]]
