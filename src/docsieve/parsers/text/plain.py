"""Plain text in any encoding, laid out line by line; blank lines part its paragraphs, a form feed begins a page."""

from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from docsieve.parsers.flow.blocks import Block, NewPage, Paragraph
from docsieve.parsers.flow.pages import reading_of
from docsieve.parsers.port import Reading, ReadOptions
from docsieve.parsers.text.encodings import open_text

_LONGEST_LINE = 1024**2
_LONGEST_PARAGRAPH = 2000


def read(source: Path, options: ReadOptions) -> Reading:
    with open_text(source) as file:
        return reading_of(text_blocks(file), options)


def text_blocks(file: TextIO) -> Iterator[Block]:
    yield NewPage()
    lines: list[str] = []
    # The bound keeps memory flat on a file without line ends; a longer line is cut there.
    while line := file.readline(_LONGEST_LINE):
        if line == "\n" and not lines:
            continue
        for part, text in enumerate(line.rstrip("\n").split("\f")):
            if part or not text.strip() or len(lines) >= _LONGEST_PARAGRAPH:
                yield Paragraph("\n".join(lines))
                lines = []
            if part:
                yield NewPage()
            if text.strip():
                lines.append(text)
    yield Paragraph("\n".join(lines))
