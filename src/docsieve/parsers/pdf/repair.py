"""Repairs documents that PDFium cannot open but viewers still show, with qpdf."""

from contextlib import suppress
from io import BytesIO
from pathlib import Path

from docsieve.errors import EmptyDocument, PasswordRequired, PasswordWrong

# The repaired document is held in memory.
_MAX_BYTES = 128 * 1024**2


def repaired(source: Path, password: str | None) -> bytes | None:
    """Rewrite the document without its protection; None if it cannot be repaired.

    Raises EmptyDocument, PasswordRequired or PasswordWrong.
    """
    if not 0 < source.stat().st_size <= _MAX_BYTES:
        return None
    import pikepdf  # only here: few documents need it

    try:
        with pikepdf.open(source, password=password or "", suppress_warnings=True) as document:
            if document.Root.Pages.Count == 0:
                raise EmptyDocument("The document has no pages.")
            with suppress(pikepdf.PdfError, RuntimeError):
                # Counting the pages also repairs the page tree.
                len(document.pages)
            content = BytesIO()
            document.save(content, encryption=False if document.is_encrypted else None)
            return content.getvalue()
    except pikepdf.PasswordError as error:
        raise (PasswordWrong() if password else PasswordRequired()) from error
    except (pikepdf.PdfError, AttributeError, RuntimeError, TypeError, ValueError):
        return None
