"""Which candidates are in the rows of a long list: they usually belong to it, whatever word is next to them."""

from collections.abc import Mapping

from docsieve.domain.extraction import Found, Spot
from docsieve.domain.pages.page import Box
from docsieve.engines.local.fields.candidates import Candidate
from docsieve.engines.local.fields.objections import HALF

MIN_ROWS = 4
_TYPES = frozenset(("amount", "name", "address"))
_BAND = 8.0

Places = Mapping[tuple[int, int, int], list[Box]]
"""The boxes of values by document, page and height on the page."""


def places_in_rows(listed: Mapping[str, Found]) -> Places:
    """Where the values of lists with several rows are."""
    rows: dict[str, set[str]] = {}
    for path in listed:
        name, _, rest = path.partition("[")
        rows.setdefault(name, set()).add(rest.partition("]")[0])
    places: dict[tuple[int, int, int], list[Box]] = {}
    for path, found in listed.items():
        if len(rows[path.partition("[")[0]]) >= MIN_ROWS:
            for spot in found.spots:
                for band in range(int(spot.box[1] // _BAND), int(spot.box[3] // _BAND) + 1):
                    places.setdefault((spot.document, spot.page, band), []).append(spot.box)
    return places


def note_rows(candidates: list[Candidate], places: Places) -> list[Candidate]:
    for each in candidates if places else ():
        each.in_rows = bool(each.spots) and all(_is_in(spot, places) for spot in each.spots)
        if each.in_rows and each.target.type in _TYPES:
            each.score *= HALF
    return candidates


def _is_in(spot: Spot, places: Places) -> bool:
    x, y = (spot.box[0] + spot.box[2]) / 2, (spot.box[1] + spot.box[3]) / 2
    near = places.get((spot.document, spot.page, int(y // _BAND)), ())
    return any(box[0] <= x <= box[2] and box[1] <= y <= box[3] for box in near)
