"""The true location of a value, for datasets that have it: from the ground truth, or from the true text lines of an
image, `box/NAME.csv`, as `x0,y0,x1,y1,x2,y2,x3,y3,text` in pixels of its corners."""

import csv
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PIL import Image

from docsieve.domain.extraction import Evidence
from docsieve.domain.pages.page import Box, Page
from docsieve.evaluation.datasets import Place, Sample

_ENOUGH = 0.5
_MIN_PART_LENGTH = 4  # letters and digits below which a line is part of anything
_CORNERS = 8


@dataclass(frozen=True, slots=True)
class TrueLine:
    text: str
    place: Place


def true_lines(sample: Sample, pages: Sequence[Page]) -> list[TrueLine]:
    """The true lines of an image that has a list of them, in points of its page; else none."""
    listed = sample.path.parent.parent / "box" / f"{sample.path.stem}.csv"
    if not listed.is_file() or len(pages) != 1 or pages[0].turned:
        return []
    with Image.open(sample.path) as image:
        across, down = pages[0].width / image.width, pages[0].height / image.height
    with listed.open(encoding="utf-8", errors="replace", newline="") as file:
        rows = [row for row in csv.reader(file, quoting=csv.QUOTE_NONE) if len(row) > _CORNERS]
    return [_line(row, across, down) for row in rows if all(part.strip().isdigit() for part in row[:_CORNERS])]


def located(
    sample: Sample, lines: Sequence[TrueLine], truth_path: str, truth: Any, evidence: Sequence[Evidence]
) -> bool | None:
    """Whether the evidence lies upon the place that shows the truth; None where that place is not known.

    Of several lines that each hold the whole truth, one is enough; of those that hold it together, half of them.
    """
    if truth_path in sample.boxes:
        return _upon(sample.boxes[truth_path], evidence) >= _ENOUGH
    found: bool | None = None
    for each in truth if isinstance(truth, list) else [truth]:
        wanted = _letters(each)
        whole = [line.place for line in lines if wanted and wanted in _letters(line.text)]
        parts = [line.place for line in lines if _is_part(_letters(line.text), wanted)]
        if whole or parts:
            here = _upon(whole, evidence) > 0 if whole else _upon(parts, evidence) >= _ENOUGH
            found = bool(found) or here
    return found


def _upon(places: Sequence[Place], evidence: Sequence[Evidence]) -> float:
    """The share of the places that some evidence meets."""
    met = [any(_meet(place, proof) for proof in evidence) for place in places]
    return sum(met) / len(met) if met else 0.0


def _is_part(text: str, wanted: str) -> bool:
    return len(text) >= _MIN_PART_LENGTH and text in wanted


def _line(row: list[str], across: float, down: float) -> TrueLine:
    numbers = [int(part) for part in row[:_CORNERS]]
    xs, ys = numbers[::2], numbers[1::2]
    box: Box = (min(xs) * across, min(ys) * down, max(xs) * across, max(ys) * down)
    return TrueLine(",".join(row[_CORNERS:]), Place(page=1, box=box))


def _letters(text: Any) -> str:
    return re.sub(r"[\W_]", "", unicodedata.normalize("NFKC", str(text)).casefold())


def _meet(place: Place, proof: Evidence) -> bool:
    """They share at least half of the smaller one."""
    if place.page != proof.page:
        return False
    (a0, b0, a1, b1), (c0, d0, c1, d1) = place.box, proof.box
    shared = max(0.0, min(a1, c1) - max(a0, c0)) * max(0.0, min(b1, d1) - max(b0, d0))
    smaller = min((a1 - a0) * (b1 - b0), (c1 - c0) * (d1 - d0))
    return smaller > 0 and shared >= _ENOUGH * smaller
