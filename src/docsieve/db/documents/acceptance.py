"""Records uploads, several in one transaction while they arrive faster than the database commits them."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID
from weakref import WeakValueDictionary

import asyncpg

from docsieve.batched import Batched
from docsieve.db.connection.driver import Record
from docsieve.db.connection.session import Database, refusal
from docsieve.db.documents.intake import KeyAlreadyUsed, NewUpload, written
from docsieve.db.documents.rows import Document
from docsieve.domain.scope import Scope
from docsieve.errors import DatabaseUnavailable, DocsieveError, Invalid
from docsieve.errors.batches import BatchCancelled, UnknownBatch

# error codes of accept_documents
_KEY_USED = "DS409"
_NO_SUCH_BATCH = "DS422"
_BATCH_CANCELLED = "DS423"
_OTHER_PROJECT = "DS424"

_ACCEPT = "select * from accept_documents($1, $2, $3, $4, $5, $6, $7, $8::jsonb)"


@dataclass(frozen=True, slots=True)
class Destination:
    """What uploads that share a transaction have in common: who sends them, and where they go.

    Without a project, they are added to that of the batch, or to the one that the scope is limited to.
    """

    tenant_id: UUID
    scope_project_id: UUID | None
    api_key: str
    project: str | None
    batch: UUID | None
    queue: str
    priority: int


_Accepted = Document | DocsieveError | KeyAlreadyUsed | None


class Acceptance:
    """Uploads that arrive while those before them are being committed share the next transaction.

    None waits for others to come, and each is answered after its own commit. If one is refused, nothing of that
    transaction was recorded, and each is tried alone. So is none of another tenant held up by it.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._gathering: WeakValueDictionary[Destination, Batched[NewUpload, _Accepted]] = WeakValueDictionary()

    async def accept(
        self, scope: Scope, upload: NewUpload, *, project: str | None, api_key: str, batch: UUID | None = None
    ) -> Document | None:
        """Add an uploaded document, its job and its Idempotency-Key, all or nothing; None if there is no such project.

        Raises KeyAlreadyUsed, Unauthorized if the API key is no longer valid, QuotaExceeded, and UnknownBatch,
        BatchCancelled or Invalid for a batch that it cannot be added to.
        """
        job = upload.job
        destination = Destination(
            scope.tenant_id, scope.project_id, api_key, project, batch, job.args.queue, job.priority
        )
        together = self._gathering.get(destination)
        if together is None:
            together = Batched(lambda uploads: self._accept_all(destination, uploads))
            self._gathering[destination] = together
        accepted = await together(upload)
        if isinstance(accepted, Exception):
            raise accepted
        return accepted

    async def _accept_all(self, destination: Destination, uploads: Sequence[NewUpload]) -> Sequence[_Accepted]:
        try:
            return await self._record(destination, uploads)
        except (KeyAlreadyUsed, DocsieveError) as error:
            if len(uploads) == 1 or isinstance(error, DatabaseUnavailable):
                raise
        return [await self._accept_alone(destination, each) for each in uploads]

    async def _accept_alone(self, destination: Destination, upload: NewUpload) -> _Accepted:
        try:
            (accepted,) = await self._record(destination, [upload])
        except (KeyAlreadyUsed, DocsieveError) as error:
            return error
        return accepted

    async def _record(self, to: Destination, uploads: Sequence[NewUpload]) -> Sequence[Document | None]:
        """In one transaction, which is that of the call."""
        arguments = (to.tenant_id, to.scope_project_id, to.api_key, to.project, to.batch, to.queue, to.priority)
        async with self._database.system() as connection:
            try:
                found = await connection.fetch(_ACCEPT, *arguments, written(uploads))
            except asyncpg.PostgresError as error:
                if (reason := refusal(error) or _refusal(error.sqlstate, to.batch)) is not None:
                    raise reason from error
                raise
        if not found:
            return [None] * len(uploads)
        self._database.waker.wake([to.queue])
        by_id: dict[UUID, Record] = {row["id"]: row for row in found}
        return [each.document.accepted(each.job, by_id[each.document.id]) for each in uploads]


def _refusal(sqlstate: str | None, batch: UUID | None) -> DocsieveError | KeyAlreadyUsed | None:
    """What an error code of `accept_documents` means."""
    reasons: dict[str | None, DocsieveError | KeyAlreadyUsed] = {
        _KEY_USED: KeyAlreadyUsed(),
        _NO_SUCH_BATCH: UnknownBatch(f"Batch {batch} not found."),
        _BATCH_CANCELLED: BatchCancelled(),
        _OTHER_PROJECT: Invalid("project: the batch belongs to a different project."),
    }
    return reasons.get(sqlstate)
