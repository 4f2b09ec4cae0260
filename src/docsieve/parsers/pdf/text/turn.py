"""Rotates pages whose text runs sideways or upside down."""

import math
from collections import Counter
from ctypes import byref, c_double
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from docsieve.parsers.pdf.direct import get_angle, get_origin
from docsieve.parsers.pdf.text.plausible import sampled_places

_SAMPLE = 16
_MAJORITY = 0.85

# A stamp or a single word in the margin says nothing about the orientation of the page.
_MIN_CHARACTERS = 40


def turn_of_text(text_page: Any, characters: str, shown_turns: int) -> int:
    """Return the quarter turns clockwise that make the text upright; 0 if in doubt."""
    if len(characters) < _MIN_CHARACTERS:
        return 0
    places = sampled_places(characters, _SAMPLE)
    upright = -shown_turns % 4
    few = places[: int(len(places) * (1 - _MAJORITY)) + 1]
    if [_turn_of_character(text_page, place) for place in few] == [upright] * len(few):
        # enough that none of the other turns can have the majority
        return 0
    angle = _agreed([_turn_of_character(text_page, place) for place in places])
    if angle is None or angle == upright:
        return 0
    # Fonts may be drawn mirrored twice, and some scripts run to the left: only text that also runs that way is turned.
    pairs = [place for place in places if place + 1 < len(characters) and not characters[place + 1].isspace()]
    course = _agreed([_course_after(text_page, place) for place in pairs])
    return -(angle + shown_turns) % 4 if course == angle else 0


def _agreed(quarters: list[int | None]) -> int | None:
    """Return the value of the great majority."""
    if not quarters:
        return None
    value, votes = Counter(quarters).most_common(1)[0]
    return value if votes >= len(quarters) * _MAJORITY else None


def _turn_of_character(text_page: Any, index: int) -> int | None:
    """Return the clockwise rotation of a character on the original page in quarter turns; None if slanted."""
    return _quarter(get_angle(text_page, index))


def _course_after(text_page: Any, index: int) -> int | None:
    """Return the same from the position of the next character."""
    x, y, next_x, next_y = c_double(), c_double(), c_double(), c_double()
    get_origin(text_page, index, byref(x), byref(y))
    get_origin(text_page, index + 1, byref(next_x), byref(next_y))
    # PDF counts y upwards, so that its angles are counterclockwise.
    return _quarter(-math.atan2(next_y.value - y.value, next_x.value - x.value))


def _quarter(angle: float) -> int | None:
    quarters = angle / (math.pi / 2)
    nearest = round(quarters)
    return nearest % 4 if abs(quarters - nearest) < 0.15 else None


def turn_page(page: pdfium.PdfPage, degrees: int) -> None:
    """Rotate the page further clockwise; text, boxes and rendering follow."""
    if degrees % 360:
        pdfium_c.FPDFPage_SetRotation(page, (page.get_rotation() + degrees) // 90 % 4)
