"""The one-off URLs of uploads, extractions, batches and reports, checked when they are stored."""

from docsieve.errors.outbound import AddressNotAllowed, UrlInvalid
from docsieve.outbound import check_url
from docsieve.settings import Settings


def check_webhook_url(url: str | None, settings: Settings) -> None:
    """Raises UrlInvalid or AddressNotAllowed."""
    if url is None:
        return
    try:
        check_url(url, settings)
    except (UrlInvalid, AddressNotAllowed) as error:
        raise type(error)(f"webhook_url: {error.detail}") from error
