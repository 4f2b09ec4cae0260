"""Every failure a user can meet: a fact, an HTTP status and a stable code.

    DocsieveError
    ├── Invalid 422            invalid_request
    │   └── EmptyDocument, OcrLanguageMissing, OcrEngineUnknown
    ├── Unauthorized 401       unauthorized
    │   └── SessionExpired, LinkExpired
    ├── Forbidden 403          forbidden
    │   └── CsrfFailed
    ├── NotFound 404           not_found
    ├── Conflict 409           conflict
    │   ├── IdempotencyConflict, JobNotCancellable, JobNotRetryable,
    │   └── DocumentNotReady, DocumentBusy, NameTaken, ProjectNotEmpty
    ├── TooLarge 413           too_large
    ├── UnsupportedType 415    unsupported_type
    ├── Unavailable 503        unavailable
    │   └── DatabaseUnavailable, DiskFull, PagesDamaged
    ├── DocumentError          what is wrong with a document; reading it again would not help
    │   └── CorruptDocument, PasswordRequired, PasswordWrong, TooManyPages, TooManyPixels
    └── AttemptError           what went wrong with one attempt; the next may succeed
        └── ParserCrashed, OcrBackendUnset, OcrBackendUnusable, ParserTimeout, OutOfMemory, OutputTooLarge,
            BlobMissing, OriginalDamaged, BlobStoreError

An error message may name documents, limits and ids. It never holds document text or a secret.
"""


class DocsieveError(Exception):
    """The root; `permanent` tells the queue that a retry cannot help."""

    status = 500
    code = "internal_error"
    permanent = True
    retry_after: int | None = None
    """Seconds after which a client may try again, where trying again may help."""

    def __init__(self, detail: str | None = None) -> None:
        super().__init__(detail or (self.__doc__ or self.code).strip().splitlines()[0])

    @property
    def detail(self) -> str:
        return str(self.args[0])


class Invalid(DocsieveError):
    """The request is not valid."""

    status = 422
    code = "invalid_request"


class EmptyDocument(Invalid):
    """The document has no bytes or no pages."""

    code = "empty_document"


class OcrLanguageMissing(Invalid):
    """The OCR engine has no data for this language."""

    code = "ocr_language_missing"


class OcrEngineUnknown(Invalid):
    """There is no OCR engine of this name."""

    code = "ocr_engine_unknown"


class Unauthorized(DocsieveError):
    """A valid API key is needed."""

    status = 401
    code = "unauthorized"


class SessionExpired(Unauthorized):
    """The session has ended; sign in again."""

    code = "session_expired"


class LinkExpired(Unauthorized):
    """The sign-in link was used before or is too old; `docsieve link` prints another."""

    code = "link_expired"


class Forbidden(DocsieveError):
    """The API key does not allow this."""

    status = 403
    code = "forbidden"


class CsrfFailed(Forbidden):
    """The request does not come from the dashboard's own page."""

    code = "csrf_failed"


class NotFound(DocsieveError):
    """There is no such thing here."""

    status = 404
    code = "not_found"


class Conflict(DocsieveError):
    """The request does not fit the present state."""

    status = 409
    code = "conflict"


class IdempotencyConflict(Conflict):
    """This Idempotency-Key was used before with another body."""

    code = "idempotency_conflict"


class JobNotCancellable(Conflict):
    """Only a pending or processing job can be cancelled."""

    code = "job_not_cancellable"


class JobNotRetryable(Conflict):
    """Only a failed job can be retried."""

    code = "job_not_retryable"


class DocumentNotReady(Conflict):
    """The document has not been read yet."""

    code = "document_not_ready"


class DocumentBusy(Conflict):
    """The document already has a job under way."""

    code = "document_busy"


class NameTaken(Conflict):
    """That name is already in use."""

    code = "name_taken"


class ProjectNotEmpty(Conflict):
    """The project still holds documents."""

    code = "project_not_empty"


class TooLarge(DocsieveError):
    """The document is larger than this server accepts."""

    status = 413
    code = "too_large"


class UnsupportedType(DocsieveError):
    """No parser reads this type of document."""

    status = 415
    code = "unsupported_type"


class Unavailable(DocsieveError):
    """The service cannot answer this now; try again."""

    status = 503
    code = "unavailable"
    permanent = False
    retry_after = 1


class DatabaseUnavailable(Unavailable):
    """The database did not answer; try again."""

    @property
    def reason(self) -> str:
        """What happened underneath, for the log."""
        return type(self.__cause__ or self).__name__


class DiskFull(Unavailable):
    """The disk is full."""

    code = "disk_full"
    retry_after = 10


class PagesDamaged(Unavailable):
    """The stored pages of the document are damaged or missing."""

    code = "pages_damaged"
    retry_after = 5


class DocumentError(DocsieveError):
    """The document itself cannot be read."""

    status = 422
    code = "document_error"


class CorruptDocument(DocumentError):
    """The document is damaged and cannot be opened."""

    code = "corrupt_document"


class PasswordRequired(DocumentError):
    """The document is protected and no password was given."""

    code = "password_required"


class PasswordWrong(DocumentError):
    """The password given does not open the document."""

    code = "password_wrong"


class TooManyPages(DocumentError):
    """The document has more pages than this server reads."""

    code = "too_many_pages"


class TooManyPixels(DocumentError):
    """The document holds a larger image than this server decodes."""

    code = "too_many_pixels"


class AttemptError(DocsieveError):
    """This attempt failed; another may succeed."""

    code = "attempt_failed"
    permanent = False


class ParserCrashed(AttemptError):
    """The parser crashed on this document."""

    status = 503
    code = "parser_crashed"

    def __init__(self, detail: str | None = None, *, signal: int | None = None) -> None:
        """`signal` is the one that killed the parser process, if one did."""
        super().__init__(detail)
        self.signal = signal


class OcrBackendUnset(AttemptError):
    """A page needs OCR before it is known which OCR backend works on this machine."""

    status = 503
    code = "ocr_backend_unset"


class OcrBackendUnusable(AttemptError):
    """No OCR backend works on this machine; `docsieve doctor` tells why."""

    status = 503
    code = "ocr_backend_unusable"


class ParserTimeout(AttemptError):
    """The parser ran out of time on this document."""

    status = 503
    code = "parser_timeout"


class OutOfMemory(AttemptError):
    """The parser ran out of memory on this document."""

    status = 503
    code = "out_of_memory"


class OutputTooLarge(AttemptError):
    """The parser produced more output than allowed."""

    status = 503
    code = "output_too_large"


class BlobMissing(AttemptError):
    """The bytes are not in the blob store."""

    code = "blob_missing"


class OriginalDamaged(AttemptError):
    """The stored original is not what was uploaded."""

    code = "original_damaged"


class BlobStoreError(AttemptError):
    """The blob store did not do what was asked."""

    status = 503
    code = "blob_store_error"
