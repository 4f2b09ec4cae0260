"""Errors of packets and their cuts."""

from docsieve.errors import Conflict, Invalid


class CutInvalid(Invalid):
    """There cannot be a cut there."""

    code = "cut_invalid"


class DocumentNotSplittable(Conflict):
    """Only PDFs and multi-page scans can be split, and a part of one cannot be split further."""

    code = "document_not_splittable"


class SplitsChanged(Conflict):
    """The cuts were changed meanwhile."""

    code = "splits_changed"
