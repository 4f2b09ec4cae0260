"""Charts and diagrams: a chart has copies of its numbers, a diagram its labels."""

from collections.abc import Iterator

from docsieve.parsers.flow.blocks import Block, Grid, GridCell, Paragraph
from docsieve.parsers.office.markup import Element, child, children, name_of, number, part, text_within, within
from docsieve.parsers.office.package import Package
from docsieve.parsers.office.sheets.cell_values import plain_number

_MAX_POINTS = 10_000
_MAX_SERIES = 100


def figure_blocks(package: Package, name: str) -> Iterator[Block]:
    root = part(package, name)
    if root is None:
        return
    if name_of(root) == "chartSpace":
        yield from _chart(root)
    else:
        for point in within(root, "pt"):
            if text := "\n".join(text_within(paragraph, "t") for paragraph in within(point, "p")).strip():
                yield Paragraph(text)


def _chart(root: Element) -> Iterator[Block]:
    for title in within(root, "title"):
        if text := text_within(title, "t").strip():
            yield Paragraph(text)
    columns: list[tuple[str, dict[int, str]]] = []
    for series in list(within(root, "ser"))[:_MAX_SERIES]:
        if not columns and (categories := _first(series, "cat", "xVal")):
            columns.append(("", categories))
        values = _first(series, "val", "yVal")
        columns.append((" ".join(_first(series, "tx").values()), values))
    if rows := _rows(columns):
        yield Grid(rows)


def _first(series: Element, *names: str) -> dict[int, str]:
    holder = next(children(series, *names), None)
    if holder is None:
        return {}
    points: dict[int, str] = {}
    for point in within(holder, "pt"):
        value = child(point, "v")
        if value is not None and value.text and len(points) < _MAX_POINTS:
            points[number(point, "idx")] = plain_number(value.text)
    if not points and (literal := child(holder, "v")) is not None and literal.text:
        return {0: literal.text}
    return points


def _rows(columns: list[tuple[str, dict[int, str]]]) -> list[list[GridCell]]:
    places = sorted({place for _, points in columns for place in points})
    if not places:
        return []
    header = [GridCell(name, header=True) for name, _ in columns]
    return [header, *([GridCell(points.get(place, "")) for _, points in columns] for place in places)]
