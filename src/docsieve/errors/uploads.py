"""Errors of uploads that do not pass through the API, and of files that are fetched for a client."""

from docsieve.errors import Conflict, Forbidden, Invalid


class UploadIncomplete(Conflict):
    """Not all parts of the upload have been stored."""

    code = "upload_incomplete"


class UploadCompleted(Conflict):
    """The upload is complete already. Delete the document instead."""

    code = "upload_completed"


class ChecksumMismatch(Invalid):
    """The stored bytes do not have the announced SHA-256."""

    code = "checksum_mismatch"


class SignatureInvalid(Forbidden):
    """The signed URL is not valid or has expired."""

    code = "signature_invalid"
