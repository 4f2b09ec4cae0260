"""Errors of content that is handed out: as text, as a searchable PDF, redacted, or cut into parts."""

from docsieve.errors import Conflict, DocsieveError, Invalid, NotFound


class PagesOutOfRange(Invalid):
    """The document does not have these pages."""

    code = "pages_out_of_range"


class NothingRedacted(Invalid):
    """Something that was to be removed was not found in the document."""

    code = "nothing_redacted"


class TableNotFound(NotFound):
    """The chosen pages do not have so many tables."""

    code = "table_not_found"


class NotAcceptable(DocsieveError):
    """There is no content of the types in `Accept`."""

    status = 406
    code = "not_acceptable"


class DocumentNotScanned(Conflict):
    """Only PDFs and images can become searchable PDFs."""

    code = "document_not_scanned"


class CutInvalid(Invalid):
    """There cannot be a cut there."""

    code = "cut_invalid"


class DocumentNotSplittable(Conflict):
    """Only PDFs and multi-page scans can be split, and a part of one cannot be split further."""

    code = "document_not_splittable"


class SplitsChanged(Conflict):
    """The cuts were changed meanwhile."""

    code = "splits_changed"
