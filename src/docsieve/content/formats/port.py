"""What a format of content is: it writes a document piece by piece, one page at a time."""

from dataclasses import dataclass
from typing import Protocol

from docsieve.content.outline import PageContent


@dataclass(frozen=True, slots=True)
class About:
    """The document that is written."""

    title: str
    page_count: int
    document_id: str | None = None
    language: str | None = None


class Writer(Protocol):
    """Used for one document. `page` is called for each page in order."""

    def begin(self, about: About) -> str: ...

    def page(self, content: PageContent) -> str: ...

    def end(self) -> str: ...
