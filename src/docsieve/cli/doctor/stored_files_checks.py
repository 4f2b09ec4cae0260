"""`docsieve doctor --deep`: reads every stored file and queues documents with damaged pages to be re-read."""

from collections.abc import Sequence
from uuid import UUID

from docsieve.cli.doctor.findings import Finding, bad, doubtful, good
from docsieve.db.connection.session import Database
from docsieve.db.documents import stored_files as files_sql
from docsieve.errors import DocsieveError
from docsieve.services.stored_files import Damage, FileCheck
from docsieve.settings import Settings
from docsieve.wiring import open_blobs, open_keyring

_BATCH = 100
_NAMED = 10
_FIRST = UUID(int=0)


async def examine(settings: Settings, url: str) -> list[Finding]:
    try:
        return _findings(await _check_all(settings, url))
    except DocsieveError as error:
        return [bad("stored files", error.detail, "Fix the database and the blob store first, then run this again.")]


async def _check_all(settings: Settings, url: str) -> Damage:
    database = await Database.open(url, connections=2)
    try:
        store = open_blobs(settings, open_keyring(settings, database))
        try:
            check = FileCheck(database, store, max_attempts=settings.max_attempts)
            last = _FIRST
            while batch := await _batch(database, last):
                await check.run(batch)
                last = batch[-1].document_id
            return check.damage
        finally:
            await store.close()
    finally:
        await database.close()


async def _batch(database: Database, last: UUID) -> list[files_sql.StoredFiles]:
    async with database.system() as connection:
        return await files_sql.after(connection, last, limit=_BATCH)


def _findings(damage: Damage) -> list[Finding]:
    intact = f"intact in {damage.checked} documents"
    found = [good("stored pages", intact), good("originals", intact)]
    if damage.pages:
        found[0] = doubtful(
            "stored pages",
            f"damaged or missing in {_named(damage.pages)}",
            "They are queued to be re-read from the originals. Let a worker run, then run this again.",
        )
    if damage.originals:
        found[1] = bad(
            "originals",
            f"damaged or missing in {_named(damage.originals)}",
            "Restore them from a backup of the blob store, or upload them again.",
        )
    if damage.unreadable:
        reason = f"reading failed for {_named(damage.unreadable)}"
        found.append(bad("stored files", reason, "Check the disk or the blob store, then run this again."))
    return found


def _named(documents: Sequence[UUID]) -> str:
    more = f" and {len(documents) - _NAMED} more" if len(documents) > _NAMED else ""
    count = f"{len(documents)} document{'s' if len(documents) > 1 else ''}"
    return f"{count}: {', '.join(map(str, documents[:_NAMED]))}{more}"
