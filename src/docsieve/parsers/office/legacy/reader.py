"""Reads a compound file, or a document of Excel or Word from before compound files."""

from pathlib import Path

from docsieve.parsers.office.legacy.document import is_compound, read_ole
from docsieve.parsers.office.legacy.early_document import read_early
from docsieve.parsers.port import Reading, ReadOptions


def read(source: Path, options: ReadOptions) -> Reading:
    return read_ole(source, options) if is_compound(source) else read_early(source, options)
