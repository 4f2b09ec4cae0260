"""Archives among the documents of an extraction: once unpacked, their entries take their place."""

import re
from collections.abc import Iterator, Mapping, Sequence
from uuid import UUID

from docsieve.db.connection.session import Session
from docsieve.db.extractions import documents as extraction_documents
from docsieve.db.extractions.documents import ArchiveEntry, DocumentPart
from docsieve.errors.extractions import TooManyDocuments

MAX_DOCUMENTS = 1_000

_DIGITS = re.compile(r"([0-9]+)")


async def parts_without_archives(session: Session, extraction_id: UUID) -> list[DocumentPart]:
    """The documents of an extraction, in their order, with the entries of each unpacked archive in its place.

    Entries are in the natural order of their paths: `page 2` comes before `page 10`. An archive without entries stays.
    The change is recorded, so that the extraction shows what it is made of. Raises TooManyDocuments.
    """
    parts = await extraction_documents.parts(session, extraction_id)
    archives = [part.id for part in parts if part.status == "unpacked"]
    if not archives:
        return parts
    inside = _by_archive(archives, await extraction_documents.archive_entries(session, extraction_id))
    given = [part.id for part in parts]
    documents = list(dict.fromkeys(each for document in given for each in _unpacked(document, inside)))
    if len(documents) > MAX_DOCUMENTS:
        raise TooManyDocuments(
            f"With the entries of its archives, the extraction has {len(documents):,} documents. "
            f"At most {MAX_DOCUMENTS:,} are allowed."
        )
    if documents == given:
        return parts
    await extraction_documents.replace_documents(session, extraction_id, documents)
    return await extraction_documents.parts(session, extraction_id)


def _by_archive(archives: Sequence[UUID], entries: Sequence[ArchiveEntry]) -> Mapping[UUID, list[ArchiveEntry]]:
    inside: dict[UUID, list[ArchiveEntry]] = {each: [] for each in archives}
    inside.update({each.id: [] for each in entries if each.unpacked})
    for entry in sorted(entries, key=lambda each: _natural(each.path)):
        inside[entry.archive_id].append(entry)
    return inside


def _unpacked(document: UUID, inside: Mapping[UUID, list[ArchiveEntry]]) -> Iterator[UUID]:
    if not inside.get(document):
        yield document
        return
    for entry in inside[document]:
        yield from _unpacked(entry.id, inside)


def _natural(path: str) -> list[tuple[int, int, str]]:
    """Numbers in a path compare as numbers."""
    return [(0, int(part), "") if part.isdecimal() else (1, 0, part.casefold()) for part in _DIGITS.split(path) if part]
