"""The job that unpacks an archive, slice by slice, so that neither memory nor disk has to hold all of it.

A slice is unpacked in the sandbox, stored, and committed with its documents and their jobs. A later attempt goes on
after the last slice that was committed.
"""

import asyncio
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from uuid import UUID

from docsieve import faults, folders
from docsieve.archives.registry import Opening
from docsieve.archives.unpack import Slice
from docsieve.db.connection.session import Session
from docsieve.db.documents import archives as rows
from docsieve.db.documents import rows as documents
from docsieve.db.documents.archives import ArchiveState
from docsieve.db.documents.rows import Source
from docsieve.db.queue import jobs as queue_sql
from docsieve.disk import needing_room
from docsieve.domain.documents import original_key
from docsieve.domain.pages.page import Progress
from docsieve.errors import AttemptError, NotFound
from docsieve.pipelines.workdir import WorkDir, WorkDirs
from docsieve.queue.kinds import Attempt
from docsieve.resources import Resources
from docsieve.sandbox.paths import InputPath, OutputPath
from docsieve.sandbox.pool import Sandbox
from docsieve.services import archives
from docsieve.services.archives import StoredSlice
from docsieve.services.documents import UnpackArchive
from docsieve.services.stored_files import download_original
from docsieve.tasks.unpack import UnpackSlice


class UnpackArchiveHandler:
    def __init__(self, resources: Resources, sandbox: Sandbox, workdirs: WorkDirs) -> None:
        self._resources = resources
        self._sandbox = sandbox
        self._workdirs = workdirs

    async def __call__(self, args: UnpackArchive, attempt: Attempt) -> None:
        """Raises PasswordRequired or PasswordWrong after the last slice if nothing could be opened without it."""
        unpacking = _Unpacking(self._resources, self._sandbox, attempt, args)
        await self._resources.persist(unpacking.begin)
        faults.step("unpack.begun")
        with needing_room(self._resources.settings), self._workdirs.new() as work:
            await unpacking.run(work)
        await self._resources.persist(unpacking.raise_if_locked)


@dataclass(frozen=True, slots=True)
class _Found:
    source: Source
    state: ArchiveState

    def after(self, unpacked: Slice) -> "_Found":
        state = self.state.after(entries=len(unpacked.entries), unpacked_bytes=unpacked.bytes, documents=unpacked.files)
        return replace(self, state=state)


class _Unpacking:
    """One attempt at one archive."""

    def __init__(self, resources: Resources, sandbox: Sandbox, attempt: Attempt, args: UnpackArchive) -> None:
        self._resources = resources
        self._sandbox = sandbox
        self._attempt = attempt
        self._args = args

    async def begin(self) -> None:
        async with self._session() as session:
            await rows.begin(session, self._args.document_id)

    async def run(self, work: WorkDir) -> None:
        """While one slice is committed, the next is stored and the one after that unpacked."""
        found = await self._resources.persist(self._look_up)
        self._attempt.report(Progress("fetching"))
        await download_original(self._resources.blobs, self._attempt.job.tenant_id, found.source, work.original)
        unpacking = asyncio.ensure_future(self._unpack(found, work))
        committing: asyncio.Future[None] = asyncio.ensure_future(asyncio.sleep(0))
        try:
            while True:
                unpacked = await unpacking
                faults.step("unpack.slice_unpacked")
                archives.check(unpacked, start=found.state.entries)
                after = found.after(unpacked)
                if not unpacked.ended:
                    unpacking = asyncio.ensure_future(self._unpack(after, work))
                stored = await self._store(found, unpacked, work)
                await committing
                committing = asyncio.ensure_future(self._commit(stored, found.state))
                if unpacked.ended:
                    break
                found = after
            await committing
        except Exception:
            await committing  # the slices before the one that failed are complete
            raise
        finally:
            unpacking.cancel()
            committing.cancel()
            await asyncio.gather(unpacking, committing, return_exceptions=True)

    async def raise_if_locked(self) -> None:
        async with self._session() as session:
            error = await archives.locked(session, self._args.document_id)
        if error is not None:
            raise error

    async def _look_up(self) -> _Found:
        async with self._session() as session:
            source = await documents.source(session, self._args.document_id)
            if source is None:
                raise NotFound("The archive was deleted.")
            return _Found(source, await rows.state(session, source.id, self._attempt.job.id))

    async def _unpack(self, found: _Found, work: WorkDir) -> Slice:
        source = found.source
        sealed = source.sealed_password
        password = self._resources.sealer.unseal(sealed) if sealed is not None else None
        task = UnpackSlice(
            source=InputPath(work.original),
            folder=OutputPath(work.entries_from(found.state.entries)),
            opening=Opening(source.media_type, source.filename, password),
            start=found.state.entries,
            budget=archives.budget(self._resources.settings, source, found.state),
        )
        return await self._sandbox.run(task, on_progress=self._attempt.report)

    async def _store(self, found: _Found, unpacked: Slice, work: WorkDir) -> StoredSlice:
        folder = work.entries_from(found.state.entries)
        stored = await StoredSlice.store(self._resources, self._attempt.job.tenant_id, found.source, unpacked, folder)
        faults.step("unpack.slice_stored")
        await asyncio.to_thread(folders.remove, folder)
        return stored

    async def _commit(self, stored: StoredSlice, state: ArchiveState) -> None:
        surplus = await self._resources.persist(lambda: self._record(stored, state))
        faults.step("unpack.slice_committed")
        for document_id in surplus:
            await self._resources.blobs.delete(original_key(self._attempt.job.tenant_id, document_id))

    async def _record(self, stored: StoredSlice, state: ArchiveState) -> list[UUID]:
        async with self._session() as session:
            if not await queue_sql.hold(session.connection, self._attempt.job):
                raise AttemptError("The lease was lost, so nothing more is written.")
            at = await rows.state(session, stored.archive.id, self._attempt.job.id)
            if at.entries != state.entries:
                return []  # committed by a try whose answer was lost
            surplus = await stored.record(
                session,
                priority=state.priority,
                max_attempts=self._resources.settings.max_attempts,
                again=self._args.again,
            )
            faults.step("unpack.slice_written")
            return surplus

    def _session(self) -> AbstractAsyncContextManager[Session]:
        return self._resources.database.tenant(self._attempt.scope)
