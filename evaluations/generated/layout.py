"""Puts the blocks of a template on pages, each in one of the ways that real documents print it."""

import re
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from benchmarks.packet_parts import texts
from benchmarks.packet_parts.paper import Paper, Sheet, Style

from evaluations.generated.facts import Fact

Facts = Mapping[str, Fact]
Block = Mapping[str, Any]

PAIR_STYLES = ("colon", "aligned", "boxed")


def laid_out(
    rng: Random, style: Style, title: str, blocks: Sequence[Block], facts: Facts, rows: Mapping[str, Sequence[Facts]]
) -> list[Sheet]:
    paper = Paper(style, None, short_title=title)
    pair_style = rng.choice(PAIR_STYLES)
    if title:
        paper.line(filled(title, facts), bold=True, size=style.size + 5)
        paper.space(8)
    for block in blocks:
        (sort, content), *_ = block.items()
        if sort == "pairs":
            _pairs(paper, [(label, facts[name].printed) for label, name in content if name in facts], pair_style)
        elif sort == "cells":
            _boxed(paper, [(label, facts[name].printed if name in facts else "") for label, name in content])
        elif sort == "lines":
            for text in content:
                paper.line(filled(text, facts))
            paper.space()
        elif sort == "heading":
            paper.space(4)
            paper.line(filled(content, facts), bold=True, size=style.size + 1)
        elif sort == "text":
            paper.prose(filled(content, facts))
        elif sort == "filler":
            for _ in range(int(content)):
                paper.prose(texts.paragraph(rng, style.language, 3))
        elif sort == "table":
            _table(paper, block["columns"], rows[content], ruled=rng.random() < 0.4)
        else:
            raise ValueError(f"Unknown block: {sort}.")
    return paper.finished()


def filled(text: str, facts: Facts) -> str:
    return re.sub(r"\{(\w+)\}", lambda found: facts[found[1]].printed, text)


def named_in(blocks: Sequence[Block]) -> tuple[set[str], set[str]]:
    """Names of facts in label and value pairs, and of those in running text."""
    paired, told = set(), set()
    for block in blocks:
        for sort, content in block.items():
            if sort in ("pairs", "cells"):
                paired |= {name for _, name in content}
                continue
            for text in content if sort == "lines" else [content] if sort in ("text", "heading") else []:
                told |= set(re.findall(r"\{(\w+)\}", text))
    return paired, told


def _pairs(paper: Paper, pairs: Sequence[tuple[str, str]], style: str) -> None:
    if style == "boxed":
        _boxed(paper, pairs)
        return
    for label, value in pairs:
        paper.room(paper.style.size * 1.4)
        if style == "colon":
            paper.line(f"{label}: {value}")
        else:
            paper.text(paper.style.margin, label)
            paper.text(paper.style.margin + 0.4 * (paper.width - 2 * paper.style.margin), value)
            paper.y += paper.style.size * 1.5
    paper.space()


def _boxed(paper: Paper, pairs: Sequence[tuple[str, str]]) -> None:
    """Two cells in a row, each with a small label above its value."""
    width, height = (paper.width - 2 * paper.style.margin) / 2, paper.style.size * 1.5 + 12
    for at in range(0, len(pairs), 2):
        paper.room(height)
        top = paper.y
        for place, (label, value) in enumerate(pairs[at : at + 2]):
            x = paper.style.margin + place * width
            paper.box(x, width, height)
            paper.text(x + 3, label, size=6.5, at=top + 2)
            paper.text(x + 3, value, at=top + 11)
        paper.y = top + height
    paper.space()


def _table(paper: Paper, columns: Sequence[tuple[str, str, float]], rows: Sequence[Facts], *, ruled: bool) -> None:
    places = [place for *_, place in columns]
    width = paper.width - 2 * paper.style.margin

    def line(cells: Sequence[str], *, bold: bool = False) -> None:
        if ruled:
            paper.rule(paper.style.margin, paper.style.margin + width, at=paper.y - 2)
        paper.row(places, cells, bold=bold)

    labels = [label for label, *_ in columns]
    paper.on_break = lambda: line(labels, bold=True)
    line(labels, bold=True)
    for row in rows:
        paper.room(paper.style.size * 1.6)
        line([row[name].printed if name in row else "" for _, name, _ in columns])
    paper.on_break = None
    paper.space()
