"""Opens a compound file and reads it according to its streams."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from docsieve.domain.pages.page import DocumentInfo
from docsieve.errors import CorruptDocument, UnsupportedType
from docsieve.parsers.flow.blocks import Block
from docsieve.parsers.flow.pages import reading_of
from docsieve.parsers.mail.msg import read_msg
from docsieve.parsers.office.decryption import decrypted
from docsieve.parsers.office.legacy.compound import Compound
from docsieve.parsers.office.legacy.locks import is_locked
from docsieve.parsers.office.legacy.property_sets import properties_of
from docsieve.parsers.office.legacy.slides.slides import legacy_slide_blocks
from docsieve.parsers.office.legacy.types import OLE_SIGNATURE
from docsieve.parsers.office.legacy.word.document import legacy_word_blocks
from docsieve.parsers.office.legacy.workbook import legacy_workbook_blocks
from docsieve.parsers.office.ooxml.document import read_ooxml
from docsieve.parsers.office.package import Package
from docsieve.parsers.port import Reading, ReadOptions

Blocks = Callable[[Compound], Iterator[Block]]

_KINDS: tuple[tuple[str, str, Blocks], ...] = (
    ("Workbook", "application/vnd.ms-excel", legacy_workbook_blocks),
    ("Book", "application/vnd.ms-excel", legacy_workbook_blocks),
    ("WordDocument", "application/msword", legacy_word_blocks),
    ("PowerPoint Document", "application/vnd.ms-powerpoint", legacy_slide_blocks),
)
_MESSAGE = "__properties_version1.0"
_PROPERTIES = {3: "subject", 5: "keywords", 6: "description", 8: "lastModifiedBy", 13: "modified", 18: "Application"}
_SUMMARY_BYTES = 1024**2


def is_compound(source: Path) -> bool:
    with source.open("rb") as file:
        return file.read(len(OLE_SIGNATURE)) == OLE_SIGNATURE


def read_ole(source: Path, options: ReadOptions) -> Reading:
    with source.open("rb") as file:
        compound = Compound(file)
        if _MESSAGE in compound:
            return read_msg(source, options)
        if "EncryptedPackage" in compound:
            return _read_encrypted_ooxml(compound, file, options)
        for stream, media_type, blocks in _KINDS:
            if stream not in compound:
                continue
            if not is_locked(compound):
                return _read(compound, media_type, blocks, options)
            with decrypted(file, options.password) as unlocked:
                return _read(Compound(unlocked), media_type, blocks, options)
    raise UnsupportedType("The document is a compound file, but not a text, spreadsheet, presentation or message.")


def _read(compound: Compound, media_type: str, blocks: Blocks, options: ReadOptions) -> Reading:
    return reading_of(blocks(compound), options, info=_info(compound), media_type=media_type)


def _read_encrypted_ooxml(compound: Compound, file: BinaryIO, options: ReadOptions) -> Reading:
    if "EncryptionInfo" not in compound:
        raise UnsupportedType("The document is protected by rights management, not by a password.")
    package = decrypted(file, options.password)

    @contextmanager
    def opened() -> Iterator[Package]:
        yield Package(package)

    return read_ooxml(opened, options)


def _info(compound: Compound) -> DocumentInfo:
    try:
        summary = properties_of(compound.read("\x05SummaryInformation", _SUMMARY_BYTES))
    except CorruptDocument:
        # The text may be intact even if the properties are damaged.
        summary = {}
    return DocumentInfo(
        title=summary.get(2),
        author=summary.get(4),
        created=summary.get(12),
        properties={name: summary[number] for number, name in _PROPERTIES.items() if number in summary},
    )
