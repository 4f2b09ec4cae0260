"""Which blobs belong to no document and no unfinished upload."""

from uuid import UUID

from docsieve.blobs.port import BlobInfo
from docsieve.db.connection.session import Database
from docsieve.db.documents import deletion, uploads


async def orphans_among(database: Database, prefix: str, batch: list[BlobInfo]) -> list[BlobInfo]:
    async with database.system() as connection:
        if prefix == "documents":
            owners = [UUID(blob.key.rpartition("/")[2]) for blob in batch]
            known = await deletion.with_original(connection, owners)
            return [blob for blob, owner in zip(batch, owners, strict=True) if owner not in known]
        if prefix == "uploads":
            senders = [UUID(blob.key.split("/")[3]) for blob in batch]
            sending = await uploads.unfinished(connection, senders)
            return [blob for blob, sender in zip(batch, senders, strict=True) if sender not in sending]
        contents = [_content(blob.key) for blob in batch]
        held = await deletion.known_contents(connection, list(set(contents)))
        return [blob for blob, content in zip(batch, contents, strict=True) if content not in held]


def _content(key: str) -> tuple[UUID, str]:
    """The tenant and the hash in the key of pages, or of an image of a page."""
    _, tenant, _, name, *_ = key.split("/")
    return UUID(tenant), name.partition(".")[0]
