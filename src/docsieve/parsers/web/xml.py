"""Reads XML of any vocabulary. External entities are not read, and nothing is fetched."""

from pathlib import Path

from docsieve.parsers.flow.pages import reading_of
from docsieve.parsers.port import Reading, ReadOptions
from docsieve.parsers.web.xml_blocks import xml_blocks


def read(source: Path, options: ReadOptions) -> Reading:
    return reading_of(xml_blocks(source), options)
