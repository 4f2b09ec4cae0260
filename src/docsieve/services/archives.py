"""Entries of archives that become documents: a slice is stored first, then recorded in one transaction."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from uuid import UUID

from docsieve.archives.names import MAX_PATH_LENGTH
from docsieve.archives.port import MAX_ENTRIES, Skipped
from docsieve.archives.unpack import MAX_PACKED_BYTES, PACK, Budget, EntryVerdict, Slice
from docsieve.blobs.port import FilePart, StoredBlob
from docsieve.db.connection.session import Session
from docsieve.db.documents import archives, intake
from docsieve.db.documents.archives import ArchiveState, EntryRow, KnownChild
from docsieve.db.documents.intake import NewDocument
from docsieve.db.documents.rows import Source
from docsieve.domain.documents import MAX_DEPTH, original_key
from docsieve.domain.ids import new_ids
from docsieve.domain.text import clean
from docsieve.errors import DocumentError, ParserCrashed, PasswordRequired, PasswordWrong
from docsieve.resources import Resources
from docsieve.services.documents import first_job, read_again
from docsieve.settings import Settings

_SLICES_PER_TIMEOUT = 10


def budget(settings: Settings, source: Source, state: ArchiveState) -> Budget:
    """What the archive may still become; archives inside an uploaded one share its limits."""
    return Budget(
        bytes=max(0, settings.max_archive_bytes - state.family_bytes),
        entries=max(0, MAX_ENTRIES - state.family_documents),
        entry_bytes=settings.max_upload_bytes,
        packed_bytes=source.size,
        unpacked_bytes=state.unpacked_bytes,
        nested=source.depth + 1 < MAX_DEPTH,
        slice_seconds=settings.parser_seconds / _SLICES_PER_TIMEOUT,
        entry_seconds=settings.parser_seconds,
    )


@dataclass(frozen=True, slots=True)
class StoredSlice:
    """A slice whose files are in the blob store. Until it is recorded they are orphans, which the sweep removes."""

    archive: Source
    slice: Slice
    documents: dict[int, NewDocument]

    @classmethod
    async def store(
        cls, resources: Resources, tenant_id: UUID, archive: Source, slice_: Slice, folder: Path
    ) -> "StoredSlice":
        unpacked = [entry for entry in slice_.entries if entry.verdict == "unpacked"]
        ids = new_ids(len(unpacked))
        keys = [original_key(tenant_id, document_id) for document_id in ids]
        pack = str(folder / PACK)
        parts = [
            FilePart(pack, entry.place, entry.size or 0)
            if entry.place is not None
            else FilePart(f"{folder}/{entry.number}")
            for entry in unpacked
        ]
        stored = await resources.blobs.take_files(dict(zip(keys, parts, strict=True)))
        documents = {
            entry.number: _document(entry, document_id, stored[key])
            for entry, document_id, key in zip(unpacked, ids, keys, strict=True)
        }
        return cls(archive, slice_, documents)

    async def record(self, session: Session, *, priority: int, max_attempts: int, again: bool) -> list[UUID]:
        """Add documents, jobs and entries. Returns the documents that were not needed because they exist already.

        A document is known by its archive, its path and its hash, so nothing is added twice.
        """
        sorted_out = await self._sort_out(session)
        jobs = [
            first_job(
                each.id,
                each.media_type,
                max_attempts=max_attempts,
                job_id=job_id,
                project_id=self.archive.project_id,
                priority=priority,
            )
            for each, job_id in zip(sorted_out.new, new_ids(len(sorted_out.new)), strict=True)
        ]
        await intake.add_children(session, self.archive.id, sorted_out.new, jobs, with_password=True)
        if again:
            await self._read_again(session, sorted_out.adopted, max_attempts=max_attempts, priority=priority)
        await archives.record_entries(
            session,
            self.archive.id,
            sorted_out.rows,
            unpacked_bytes=self.slice.bytes,
            incomplete=self.slice.incomplete,
        )
        return sorted_out.surplus

    async def _sort_out(self, session: Session) -> "_SortedOut":
        hashes = {each.sha256 for each in self.documents.values() if each.sha256 is not None}
        found = await archives.known_children(session, self.archive.id, hashes)
        known: dict[tuple[str, str | None], KnownChild] = {(child.path, child.sha256): child for child in found}
        listed = {key for key, child in known.items() if child.listed}
        result = _SortedOut()
        for entry in self.slice.entries:
            document = self.documents.get(entry.number)
            if document is None:
                result.rows.append(_row(entry, entry.verdict))
                continue
            key = (document.parent_path or "", document.sha256)
            earlier = known.get(key)
            if key in listed:
                result.surplus.append(document.id)
                result.rows.append(_row(entry, "skipped", Skipped.duplicate))
            elif earlier is not None:
                result.surplus.append(document.id)
                result.adopted[earlier.id] = document.media_type
                result.rows.append(_row(entry, "created", document_id=earlier.id))
            else:
                result.new.append(document)
                result.rows.append(_row(entry, "created", document_id=document.id))
            listed.add(key)
        return result

    async def _read_again(
        self, session: Session, media_types: Mapping[UUID, str | None], *, max_attempts: int, priority: int
    ) -> None:
        """Documents from an earlier unpacking, with the options that the archive has now."""
        await read_again(
            session,
            media_types,
            schema_ref=self.archive.schema_ref,
            engine=self.archive.engine,
            sealed_password=self.archive.sealed_password,
            max_attempts=max_attempts,
            priority=priority,
        )


@dataclass(frozen=True, slots=True)
class _SortedOut:
    """`adopted` were made of the same entries before. The files of `surplus` documents are not needed."""

    rows: list[EntryRow] = field(default_factory=list)
    new: list[NewDocument] = field(default_factory=list)
    adopted: dict[UUID, str | None] = field(default_factory=dict)
    surplus: list[UUID] = field(default_factory=list)


def check(slice_: Slice, *, start: int) -> None:
    """Raises ParserCrashed for what no unpacking returns: an archive may have taken the child over."""
    numbers = [entry.number for entry in slice_.entries]
    if numbers != list(range(start, start + len(numbers))) or slice_.bytes < 0 or not (numbers or slice_.ended):
        raise ParserCrashed("The sandboxed process returned a slice of the wrong shape.")
    for entry in slice_.entries:
        if entry.place is not None and not (entry.place >= 0 and 0 < (entry.size or 0) <= 2 * MAX_PACKED_BYTES):
            raise ParserCrashed("The sandboxed process returned an entry of the wrong shape.")


def _document(entry: EntryVerdict, document_id: UUID, stored: StoredBlob) -> NewDocument:
    path = _path(entry)
    name = path.rpartition("/")[2]
    return NewDocument(document_id, name, entry.media_type or "", stored.size, stored.sha256, parent_path=path)


def _row(entry: EntryVerdict, verdict: str, code: str | None = None, *, document_id: UUID | None = None) -> EntryRow:
    return EntryRow(entry.number, _path(entry), verdict, code or entry.code, entry.size, document_id)


def _path(entry: EntryVerdict) -> str:
    return clean(entry.path)[:MAX_PATH_LENGTH]


async def locked(session: Session, archive_id: UUID) -> DocumentError | None:
    """The error of an archive of which nothing could be unpacked without a password, or with the wrong one."""
    code = await archives.locked_by(session, archive_id)
    if code is None:
        return None
    return PasswordRequired() if code == PasswordRequired.code else PasswordWrong()
