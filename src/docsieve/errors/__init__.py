"""Every error a user can meet: one fact, an HTTP status and a stable code.

    DocsieveError 500                   internal_error
    ├── Invalid 422                     invalid_request
    │   ├── EmptyDocument, OcrLanguageMissing, OcrEngineUnknown, EmptyQuery, UnknownProject, UnknownSample
    │   ├── batches                     UnknownBatch, PatternInvalid, GroupTooLarge
    │   ├── content                     PagesOutOfRange, NothingRedacted, CutInvalid
    │   ├── extractions                 UnknownSchema, SchemaInvalid, UnknownPrompt, PromptInvalid, UnknownEngine,
    │   │                               CorrectionInvalid, TooManyDocuments, TooManyColumns,
    │   │                               NoSchemaChosen: ClassUncertain, ClassWithoutSchema
    │   ├── outbound                    UrlInvalid, AddressNotAllowed, WebhookNotVerified, SigningKeyInvalid
    │   ├── providers                   NoModel, NoAccount, NoPrebuiltModel, ModelNotConfigured,
    │   │                               UnknownModelProvider, UnknownEmbedder, PricesInvalid
    │   ├── setup                       InvalidBlobKey, UnsupportedBlobUrl
    │   └── uploads                     ChecksumMismatch, SourceNotAllowed, SourceNotFound, SourceRefused
    ├── Unauthorized 401                unauthorized
    │   └── access                      SessionExpired, LinkExpired, TokenInvalid
    ├── Forbidden 403                   forbidden
    │   ├── access                      CsrfFailed
    │   └── uploads                     SignatureInvalid
    ├── NotFound 404                    not_found
    │   ├── backups                     BackupNotFound
    │   └── content                     TableNotFound
    ├── Conflict 409                    conflict
    │   ├── IdempotencyConflict, DocumentNotReady, DocumentBusy, NameTaken, ProjectNotEmpty
    │   ├── blobs                       BlobExists
    │   ├── backups                     BackupOfOther, BackupRunning, BackupDisturbed, RestoreTargetNotEmpty
    │   ├── batches                     BatchStarted, BatchStarting, BatchCancelled, BatchNotRunning, BatchTooLarge,
    │   │                               NothingToStart, NothingToRetry
    │   ├── content                     DocumentNotScanned, DocumentNotSplittable, SplitsChanged
    │   ├── extractions                 ExtractionNotCompleted, NothingToUndo, StillInUse, TooManyNames,
    │   │                               TooManyClasses
    │   ├── jobs                        JobNotCancellable, JobNotRetryable
    │   ├── retention                   LegalHold, AlreadyHeld, TenantDeleted, OperatorTenant, AuditLogDamaged
    │   ├── uploads                     UploadIncomplete, UploadCompleted
    │   └── webhooks                    TooManyEndpoints, EndpointDisabled
    ├── TooLarge 413                    too_large
    ├── UnsupportedType 415             unsupported_type
    ├── Unavailable 503                 unavailable
    │   ├── DatabaseUnavailable, RedisUnavailable, DiskFull, PagesDamaged
    │   ├── setup                       of DatabaseUnavailable: DatabaseTlsFailed
    │   └── blobs                       EncryptionKeyUnavailable
    ├── DocumentError 422               a fault of the document; reading it again would not help
    │   ├── CorruptDocument, PasswordRequired, PasswordWrong, TooManyPages, TooManyPixels
    │   └── archives                    ArchiveTruncated, ArchiveSplit
    ├── AttemptError                    a fault of one attempt; the next may succeed
    │   ├── ParserCrashed, ParserTimeout, OutOfMemory, OutputTooLarge, OcrBackendUnset, OcrBackendUnusable,
    │   │   BlobMissing, OriginalDamaged, BlobStoreError
    │   ├── blobs                       of BlobStoreError: BlobStoreDenied, BlobDamaged, BlobSealBroken,
    │   │                               EncryptionKeyDeleted
    │   ├── extractions                 EngineFailed: EngineTimeout
    │   ├── jobs                        UnknownKind
    │   ├── outbound                    ReceiverUnreachable, ReceiverTimeout
    │   ├── uploads                     SourceUnavailable
    │   └── providers                   ProviderError
    │                                   ├── ProviderTimeout
    │                                   ├── ProviderBusy: ProviderDown, AskedAlready
    │                                   ├── ProviderRefused: AnswerRefused
    │                                   └── AnswerUnreadable
    ├── access                          QuotaExceeded 402, RateLimited 429, TooManyStreams 429
    ├── content                         NotAcceptable 406
    ├── providers                       BudgetExceeded 402, PriceUnknown 402, AnswerMalformed 502
    ├── retention                       OriginalDeleted 410
    ├── backups                         BackupDamaged, DumpFailed
    └── setup                           SealBroken, InvalidSecretKey, DirectoryInUse, ServerFailed, ServerProblem
        └── NotSetUp                    InvalidSettings, MissingKey, UnusableKey, Unreachable, DatabaseUnreachable,
                                        DatabaseOutdated, ExtensionMissing, PortTaken; of backups: BackupKeyMissing,
                                        BackupKeyWrong

Lowercase names are modules of this package; the other classes are defined here. A message may name documents, limits
and ids. It never contains document text or a secret.
"""

