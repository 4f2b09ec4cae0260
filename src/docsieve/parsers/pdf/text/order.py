"""Cuts the lines of a page where PDFium joined what is side by side, and puts them into reading order."""

from docsieve.domain.pages.page import Box, Table
from docsieve.parsers.layout.cuts import find_cuts, parts_of
from docsieve.parsers.layout.page import lay_out
from docsieve.parsers.pdf.text.words import TextLayer
from docsieve.parsers.pdf.view import DisplayedPage


def put_in_order(layer: TextLayer, shown: DisplayedPage, rules: list[Box]) -> tuple[TextLayer, list[Table]]:
    """Return the layer with its lines cut and ordered, and the tables of the page."""
    layer = _cut(layer, rules)
    found = lay_out(layer.lines, shown.height, rules=rules)
    lines, firsts = [layer.lines[at] for at in found.order], [layer.firsts[at] for at in found.order]
    return TextLayer(lines, layer.word_starts, firsts), found.tables


def _cut(layer: TextLayer, rules: list[Box]) -> TextLayer:
    cuts = find_cuts(layer.lines, rules, gapped=layer.gapped)
    if not cuts:
        return layer
    parts = TextLayer(word_starts=layer.word_starts)
    for at, (line, first) in enumerate(zip(layer.lines, layer.firsts, strict=True)):
        places = cuts.get(at)
        if places is None:
            parts.lines.append(line)
            parts.firsts.append(first)
        else:
            parts.lines += parts_of(line, places)
            parts.firsts += [first, *[first + place for place in places]]
    return parts
