"""The states of a document."""

from enum import StrEnum
from uuid import UUID

MAIL_TYPES = frozenset({"message/rfc822", "application/mbox", "application/vnd.ms-outlook"})
"""Types whose attachments become documents of their own unless the sender says no."""


class DocumentStatus(StrEnum):
    pending = "pending"
    processing = "processing"
    ready = "ready"
    failed = "failed"
    cancelled = "cancelled"


def original_key(tenant_id: UUID, document_id: UUID) -> str:
    """Where the bytes live. A hex digit of the id's random end spreads them over sixteen folders."""
    return f"documents/{tenant_id}/{document_id.hex[-1]}/{document_id}"


def pages_key(tenant_id: UUID, sha256: str, parser: str, version: str, *, only_for: UUID | None = None) -> str:
    """Where the pages live: by content, so that the same bytes in one tenant are read once by one parser version.

    What a password opened is kept for that document only; the same bytes sent without the password stay closed.
    """
    owner = f".{only_for}" if only_for else ""
    return f"pages/{tenant_id}/{sha256[0]}/{sha256}.{parser}-{version}{owner}.zst"


def are_only_for(pages_key: str, document_id: UUID) -> bool:
    """Whether pages belong to this document alone, because a password opened them."""
    return pages_key.endswith(f".{document_id}.zst")


def images_folder(pages_key: str) -> str:
    """Where images of pages live: under the pages' own name, so that whatever removes those finds these."""
    return f"images/{pages_key.removeprefix('pages/').removesuffix('.zst')}"


def image_key(pages_key: str, number: int, width: int) -> str:
    return f"{images_folder(pages_key)}/{number}-{width}.webp"
