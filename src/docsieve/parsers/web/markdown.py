"""Markdown, rendered as the web page that it stands for."""

import re
from collections.abc import Iterator
from pathlib import Path

from docsieve.domain.pages import DocumentInfo
from docsieve.domain.text import clean
from docsieve.parsers.flow.blocks import Block, Paragraph
from docsieve.parsers.flow.pages import reading_of
from docsieve.parsers.port import Reading, ReadOptions
from docsieve.parsers.text.encodings import head_text, open_text
from docsieve.parsers.text.parser import text_blocks
from docsieve.parsers.web.markdown_signs import looks_like_markdown

_FRONT_MATTER = re.compile(r"---[ \t]*\n(.{0,20000}?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_ENTRY = re.compile(r"([A-Za-z][\w -]{0,60}):[ \t]+(\S.*)")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_HEADING = re.compile(r"#{1,6}[ \t]+(.+?)[ \t]*#*[ \t]*\Z")
_LONGEST_LINE = 1024**2
_MOST_RENDERED = 4 * 1024**2
_SECTION = 64 * 1024
_LONGEST_SECTION = 4 * _SECTION


class MarkdownParser:
    name = "markdown"
    version = "1"
    uses_ocr = False
    media_types = frozenset({"text/markdown"})

    def sniff(self, head: bytes) -> str | None:
        text = head_text(head)
        return "text/markdown" if text is not None and looks_like_markdown(text) else None

    def read(self, source: Path, options: ReadOptions) -> Reading:
        """One of many megabytes is read as the text that it is, because rendering it would take minutes."""
        info = _info(source)
        if source.stat().st_size <= _MOST_RENDERED:
            return reading_of(_blocks(source), options, info=info)
        with open_text(source) as file:
            return reading_of(text_blocks(file), options, info=info)


def _blocks(source: Path) -> Iterator[Block]:
    from markdown_it import MarkdownIt

    from docsieve.parsers.web.html_blocks import html_blocks

    renderer = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    for place, section in enumerate(_sections(source)):
        front = _FRONT_MATTER.match(section) if place == 0 else None
        if front:
            yield Paragraph(front.group(1))
        yield from html_blocks(
            f"<html><body>{renderer.render(section[front.end() :] if front else section)}</body></html>"
        )


def _sections(source: Path) -> Iterator[str]:
    """Long texts are cut before a heading or a blank line, because rendering takes more memory than the text."""
    lines: list[str] = []
    size, fence = 0, ""
    with open_text(source) as file:
        while line := file.readline(_LONGEST_LINE):
            mark = _FENCE.match(line)
            if mark:
                fence = mark.group(1)[0] if not fence else "" if mark.group(1)[0] == fence else fence
            may_cut = not fence and (line.startswith("#") or line.isspace())
            if (size > _SECTION and may_cut) or size > _LONGEST_SECTION:
                yield "".join(lines)
                lines, size = [], 0
            lines.append(line)
            size += len(line)
    yield "".join(lines)


def _info(source: Path) -> DocumentInfo:
    """From the front matter, or else the title from the first heading."""
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
