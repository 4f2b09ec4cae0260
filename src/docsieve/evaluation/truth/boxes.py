"""The true location of a value, for datasets that have it: from the ground truth, or from the true text lines of an
image, `box/NAME.csv`, as `x0,y0,x1,y1,x2,y2,x3,y3,text` in pixels of its corners."""

import csv
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from PIL import Image

from docsieve.domain.extraction import Evidence
from docsieve.domain.pages.page import Box, Page
from docsieve.evaluation.datasets import Place, Sample

_ENOUGH = 0.5
_MIN_PART_LENGTH = 4  # letters and digits below which a line is part of anything
_MAX_BOXES = 60
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


def grounding_iou(
    sample: Sample, lines: Sequence[TrueLine], truth_path: str, truth: Any, evidence: Sequence[Evidence]
) -> float | None:
    """The intersection over union (IoU) of the evidence and the true location; None where that is not known.

    Several boxes are one area. Of several lines that each hold the whole truth, the best counts. A line that holds more
    than the truth is cut down to it in proportion to its letters.
    """
    proofs = [Place(page=proof.page, box=proof.box) for proof in evidence]
    if truth_path in sample.boxes:
        return _iou(sample.boxes[truth_path], proofs)
    found: list[float] = []
    for each in truth if isinstance(truth, list) else [truth]:
        wanted = _letters(each)
        if whole := [_cut(line, wanted) for line in lines if wanted and wanted in _letters(line.text)]:
            found += [_iou([place], proofs) for place in whole]
        elif parts := [line.place for line in lines if _is_part(_letters(line.text), wanted)]:
            found.append(_iou(parts, proofs))
    return max(found, default=None)


def meet(one: Evidence, other: Evidence) -> bool:
    """Whether two places share at least half of the smaller one."""
    if (one.document_id, one.page) != (other.document_id, other.page):
        return False
    smaller = min(_area([one.box]), _area([other.box]))
    shared = _area([one.box]) + _area([other.box]) - _area([one.box, other.box])
    return smaller > 0 and shared >= _ENOUGH * smaller


def _iou(places: Sequence[Place], others: Sequence[Place]) -> float:
    shared = union = 0.0
    for page in {place.page for place in (*places, *others)}:
        ones = [place.box for place in places if place.page == page][:_MAX_BOXES]
        twos = [place.box for place in others if place.page == page][:_MAX_BOXES]
        covered = _area([*ones, *twos])
        shared += _area(ones) + _area(twos) - covered
        union += covered
    return shared / union if union > 0 else 0.0


def _area(boxes: Sequence[Box]) -> float:
    """What the boxes cover together."""
    total = 0.0
    for left, right in pairwise(sorted({x for box in boxes for x in (box[0], box[2])})):
        spans = sorted((top, bottom) for x0, top, x1, bottom in boxes if x0 <= left and x1 >= right)
        reached = float("-inf")
        for top, bottom in spans:
            total += (right - left) * max(0.0, bottom - max(top, reached))
            reached = max(reached, bottom)
    return total


def _cut(line: TrueLine, wanted: str) -> Place:
    x0, y0, x1, y1 = line.place.box
    letters = _letters(line.text)
    start = letters.index(wanted)
    step = (x1 - x0) / len(letters)
    return Place(page=line.place.page, box=(x0 + start * step, y0, x0 + (start + len(wanted)) * step, y1))


def _is_part(text: str, wanted: str) -> bool:
    return len(text) >= _MIN_PART_LENGTH and text in wanted


def _line(row: list[str], across: float, down: float) -> TrueLine:
    numbers = [int(part) for part in row[:_CORNERS]]
    xs, ys = numbers[::2], numbers[1::2]
    box: Box = (min(xs) * across, min(ys) * down, max(xs) * across, max(ys) * down)
    return TrueLine(",".join(row[_CORNERS:]), Place(page=1, box=box))


def _letters(text: Any) -> str:
    return re.sub(r"[\W_]", "", unicodedata.normalize("NFKC", str(text)).casefold())
