"""Errors of archives as a whole. What becomes of a single entry is a verdict, see `archives/port.py`."""

from docsieve.errors import DocumentError


class ArchiveTruncated(DocumentError):
    """The archive is incomplete: its end is missing."""

    code = "archive_truncated"


class ArchiveSplit(DocumentError):
    """The archive is one part of several. Join the parts and upload the whole archive."""

    code = "archive_split"
