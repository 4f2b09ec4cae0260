"""Errors of uploads that do not pass through the API, and of files that are fetched for a client."""

from docsieve.errors import AttemptError, Conflict, Forbidden, Invalid


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


class SourceNotAllowed(Invalid):
    """This server does not download documents from there. The operator lists what is allowed."""

    code = "source_not_allowed"


class SourceNotFound(Invalid):
    """There is no file at the source."""

    code = "source_not_found"


class SourceRefused(Invalid):
    """The source refused to send the file."""

    code = "source_refused"


class SourceUnavailable(AttemptError):
    """The source did not respond, or did not send the whole file."""

    status = 503
    code = "source_unavailable"
