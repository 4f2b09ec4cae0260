"""The documents that an extraction task works on."""

from collections.abc import Sequence
from dataclasses import dataclass

from docsieve.domain.extraction import Material
from docsieve.domain.pages.pagefile import pages_in
from docsieve.sandbox.paths import InputPath


@dataclass(frozen=True, slots=True)
class SourceDocument:
    """A document that was read: `pages` is its page file, and evidence refers to it by `id`."""

    id: str
    pages: InputPath
    language: str | None = None
    document_class: str | None = None


def materials(documents: Sequence[SourceDocument]) -> list[Material]:
    """The documents as engines see them, with all their pages."""
    return [
        Material(each.id, list(pages_in(each.pages)), language=each.language, document_class=each.document_class)
        for each in documents
    ]
