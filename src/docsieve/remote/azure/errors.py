"""Translates errors of Azure Document Intelligence into ours.

The provider's own messages are not passed on: they may quote the request.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from docsieve.errors import (
    CorruptDocument,
    DocsieveError,
    PasswordRequired,
    TooLarge,
    TooManyPixels,
    UnsupportedType,
)
from docsieve.errors.providers import ProviderBusy, ProviderError, ProviderRefused
from docsieve.remote.azure.shapes import ErrorShape

BUSY = frozenset({429, 503})

_DEFAULT_WAIT = 10.0
_LONGEST_WAIT = 3600.0
_PROTECTED = ("password", "encrypted", "protected")


def error_of_refusal(status: int, retry_after: str | None, error: ErrorShape) -> DocsieveError:
    """The error for a rejected document."""
    if status in BUSY:
        return ProviderBusy("The provider is busy.", seconds_to_wait(retry_after, _DEFAULT_WAIT))
    if status in (401, 403):
        return ProviderRefused("The provider rejected the API key. Check the endpoint, the key and its permissions.")
    if status == 413:
        return TooLarge("The document is larger than the provider accepts.")
    about_document = _about_document(error)
    if about_document is not None:
        return about_document
    if status == 415:
        return UnsupportedType("The provider does not support this type of document.")
    if 400 <= status < 500:
        return ProviderRefused(f"The provider rejected the request with status {status}{_named(error)}.")
    return ProviderError(f"The provider failed with status {status}{_named(error)}.")


def error_of_failure(error: ErrorShape | None) -> DocsieveError:
    """The error for a document that was accepted but could not be read."""
    error = error or ErrorShape()
    return _about_document(error) or ProviderError(f"The provider could not read the document{_named(error)}.")


def seconds_to_wait(header: str | None, default: float) -> float:
    """Parse Retry-After, in seconds or as a date, up to one hour."""
    if header is None:
        return default
    try:
        seconds = float(header)
    except ValueError:
        try:
            moment = parsedate_to_datetime(header)
        except ValueError:
            return default
        seconds = (moment.replace(tzinfo=moment.tzinfo or UTC) - datetime.now(UTC)).total_seconds()
    return min(max(seconds, 0.0), _LONGEST_WAIT) if seconds == seconds else default


def _about_document(error: ErrorShape) -> DocsieveError | None:
    for each in _all(error):
        found = _of_code(each)
        if found is not None:
            return found
    return None


def _of_code(error: ErrorShape) -> DocsieveError | None:
    protected = any(word in error.message.lower() for word in _PROTECTED)
    match error.code:
        case "InvalidContent" | "UnsupportedContent" if protected:
            return PasswordRequired("The provider does not support password-protected documents.")
        case "InvalidContent":
            return CorruptDocument(
                "According to the provider, the document is damaged, protected or of a different type."
            )
        case "UnsupportedContent" | "UnsupportedMediaType":
            return UnsupportedType("The provider does not support this type of document.")
        case "InvalidContentLength":
            return TooLarge("The document is larger than the provider accepts.")
        case "InvalidContentDimensions":
            return TooManyPixels("The document's pages are smaller or larger than the provider accepts.")
    return None


def _all(error: ErrorShape) -> Iterator[ErrorShape]:
    """The error and its inner errors, the most specific first."""
    if error.innererror is not None:
        yield from _all(error.innererror)
    yield error
    for detail in error.details:
        yield from _all(detail)


def _named(error: ErrorShape) -> str:
    """Its code, if it looks like one: a code is an identifier."""
    return f" ({error.code})" if error.code.isidentifier() and len(error.code) < 64 else ""