from docsieve.errors.tls import tls_problem


class DocsieveError(Exception):
    """The root of all errors; `permanent` means that a retry cannot help."""

    status = 500
    code = "internal_error"
    permanent = True
    retry_after: int | None = None
    """Seconds after which a client may retry, if a retry may help."""

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
    """The document is empty."""

    code = "empty_document"


class OcrLanguageMissing(Invalid):
    """The OCR engine does not support this language."""

    code = "ocr_language_missing"


class OcrEngineUnknown(Invalid):
    """OCR engine not found."""

    code = "ocr_engine_unknown"


class EmptyQuery(Invalid):
    """The query contains no words."""

    code = "empty_query"


class UnknownProject(Invalid):
    """Project not found."""

    code = "unknown_project"


class UnknownSample(Invalid):
    """Sample not found."""

    code = "unknown_sample"


class Unauthorized(DocsieveError):
    """A valid API key is required."""

    status = 401
    code = "unauthorized"


class Forbidden(DocsieveError):
    """The API key does not allow this operation."""

    status = 403
    code = "forbidden"


class NotFound(DocsieveError):
    """Not found."""

    status = 404
    code = "not_found"


class Conflict(DocsieveError):
    """The request conflicts with the current state."""

    status = 409
    code = "conflict"


class IdempotencyConflict(Conflict):
    """This Idempotency-Key was already used with a different request."""

    code = "idempotency_conflict"


class DocumentNotReady(Conflict):
    """The document has not been read yet."""

    code = "document_not_ready"


class DocumentBusy(Conflict):
    """The document already has a job in progress."""

    code = "document_busy"


class NameTaken(Conflict):
    """The name is already taken."""

    code = "name_taken"


class ProjectNotEmpty(Conflict):
    """The project still contains documents or batches."""

    code = "project_not_empty"


class TooLarge(DocsieveError):
    """The document is larger than this server accepts."""

    status = 413
    code = "too_large"


class UnsupportedType(DocsieveError):
    """Documents of this type are not supported."""

    status = 415
    code = "unsupported_type"


class Unavailable(DocsieveError):
    """The service is temporarily unavailable. Try again."""

    status = 503
    code = "unavailable"
    permanent = False
    retry_after = 1


class DatabaseUnavailable(Unavailable):
    """The database is not responding. Try again."""

    @property
    def reason(self) -> str:
        """The underlying error, for the log."""
        return tls_problem(self.__cause__) or type(self.__cause__ or self).__name__


class RedisUnavailable(Unavailable):
    """Redis is not responding."""

    @property
    def reason(self) -> str:
        """The underlying error, for the log."""
        return tls_problem(self.__cause__) or type(self.__cause__ or self).__name__


class DiskFull(Unavailable):
    """The disk is full."""

    code = "disk_full"
    retry_after = 10


class PagesDamaged(Unavailable):
    """The stored pages of the document are damaged or missing."""

    code = "pages_damaged"
    retry_after = 5


class DocumentError(DocsieveError):
    """The document cannot be read."""

    status = 422
    code = "document_error"


class CorruptDocument(DocumentError):
    """The document is damaged and cannot be opened."""

    code = "corrupt_document"


class PasswordRequired(DocumentError):
    """The document is password-protected. Provide its password."""

    code = "password_required"


class PasswordWrong(DocumentError):
    """The password does not open the document."""

    code = "password_wrong"


class TooManyPages(DocumentError):
    """The document has more pages than this server accepts."""

    code = "too_many_pages"


class TooManyPixels(DocumentError):
    """The document contains an image larger than this server accepts."""

    code = "too_many_pixels"


class AttemptError(DocsieveError):
    """This attempt failed. A retry may succeed."""

    code = "attempt_failed"
    permanent = False


class ParserCrashed(AttemptError):
    """The parser crashed on this document."""

    status = 503
    code = "parser_crashed"

    def __init__(self, detail: str | None = None, *, signal: int | None = None) -> None:
        """`signal` is the signal that killed the parser process, if any."""
        super().__init__(detail)
        self.signal = signal


class OcrBackendUnset(AttemptError):
    """A page needs OCR, and no working OCR backend has been selected on this machine yet."""

    status = 503
    code = "ocr_backend_unset"


class OcrBackendUnusable(AttemptError):
    """No OCR backend works on this machine. Run `docsieve doctor` to find out why."""

    status = 503
    code = "ocr_backend_unusable"


class ParserTimeout(AttemptError):
    """The parser timed out on this document."""

    status = 503
    code = "parser_timeout"


class OutOfMemory(AttemptError):
    """Processing the document needed too much memory."""

    status = 503
    code = "out_of_memory"


class OutputTooLarge(AttemptError):
    """Processing the document produced too much output."""

    status = 503
    code = "output_too_large"


class BlobMissing(AttemptError):
    """The file is missing from the blob store."""

    code = "blob_missing"


class OriginalDamaged(AttemptError):
    """The stored file differs from the uploaded one."""

    code = "original_damaged"


class BlobStoreError(AttemptError):
    """The blob store failed."""

    status = 503
    code = "blob_store_error"
