"""Document states and the blob keys of a document's files."""

from enum import StrEnum
from uuid import UUID

MAIL_TYPES = frozenset({"message/rfc822", "application/mbox", "application/vnd.ms-outlook"})
"""Types whose attachments become separate documents by default."""


ARCHIVE_TYPES = frozenset(
    {
        "application/zip",
        "application/x-tar",
        "application/x-7z-compressed",
        "application/gzip",
        "application/x-bzip2",
        "application/x-xz",
        "application/zstd",
    }
)
"""Types that are unpacked instead of read: their entries become documents."""

MAX_DEPTH = 5
"""How deep documents may be inside each other: attachments of mails, entries of archives."""


class DocumentStatus(StrEnum):
    """An archive is unpacked, every other document is read. One with a source is downloaded first."""

    pending_download = "pending_download"
    downloading = "downloading"
    pending = "pending"
    processing = "processing"
    ready = "ready"
    pending_unpacking = "pending_unpacking"
    unpacking = "unpacking"
    unpacked = "unpacked"
    failed = "failed"
    cancelled = "cancelled"


FINAL = frozenset({DocumentStatus.ready, DocumentStatus.unpacked, DocumentStatus.failed, DocumentStatus.cancelled})

IN_PROGRESS = frozenset(DocumentStatus) - FINAL
"""States of a document that work goes on with; `document_in_progress` of the database says the same."""


def first_status(media_type: str | None) -> DocumentStatus:
    """The type of a file that is not downloaded yet is None."""
    if media_type is None:
        return DocumentStatus.pending_download
    return DocumentStatus.pending_unpacking if media_type in ARCHIVE_TYPES else DocumentStatus.pending


BLOB_FOLDERS = ("documents", "uploads", "pages", "images")
"""What keys of blobs begin with. The tenant follows, and then one of sixteen folders, named by a hex digit."""


def owner_of(key: str) -> UUID | None:
    """The tenant of a blob."""
    folder, _, rest = key.partition("/")
    try:
        return UUID(rest.partition("/")[0]) if folder in BLOB_FOLDERS else None
    except ValueError:
        return None


def original_key(tenant_id: UUID, document_id: UUID) -> str:
    """The key of the original file. The last hex digit of the id distributes files over sixteen folders."""
    return f"documents/{tenant_id}/{document_id.hex[-1]}/{document_id}"


def part_key(tenant_id: UUID, upload_id: UUID, number: int) -> str:
    """The key of a part of a file that a client stores itself. The file is copied from there when it is complete."""
    return f"uploads/{tenant_id}/{upload_id.hex[-1]}/{upload_id}/{number}"


def staging_folder(tenant_id: UUID, document_id: UUID) -> str:
    """The folder of files that are downloaded for a document, one per attempt."""
    return f"uploads/{tenant_id}/{document_id.hex[-1]}/{document_id}"


def pages_key(tenant_id: UUID, sha256: str, parser: str, version: str, *, only_for: UUID | None = None) -> str:
    """The key of the pages: by content, so that a tenant's identical files are read once per parser version.

    Pages unlocked by a password are stored for that document only; the same file without the password stays locked.
    """
    owner = f".{only_for}" if only_for else ""
    return f"{pages_folder(tenant_id, sha256)}/{sha256}.{parser}-{version}{owner}.zst"


def pages_folder(tenant_id: UUID, sha256: str) -> str:
    """The folder of the pages of this content. Their names begin with its hash."""
    return f"pages/{tenant_id}/{sha256[0]}"


def are_only_for(pages_key: str, document_id: UUID) -> bool:
    """Whether pages belong to this document only, because a password unlocked them."""
    return pages_key.endswith(f".{document_id}.zst")


def images_folder(pages_key: str) -> str:
    """The folder of page images: under the key of the pages, so that they are removed together."""
    return f"images/{pages_key.removeprefix('pages/').removesuffix('.zst')}"


def image_key(pages_key: str, number: int, width: int, *, drawn: bool = False) -> str:
    """`drawn` is for a page that was drawn from its lines, because the file it would be rendered from was deleted."""
    return f"{images_folder(pages_key)}/{number}-{width}{'-drawn' if drawn else ''}.webp"


def copy_key(pages_key: str, name: str) -> str:
    """The key of a PDF that was made from the document, next to the images of its pages."""
    return f"{images_folder(pages_key)}/{name}.pdf"
