"""Deletes data past its time, in slices, or counts it.

Each slice is a transaction of one tenant. Whatever is done stays done: after a crash, the next run finds the rest.
"""

from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from functools import partial
from itertools import groupby
from uuid import UUID

from docsieve import faults
from docsieve.db.connection.session import Session
from docsieve.db.documents import rows as documents
from docsieve.db.extractions import deletion as extractions
from docsieve.db.retention import expired, holds
from docsieve.db.retention.expired import Expired, Rule
from docsieve.domain.audit import Actor
from docsieve.domain.scope import Scope
from docsieve.errors.retention import LegalHold
from docsieve.logs import get_logger
from docsieve.resources import Resources
from docsieve.services import documents as document_service
from docsieve.services.retention import originals, results

log = get_logger()

DELETE_AFTER = "delete_after"
_SLICE = 100

NextSlice = Callable[[Expired | None, int], Awaitable[list[Expired]]]


class Expiry:
    """One run. `counts` has documents, originals and results that were deleted, or would be, and those held.

    A dry run changes nothing. `limit` is the maximum number of things to delete.
    """

    def __init__(self, resources: Resources, *, dry_run: bool = False, limit: int | None = None) -> None:
        self._resources = resources
        self._dry_run = dry_run
        self._limit = limit
        self.counts: Counter[str] = Counter(documents=0, originals=0, results=0, held=0)

    async def run(self) -> Counter[str]:
        database = self._resources.database
        async with database.system() as connection:
            rules = await expired.rules(connection)

        async def requested(after: Expired | None, limit: int) -> list[Expired]:
            async with database.system() as connection:
                return await expired.by_request(connection, after=after, limit=limit)

        async def of_rule(rule: Rule, after: Expired | None, limit: int) -> list[Expired]:
            async with database.system() as connection:
                return await expired.by_rule(connection, rule, after=after, limit=limit)

        await self._delete_all("documents", DELETE_AFTER, requested)
        for rule in rules:
            await self._delete_all(rule.kind, rule.name, partial(of_rule, rule))
        return self.counts

    async def _delete_all(self, kind: expired.Kind, rule: str, next_slice: NextSlice) -> None:
        async for tenant_id, ids in self._slices(next_slice):
            scope = Scope(tenant_id, actor=Actor.rule(rule))
            try:
                await self._slice(kind, scope, ids)
            except LegalHold as error:
                # placed a moment ago; the next run leaves it out
                log.info("retention_slice_held", rule=rule, detail=error.detail)
            faults.step("retention.slice_deleted")

    async def _slices(self, next_slice: NextSlice) -> AsyncIterator[tuple[UUID, list[UUID]]]:
        after: Expired | None = None
        while (limit := self._left()) > 0:
            found = await next_slice(after, min(limit, _SLICE))
            for tenant_id, theirs in groupby(found, key=lambda each: each.tenant_id):
                yield tenant_id, [each.id for each in theirs]
            if not found:
                return
            after = found[-1]

    def _left(self) -> int:
        done = self.counts.total() - self.counts["held"]
        return _SLICE if self._limit is None else self._limit - done

    async def _slice(self, kind: expired.Kind, scope: Scope, ids: Sequence[UUID]) -> None:
        database = self._resources.database
        async with database.tenant(scope) as session:
            free = await self._without_held(session, kind, ids)
            self.counts["held"] += len(ids) - len(free)
            if self._dry_run:
                self.counts[kind] += len(free)
                return
            if kind == "documents":
                deleted = await document_service.delete(session, free)
            elif kind == "originals":
                marked = await originals.mark_deleted(session, free)
            else:
                await results.delete(session, free)
        if kind == "documents":
            await document_service.delete_blobs(self._resources, scope.tenant_id, deleted)
        elif kind == "originals":
            await originals.delete_files(self._resources, scope, marked)
        self.counts[kind] += len(free)

    async def _without_held(self, session: Session, kind: expired.Kind, ids: Sequence[UUID]) -> list[UUID]:
        """A document is kept, too, if one that was found in it is held."""
        if kind == "results":
            held = await extractions.held(session, ids)
            return [each for each in ids if each not in held]
        if kind == "originals":
            held = await holds.held_documents(session, ids)
            return [each for each in ids if each not in held]
        families = await documents.family_members(session, ids)
        held = await holds.held_documents(session, [member for _, member in families])
        kept = {root for root, member in families if member in held}
        return [each for each in ids if each not in kept]
