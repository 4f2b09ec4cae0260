"""Errors of an installation and of the command line: settings, keys, the database server, the API's address."""

from docsieve.errors import DatabaseUnavailable, DocsieveError, Invalid


class InvalidBlobKey(Invalid):
    """The blob key is not valid."""

    code = "invalid_blob_key"


class UnsupportedBlobUrl(Invalid):
    """Blob stores of this kind are not supported."""

    code = "unsupported_blob_url"


class SealBroken(DocsieveError):
    """A stored secret was encrypted with a different key. Set DOCSIEVE_SECRET_KEY to the same value everywhere."""

    code = "seal_broken"


class InvalidSecretKey(DocsieveError):
    """DOCSIEVE_SECRET_KEY must be 32 bytes in URL-safe base64."""

    code = "invalid_secret_key"


class DirectoryInUse(DocsieveError):
    """Another process uses this data directory."""

    code = "directory_in_use"


class ServerFailed(DocsieveError):
    """The embedded PostgreSQL server did not start."""

    code = "database_failed"


class ServerProblem(DocsieveError):
    """The API returned a problem; this error has the same code and detail."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code = code


class NotSetUp(DocsieveError):
    """Something must be configured or started before the command can run."""

    code = "not_set_up"


class InvalidSettings(NotSetUp):
    """A DOCSIEVE_* variable has an invalid value."""

    code = "invalid_settings"


class MissingKey(NotSetUp):
    """No API key. Set DOCSIEVE_API_KEY, or create a key with `docsieve keys create`."""

    code = "missing_key"


class UnusableKey(NotSetUp):
    """DOCSIEVE_API_KEY contains a space, a line break or a non-ASCII character."""

    code = "unusable_key"


class Unreachable(NotSetUp):
    """The server did not respond."""

    code = "unreachable"


class DatabaseUnreachable(NotSetUp):
    """The database refused the connection or did not respond."""

    code = "database_unreachable"

    def __init__(self, reason: str, remedy: str, *, code: str = code) -> None:
        super().__init__(f"{reason}. {remedy}")
        self.reason = reason
        self.remedy = remedy
        self.code = code


class DatabaseTlsFailed(DatabaseUnavailable):
    """No TLS connection to the database can be made."""

    code = "database_tls_failed"
    retry_after = 10


class DatabaseOutdated(NotSetUp):
    """The database schema does not match this release."""

    code = "database_outdated"


class ExtensionMissing(NotSetUp):
    """The database server lacks an extension of PostgreSQL."""

    code = "extension_missing"


class PortTaken(NotSetUp):
    """Another process is listening on the port."""

    code = "port_taken"
