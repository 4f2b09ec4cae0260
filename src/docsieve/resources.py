"""What a route or a job may use."""

from dataclasses import dataclass

from docsieve.blobs.port import BlobStore
from docsieve.db.session import Database
from docsieve.sealing import Sealer
from docsieve.settings import Settings


@dataclass(frozen=True, slots=True)
class Resources:
    settings: Settings
    database: Database
    blobs: BlobStore
    sealer: Sealer
