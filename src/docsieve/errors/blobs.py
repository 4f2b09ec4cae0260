"""Errors of blob stores that callers tell apart."""

from docsieve.errors import BlobStoreError, Conflict


class BlobExists(Conflict):
    """The blob store already holds something under this key."""

    code = "blob_exists"


class BlobStoreDenied(BlobStoreError):
    """The blob store refused the credentials of this server."""

    code = "blob_store_denied"


class BlobDamaged(BlobStoreError):
    """The blob store sent fewer bytes than it announced."""

    code = "blob_damaged"
