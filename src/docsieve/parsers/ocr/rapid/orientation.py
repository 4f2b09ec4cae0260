"""Detects the rotation and skew of a page from its text regions and from how confidently samples are read."""

from collections.abc import Callable
from statistics import median

from docsieve.parsers.ocr.rapid.characters import Character, confidence_of
from docsieve.parsers.ocr.rapid.quads import Quad, is_horizontal, is_vertical, sides, slope, turned

# Upright lines are read with a median confidence of 0.9 and more, upside-down ones with 0.6 to 0.85. A page is turned
# only on good evidence, because most are upright: enough characters, read well, and clearly better than as it is.
_SURE = 0.93
_WELL_READ = 0.8
_CLEARLY_BETTER = 0.05
_MIN_CHARACTERS = 10
_FIRST_SAMPLES = 3
_SAMPLES = 8
# Longer regions are often rules or several merged lines.
_MAX_ASPECT = 30.0

Read = Callable[[Quad, int], list[Character]]
"""Reads a region rotated clockwise by a number of degrees."""


def find_turn(quads: list[Quad], read: Read) -> int:
    """Return the clockwise rotation for the page in degrees, 0 unless another one reads clearly better."""
    vertical = sum(max(sides(quad)) for quad in quads if is_vertical(quad))
    horizontal = sum(max(sides(quad)) for quad in quads if is_horizontal(quad))
    if vertical > horizontal:
        return _better_of(_samples(quads, is_vertical), (90, 270), 0.0, read)
    samples = _samples(quads, is_horizontal)
    if not samples or median(confidence_of(read(quad, 0)) for quad in samples[:_FIRST_SAMPLES]) >= _SURE:
        return 0
    as_it_is = median(confidence_of(read(quad, 0)) for quad in samples)
    return _better_of(samples, (180,), as_it_is + _CLEARLY_BETTER, read)


def _better_of(samples: list[Quad], turns: tuple[int, ...], least: float, read: Read) -> int:
    best, best_confidence = 0, max(least, _WELL_READ)
    for turn in turns:
        lines = [read(quad, turn) for quad in samples]
        confidence = median(map(confidence_of, lines))
        if confidence > best_confidence and sum(map(len, lines)) >= _MIN_CHARACTERS:
            best, best_confidence = turn, confidence
    return best


def _samples(quads: list[Quad], fits: Callable[[Quad], bool]) -> list[Quad]:
    """Return the most elongated regions: they have the most characters and are the best evidence."""
    fitting = [quad for quad in quads if fits(quad) and _aspect(quad) <= _MAX_ASPECT]
    return sorted(fitting, key=_aspect, reverse=True)[:_SAMPLES]


def _aspect(quad: Quad) -> float:
    width, height = sides(quad)
    return max(width, height) / max(min(width, height), 1.0)


def find_skew(quads: list[Quad], turn: int) -> float:
    """By how many more degrees clockwise than `turn` to turn the page until its lines are level.

    It is the median of all regions that lie after the turn, the longer counting for more.
    """
    fits = is_horizontal if turn in (0, 180) else is_vertical
    slopes = sorted((_slope_after(quad, turn), max(sides(quad))) for quad in quads if fits(quad))
    half = sum(length for _, length in slopes) / 2
    for found, length in slopes:
        half -= length
        if half <= 0:
            return -found
    return 0.0


def _slope_after(quad: Quad, turn: int) -> float:
    return (slope(turned(quad, turn)) + turn + 180) % 360 - 180
