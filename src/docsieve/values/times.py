"""Times of day."""

import re
from collections.abc import Iterator
from datetime import time

_FIND = re.compile(
    r"(?<![\d.,:/])(?P<h>\d{1,2})\s?(?:[:h]|(?P<dot>\.))\s?(?P<m>\d{2})(?:[:.](?P<s>\d{2}))?(?:\.\d{1,6})?"
    r"\s?(?P<half>[ap]\.?\s?m\b\.?|[ap](?![^\W_]))?(?:\s?(?P<uhr>uhr|hrs|h)\b)?(?![\d:/])",
    re.IGNORECASE,
)
_WHOLE_HOUR = re.compile(r"(?<![\d.,:/])(?P<h>\d{1,2})\s?(?P<half>[ap]\.?m\b\.?)", re.IGNORECASE)


def parse_time(text: str) -> time | None:
    """Parse a text that is a time of day; a period between hour and minute is accepted here."""
    match = _only_match(text)
    return _time(match) if match is not None else None


def iso_time(text: str) -> str | None:
    """Return a time of day as `17:42`, with seconds only if the text has them."""
    match = _only_match(text)
    value = _time(match) if match is not None else None
    if match is None or value is None:
        return None
    return value.isoformat(timespec="seconds" if match.groupdict().get("s") else "minutes")


def find_times(text: str) -> list[tuple[int, int, time]]:
    """Find times of day; with a period between hour and minute only if a word confirms it (`14.30 Uhr`)."""
    found = ((match, _time(match)) for match in _matches(text))
    return [(match.start(), match.end(), value) for match, value in found if value is not None]


def _only_match(text: str) -> re.Match[str] | None:
    said = text.strip(" ,;.")
    for pattern in (_FIND, _WHOLE_HOUR):
        if len(said) < 30 and (match := pattern.fullmatch(said)) is not None:
            return match
    found = [match for match in _matches(said) if _time(match) is not None] if len(said) < 60 else []
    return found[0] if len(found) == 1 else None


def _matches(text: str) -> Iterator[re.Match[str]]:
    return (match for match in _FIND.finditer(text[:20_000]) if not match["dot"] or match["half"] or match["uhr"])


def _time(match: re.Match[str]) -> time | None:
    groups = match.groupdict()
    hour, minute, second = int(groups["h"]), int(groups.get("m") or 0), int(groups.get("s") or 0)
    half = (groups.get("half") or "").casefold()
    if half:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if half.startswith("p") else 0)
    try:
        return time(hour, minute, second)
    except ValueError:
        return None
