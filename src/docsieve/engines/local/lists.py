"""The lists of a schema, each from the place that fits it best."""

from collections.abc import Sequence

from docsieve.domain.extraction import Found
from docsieve.domain.schemas.fields import ITEM, Scalar, path_text
from docsieve.engines.local.candidates import Scene
from docsieve.engines.local.grids import grid_listings, grids_of
from docsieve.engines.local.groups import Cell, Group, Listing, groups_of
from docsieve.engines.local.listings import headed_listings, heading_rows
from docsieve.engines.local.purchases import purchase_listings
from docsieve.engines.local.spans import Spans
from docsieve.engines.local.view import spot
from docsieve.engines.local.wants import Want
from docsieve.engines.local.writing import written_cell

_USED_BEFORE = 0.35
_LEAST = 0.3
_LOOKED_AT = 50
_BY_KIND = 0.4
_MOST_OF_A_KIND = 50
_KINDS = frozenset(("email", "url", "iban"))


def list_values(wants: Sequence[Want], scene: Scene) -> dict[str, Found]:
    groups = groups_of(wants)
    if not groups:
        return {}
    grids = grids_of(scene.view)
    headings = heading_rows(scene.view)
    offered = [
        [
            *grid_listings(group, grids, scene.spans),
            *_sound(group, headed_listings(group, headings, scene.view), scene.spans),
            *purchase_listings(group, scene),
            *_all_of_a_kind(group, scene),
        ]
        for group in groups
    ]
    order = sorted(range(len(groups)), key=lambda at: -max((each.score for each in offered[at]), default=0.0))
    used: set[object] = set()
    found: dict[str, Found] = {}
    for at in order:
        ranked = sorted(offered[at], key=lambda each: -(each.score - (_USED_BEFORE if each.key in used else 0.0)))
        if ranked and ranked[0].score - (_USED_BEFORE if ranked[0].key in used else 0.0) >= _LEAST:
            used.add(ranked[0].key)
            found |= _values(groups[at], ranked[0], scene.spans)
    return found


def _all_of_a_kind(group: Group, scene: Scene) -> list[Listing]:
    """Every address, number or link of a document that is what a plain list asks for, each once."""
    if len(group.columns) != 1 or group.columns[0].want.type not in _KINDS:
        return []
    spans = {span.text: span for span in scene.spans.of(group.columns[0].want.type)}
    rows = [{0: Cell(span.text, [spot(span.tokens, span.piece)])} for span in list(spans.values())[:_MOST_OF_A_KIND]]
    return [Listing(rows, _BY_KIND, "all of its kind", "kind")] if rows else []


def _sound(group: Group, found: Sequence[Listing], spans: Spans) -> Sequence[Listing]:
    """Worth less where cells do not read as what their columns want."""
    for listing in found:
        cells = [(at, cell) for row in listing.rows[:_LOOKED_AT] for at, cell in row.items()]
        good = sum(_value(group.columns[at].want, cell, spans) is not None for at, cell in cells)
        listing.score *= (good / len(cells)) ** 2
    return found


def _values(group: Group, listing: Listing, spans: Spans) -> dict[str, Found]:
    found: dict[str, Found] = {}
    score = round(min(0.95, 0.45 + listing.score / 2), 4)
    counts = [0] * len(group.columns)
    number = 0
    for row in listing.rows:
        filled = False
        for at, column in enumerate(group.columns):
            cell = row.get(at)
            value = _value(column.want, cell, spans) if cell is not None else None
            if cell is None or value is None:
                continue
            index = counts[at] if group.scalars else number
            counts[at] += 1
            filled = True
            path = path_text(column.want.field.path).replace(ITEM, f"[{index}]", 1)
            found[path] = Found(value, score, cell.spots, listing.why)
        number += filled
    return found


def _value(want: Want, cell: Cell, spans: Spans) -> Scalar:
    return written_cell(want, cell.text, spans)
