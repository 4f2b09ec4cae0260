"""Times of day."""

import re
from datetime import time

_FIND = re.compile(
    r"(?<![\d.,:/])(?P<h>\d{1,2})\s?(?:[:h]|(?P<dot>\.))\s?(?P<m>\d{2})(?:[:.](?P<s>\d{2}))?(?:\.\d{1,6})?"
    r"\s?(?P<half>[ap]\.?\s?m\b\.?|[ap](?![^\W_]))?(?:\s?(?P<uhr>uhr|hrs|h)\b)?(?![\d:/])",
    re.IGNORECASE,
)
_WHOLE_HOUR = re.compile(r"(?<![\d.,:/])(?P<h>\d{1,2})\s?(?P<half>[ap]\.?m\b\.?)", re.IGNORECASE)


def parse_time(text: str) -> time | None:
    """The time of day that the text is; a full stop between hour and minute is believed here."""
    said = text.strip(" ,;.")
    for pattern in (_FIND, _WHOLE_HOUR):
        match = pattern.fullmatch(said) if len(said) < 30 else None
        if match is not None:
            return _time(match)
    found = find_times(said) if len(said) < 60 else []
    return found[0][2] if len(found) == 1 else None


def find_times(text: str) -> list[tuple[int, int, time]]:
    """Times of day; where a full stop stands between hour and minute, only with a word that says so (`14.30 Uhr`)."""
    found = []
    for match in _FIND.finditer(text[:20_000]):
        if match["dot"] and not match["half"] and not match["uhr"]:
            continue
        if (value := _time(match)) is not None:
            found.append((match.start(), match.end(), value))
    return found


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
