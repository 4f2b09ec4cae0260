"""What a route or a job may use."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from docsieve.blobs.port import BlobStore
from docsieve.composition import ProviderClients
from docsieve.db.connection.outage import retry_through_outages
from docsieve.db.connection.session import Database
from docsieve.db.documents.acceptance import Acceptance
from docsieve.embeddings.known import KnownEmbedders
from docsieve.encryption.keyring import Keyring
from docsieve.pipelines.page_renderer import PageRenderer
from docsieve.remote.port import RemoteParser
from docsieve.sealer import Sealer
from docsieve.settings import Settings

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Resources:
    """A worker has no `renderer`: the API renders page images itself."""

    settings: Settings
    database: Database
    blobs: BlobStore
    sealer: Sealer
    embedders: KnownEmbedders
    clients: ProviderClients
    keyring: Keyring
    acceptance: Acceptance
    remote_parsers: Mapping[str, RemoteParser] = field(default_factory=dict)
    renderer: PageRenderer | None = None

    async def persist(self, work: Callable[[], Awaitable[T]], /) -> T:
        """Run a read or write again until the database answers, for no longer than a lease lasts."""
        return await retry_through_outages(work, seconds=self.settings.lease_seconds)
