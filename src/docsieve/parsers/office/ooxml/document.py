"""Opens an OOXML package and reads it according to its main part."""

from collections.abc import Iterator

from docsieve.parsers.flow.blocks import Block
from docsieve.parsers.flow.pages import reading_of
from docsieve.parsers.office.ooxml.opc import main_part_of
from docsieve.parsers.office.ooxml.properties import Opener, attachments_of, info_of
from docsieve.parsers.office.ooxml.slides.presentation import slide_blocks
from docsieve.parsers.office.ooxml.types import FAMILIES
from docsieve.parsers.office.ooxml.word.document import word_blocks
from docsieve.parsers.office.package import Package
from docsieve.parsers.office.sheets.workbook import workbook_blocks
from docsieve.parsers.office.sheets.xlsb_workbook import binary_workbook_blocks
from docsieve.parsers.port import Reading, ReadOptions


def read_ooxml(opened: Opener, options: ReadOptions) -> Reading:
    """`opened` opens the package again each time: once for the pages, and once more for attachments."""
    with opened() as package:
        name, media_type = main_part_of(package)
        return reading_of(
            _blocks(package, name, media_type),
            options,
            info=info_of(package),
            attachments=attachments_of(opened),
            media_type=media_type,
        )


def _blocks(package: Package, name: str, media_type: str) -> Iterator[Block]:
    match FAMILIES[media_type]:
        case "word":
            return word_blocks(package, name)
        case "sheet":
            return workbook_blocks(package, name)
        case "slides":
            return slide_blocks(package, name)
        case "binary_sheet":
            return binary_workbook_blocks(package, name)
