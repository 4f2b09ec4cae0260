"""Opens a document of Excel or Word from before compound files."""

from pathlib import Path

from docsieve.errors import CorruptDocument
from docsieve.parsers.flow.pages import reading_of
from docsieve.parsers.office.legacy.early_workbook import early_workbook_blocks
from docsieve.parsers.office.legacy.types import early_type
from docsieve.parsers.office.legacy.word.document import word_file_blocks
from docsieve.parsers.office.legacy.word.file import LegacyWordFile
from docsieve.parsers.port import Reading, ReadOptions


def read_early(source: Path, options: ReadOptions) -> Reading:
    content = source.read_bytes()
    media_type = early_type(content)
    if media_type is None:
        raise CorruptDocument("The document's container is damaged and cannot be opened.")
    if media_type == "application/msword":
        blocks = word_file_blocks(LegacyWordFile(content, content))
    else:
        blocks = early_workbook_blocks(content)
    return reading_of(blocks, options, media_type=media_type)
