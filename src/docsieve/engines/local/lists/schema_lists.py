"""The lists of a schema, each from the best matching place."""

from collections.abc import Sequence

from docsieve.domain.extraction import Found
from docsieve.domain.schemas.fields import ITEM, Scalar, path_text
from docsieve.engines.local.fields.candidates import Scene
from docsieve.engines.local.fields.spans import Spans
from docsieve.engines.local.fields.values import written_cell, written_text
from docsieve.engines.local.lists.groups import Cell, Group, Listing, TaughtLists, groups_of
from docsieve.engines.local.lists.listings import HeadingRow, headed_listings, heading_rows
from docsieve.engines.local.lists.nested import nested_parts, nests_of
from docsieve.engines.local.lists.plain import plain_listings
from docsieve.engines.local.lists.purchases import purchase_listings
from docsieve.engines.local.lists.records import stacked_listings, stacks_in
from docsieve.engines.local.lists.repeated import repeated_listings
from docsieve.engines.local.lists.shared_places import shared_out
from docsieve.engines.local.lists.statements.listings import lines_of, statement_listings
from docsieve.engines.local.lists.sums import summed_listings, sums_of
from docsieve.engines.local.lists.tables.grids import Grid, grids_of
from docsieve.engines.local.lists.tables.rows import table_listings
from docsieve.engines.local.page.view import spot
from docsieve.engines.local.sections.boxes import boxed_listings
from docsieve.engines.local.sections.headings import Sections
from docsieve.engines.local.sections.listings import section_listings
from docsieve.engines.local.vocabulary.targets import Target

_LOOKED_AT = 50
_BY_KIND = 0.4
_MAX_PER_KIND = 50
_KINDS = frozenset(("email", "url", "iban"))


def list_values(targets: Sequence[Target], scene: Scene, taught: TaughtLists | None = None) -> dict[str, Found]:
    if not targets:
        return {}
    groups = groups_of(targets, taught)
    grids = grids_of(scene.view)
    headings = heading_rows(scene.view)
    stacks = stacks_in(scene.view)
    sums = sums_of(scene)
    sections = Sections(scene.view)
    lines = lines_of(groups, scene.view)
    offered = [
        [
            *table_listings(group, grids, scene.spans),
            *_sound(group, headed_listings(group, headings, scene.view), scene.spans),
            *_sound(group, stacked_listings(group, stacks), scene.spans),
            *purchase_listings(group, scene),
            *summed_listings(group, scene, sums),
            *plain_listings(group, sections),
            *section_listings(group, sections),
            *boxed_listings(group, scene.view),
            *statement_listings(group, lines),
            *_sound(group, repeated_listings(group, scene.view), scene.spans),
            *_all_of_a_kind(group, scene),
        ]
        for group in groups
    ]
    found: dict[str, Found] = {}
    for at, listing in shared_out(groups, offered).items():
        found |= _values(groups[at], listing, scene.spans)
    nested = _nested_values(targets, headings, grids, scene)
    lists = {path.partition("[")[0] for path in nested}
    return {path: each for path, each in found.items() if path.partition("[")[0] not in lists} | nested


def _all_of_a_kind(group: Group, scene: Scene) -> list[Listing]:
    """Every distinct email address, number or link of the type that a plain list has."""
    if len(group.columns) != 1 or group.columns[0].target.type not in _KINDS:
        return []
    spans = {span.text: span for span in scene.spans.of(group.columns[0].target.type)}
    rows = [{0: Cell(span.text, [spot(span.tokens, span.piece)])} for span in list(spans.values())[:_MAX_PER_KIND]]
    return [Listing(rows, _BY_KIND, "all of its kind", "kind")] if rows else []


def _sound(group: Group, found: Sequence[Listing], spans: Spans) -> Sequence[Listing]:
    """Lower the score if cells do not have the type of their columns."""
    for listing in found:
        cells = [(at, cell) for row in listing.rows[:_LOOKED_AT] for at, cell in row.items()]
        good = sum(_value(group.columns[at].target, cell, spans) is not None for at, cell in cells)
        listing.score *= (good / len(cells)) ** 2
    return found


def _nested_values(
    targets: Sequence[Target], headings: Sequence[HeadingRow], grids: Sequence[Grid], scene: Scene
) -> dict[str, Found]:
    found: dict[str, Found] = {}
    for nest in nests_of(targets):
        for number, part in enumerate(nested_parts(nest, headings, grids, scene.view, scene.spans)):
            score = _confidence(part.listing)
            for at, cell in part.outer.items():
                target = nest.outer[at].target
                if (value := written_text(target, cell.text, scene.spans)) is not None:
                    found[_path(target, number)] = Found(value, score, cell.spots, part.listing.why)
            found |= _values(nest.inner, part.listing, scene.spans, number)
    return found


def _values(group: Group, listing: Listing, spans: Spans, *outer: int) -> dict[str, Found]:
    found: dict[str, Found] = {}
    score = _confidence(listing)
    counts = [0] * len(group.columns)
    number = 0
    for row in listing.rows:
        filled = False
        for at, column in enumerate(group.columns):
            cell = row.get(at)
            value = _value(column.target, cell, spans) if cell is not None else None
            if cell is None or value is None:
                continue
            index = counts[at] if group.scalars else number
            counts[at] += 1
            filled = True
            found[_path(column.target, *outer, index)] = Found(
                value, round(score * cell.worth, 4), cell.spots, listing.why
            )
        number += filled
    return found


def _confidence(listing: Listing) -> float:
    return round(min(0.95, 0.45 + listing.score / 2), 4)


def _path(target: Target, *indexes: int) -> str:
    path = path_text(target.field.path)
    for index in indexes:
        path = path.replace(ITEM, f"[{index}]", 1)
    return path


def _value(target: Target, cell: Cell, spans: Spans) -> Scalar:
    return written_cell(target, cell.text, spans)
