"""Documents with the same layout: recognized by the words they share, and used to predict where values are."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from docsieve.engines.local.page.places import Place, mark, skeleton
from docsieve.engines.local.page.view import DocumentView, PageView, Piece

MAX_MARKS = 80
MAX_NEIGHBORS = 4
SAME_LAYOUT = 0.45

Spotting = dict[str, Any]
"""Where a value was: its page, its neighbors with the offset from each in line heights, and its number of lines."""


@dataclass(frozen=True, slots=True)
class Guess:
    """Where a value is expected, with what certainty, and how many lines it had."""

    page: PageView
    x: float
    y: float
    worth: float
    lines: int

    def distance(self, x: float, y: float) -> float:
        """In line heights; values move less up and down than sideways."""
        return (abs(y - self.y) + 0.25 * abs(x - self.x)) / max(self.page.height, 1.0)


def marks_of(view: DocumentView) -> list[str]:
    """Fingerprints of the words on the first page that are not values."""
    pages = view.pages[:1]
    texts = {_static(piece) for page in pages for piece in page.pieces}
    return sorted(mark(text) for text in texts if text)[:MAX_MARKS]


def likeness(first: set[str], second: set[str]) -> float:
    return len(first & second) / max(min(len(first), len(second)), 1) if min(len(first), len(second)) >= 4 else 0.0


def spotting(place: Place, page: PageView) -> Spotting:
    x, y = place[0][0][0].box[:2]
    unit = max(page.height, 1.0)
    own = {id(piece) for _, piece in place}
    near = sorted(
        ((abs(piece.box[1] - y) + 0.2 * abs(piece.box[0] - x), piece) for piece in page.pieces if id(piece) not in own),
        key=lambda each: each[0],
    )
    neighbors = [
        [mark(_static(piece)), round((x - piece.box[0]) / unit, 1), round((y - piece.box[1]) / unit, 1)]
        for _, piece in near
        if _static(piece)
    ]
    return {"page": page.number, "near": neighbors[:MAX_NEIGHBORS], "lines": len(place)}


def guesses(where: Spotting, alike: float, pages: Iterable[PageView]) -> list[Guess]:
    found = []
    for page in pages:
        if page.number != where["page"]:
            continue
        unit = max(page.height, 1.0)
        for piece in page.pieces:
            text = _static(piece)
            if not text:
                continue
            for rank, (known, dx, dy) in enumerate(where["near"]):
                if mark(text) == known:
                    worth = alike * (1 - 0.12 * rank)
                    found.append(Guess(page, piece.box[0] + dx * unit, piece.box[1] + dy * unit, worth, where["lines"]))
    return found


def _static(piece: Piece) -> str:
    """The text of a piece without digits, which labels rarely and values usually have."""
    text = skeleton(piece.text)
    digits = sum(map(str.isdigit, piece.text))
    return text if len(text) >= 3 and digits * 4 <= len(text) else ""
