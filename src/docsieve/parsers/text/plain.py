"""Reads plain text in any encoding. Blank lines separate paragraphs, and a form feed begins a page."""

from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from docsieve.parsers.flow.blocks import Block, NewPage, Paragraph
from docsieve.parsers.flow.pages import reading_of
from docsieve.parsers.port import Reading, ReadOptions
from docsieve.parsers.text.encodings import open_text

_MAX_LINE_LENGTH = 1024**2
_MAX_PARAGRAPH_LINES = 2000


def read(source: Path, options: ReadOptions) -> Reading:
    with open_text(source) as file:
        return reading_of(text_blocks(file), options)


def text_blocks(file: TextIO) -> Iterator[Block]:
    yield NewPage()
    lines: list[str] = []
    # The limit keeps memory flat for a file without line ends; longer lines are split.
    while line := file.readline(_MAX_LINE_LENGTH):
        if line == "\n" and not lines:
            continue
        for part, text in enumerate(line.rstrip("\n").split("\f")):
            if part or not text.strip() or len(lines) >= _MAX_PARAGRAPH_LINES:
                yield Paragraph("\n".join(lines))
                lines = []
            if part:
                yield NewPage()
            if text.strip():
                lines.append(text)
    yield Paragraph("\n".join(lines))
