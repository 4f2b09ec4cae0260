"""Reads an OOXML package, encrypted or not."""

from pathlib import Path

from docsieve.parsers.office.legacy.document import is_compound, read_ole
from docsieve.parsers.office.ooxml.document import read_ooxml
from docsieve.parsers.office.package import open_package
from docsieve.parsers.port import Reading, ReadOptions


def read(source: Path, options: ReadOptions) -> Reading:
    # An encrypted package is a compound file. Once it was decrypted, its stored type is one of OOXML's.
    if is_compound(source):
        return read_ole(source, options)
    return read_ooxml(lambda: open_package(source), options)
