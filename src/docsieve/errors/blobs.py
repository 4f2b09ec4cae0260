"""Errors of blob stores that callers tell apart."""

from docsieve.errors import BlobStoreError, Conflict, Unavailable


class BlobExists(Conflict):
    """The blob store already holds something under this key."""

    code = "blob_exists"


class BlobStoreDenied(BlobStoreError):
    """The blob store refused the credentials of this server."""

    code = "blob_store_denied"


class BlobDamaged(BlobStoreError):
    """The blob store sent fewer bytes than it announced."""

    code = "blob_damaged"


class BlobSealBroken(BlobStoreError):
    """A stored file was altered, cut off or moved since it was encrypted."""

    code = "blob_seal_broken"


class EncryptionKeyDeleted(BlobStoreError):
    """The key that a stored file was encrypted with has been deleted."""

    code = "encryption_key_deleted"


class EncryptionKeyUnavailable(Unavailable):
    """The master key that decrypts stored files is not available. Run `docsieve doctor` to find out why."""

    code = "encryption_key_unavailable"
    retry_after = 10

    def __init__(self, reason: str = "") -> None:
        """`reason` is for the log and for `docsieve doctor`; it may name files and programs of the server."""
        super().__init__()
        self.reason = reason
