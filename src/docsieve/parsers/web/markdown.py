"""Reads Markdown, rendered to a web page."""

import re
from collections.abc import Iterator
from pathlib import Path

from markdown_it import MarkdownIt

from docsieve.domain.pages.page import DocumentInfo
from docsieve.domain.text import clean
from docsieve.parsers.flow.blocks import Block, Paragraph
from docsieve.parsers.flow.pages import reading_of
from docsieve.parsers.port import Reading, ReadOptions
from docsieve.parsers.text.encodings import open_text
from docsieve.parsers.text.plain import text_blocks
from docsieve.parsers.web.html_blocks import html_blocks

_FRONT_MATTER = re.compile(r"---[ \t]*\n(.{0,20000}?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_ENTRY = re.compile(r"([A-Za-z][\w -]{0,60}):[ \t]+(\S.*)")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_HEADING = re.compile(r"#{1,6}[ \t]+(.+?)[ \t]*#*[ \t]*\Z")
_MAX_LINE = 1024**2
_MAX_RENDERED_BYTES = 4 * 1024**2
_SECTION = 64 * 1024
_MAX_SECTION = 4 * _SECTION


def read(source: Path, options: ReadOptions) -> Reading:
    """A document of many megabytes is read as plain text, because rendering it would take minutes."""
    info = _info(source)
    if source.stat().st_size <= _MAX_RENDERED_BYTES:
        return reading_of(_blocks(source), options, info=info)
    with open_text(source) as file:
        return reading_of(text_blocks(file), options, info=info)


def _blocks(source: Path) -> Iterator[Block]:
    renderer = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    for place, section in enumerate(_sections(source)):
        front = _FRONT_MATTER.match(section) if place == 0 else None
        if front:
            yield Paragraph(front.group(1))
        yield from html_blocks(
            f"<html><body>{renderer.render(section[front.end() :] if front else section)}</body></html>"
        )


def _sections(source: Path) -> Iterator[str]:
    """Cut long texts before a heading or a blank line, because rendering takes more memory than the text."""
    lines: list[str] = []
    size, fence = 0, ""
    with open_text(source) as file:
        while line := file.readline(_MAX_LINE):
            mark = _FENCE.match(line)
            if mark:
                fence = mark.group(1)[0] if not fence else "" if mark.group(1)[0] == fence else fence
            may_cut = not fence and (line.startswith("#") or line.isspace())
            if (size > _SECTION and may_cut) or size > _MAX_SECTION:
                yield "".join(lines)
                lines, size = [], 0
            lines.append(line)
            size += len(line)
    yield "".join(lines)


def _info(source: Path) -> DocumentInfo:
    """Read the front matter; without a title there, the first heading is the title."""
    info = DocumentInfo()
    with open_text(source) as file:
        head = file.read(_SECTION)
    front = _FRONT_MATTER.match(head)
    for name, value in _ENTRY.findall(front.group(1)) if front else ():
        value = clean(value.strip().strip("\"'"))[:1000]
        if name.lower() in ("title", "author"):
            setattr(info, name.lower(), value)
        elif name.lower() in ("date", "created"):
            info.created = value
        else:
            info.properties.setdefault(name, value)
    if info.title is None:
        titles = (match for line in head.splitlines() if (match := _HEADING.match(line)))
        title = next(titles, None)
        info.title = clean(title.group(1))[:1000] if title else None
    return info
