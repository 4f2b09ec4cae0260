"""What a document is about, found inside a sandboxed child while its pages pass by: language, class and chunks."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from docsieve.domain.classes import ClassDescription
from docsieve.domain.pagefile import decode_page, stored_page, whole_index
from docsieve.domain.pages import Page, Progress
from docsieve.sandbox.port import Report

# Classes show on the first pages; for the language some of the later ones help.
_SAMPLED_CHARACTERS = 40_000
_FIRST_PAGES = 3


def analyse(pages: Iterable[Page], wanted: dict[str, Any] | None) -> dict[str, Any] | None:
    """Let all pages pass by. With `wanted`, write their chunks to its file `chunks` and say what they are.

    `own_classes` are names and descriptions of the tenant's own classes of documents.
    """
    if wanted is None:
        for _ in pages:
            pass
        return None
    # loaded by the first document that is analysed, not by every start of a child
    from docsieve.analysis.classification.classify import classify
    from docsieve.analysis.classification.language import detect_language
    from docsieve.analysis.search.chunks import chunk_pages

    seen = _Seen()
    with Path(wanted["chunks"]).open("wb") as file:
        for chunk in chunk_pages(seen.passing(pages)):
            file.write(chunk.to_json() + b"\n")
    text = "\n".join(seen.texts)
    language = detect_language(text)
    found = classify(
        text,
        first_page=seen.first_page,
        page_count=seen.page_count,
        page_size=seen.page_size,
        language=language,
        form_fields=seen.form_fields,
        own_classes=[ClassDescription(*each) for each in wanted["own_classes"]],
    )
    return {
        "language": language,
        "class": found.name,
        "class_confidence": found.confidence,
        "sample": text[: wanted["sample_characters"]],
    }


def analyse_document(arguments: dict[str, Any], report: Report) -> dict[str, Any]:
    """Analyse the page file `pages` of a document that need not be read again; `analysis` as for `analyse`."""
    data = Path(arguments["pages"]).read_bytes()
    report(Progress("analysing"))
    return {"analysis": analyse(stored_pages(data), arguments["analysis"])}


def stored_pages(data: bytes) -> Iterator[Page]:
    index = whole_index(data)
    for number in range(1, index.page_count + 1):
        yield decode_page(stored_page(data, index, number))


@dataclass(slots=True)
class _Seen:
    """What is kept of the pages that passed."""

    texts: list[str] = field(default_factory=list)
    characters: int = 0
    first_page: list[str] = field(default_factory=list)
    page_size: tuple[float, float] | None = None
    page_count: int = 0
    form_fields: int = 0

    def passing(self, pages: Iterable[Page]) -> Iterator[Page]:
        for page in pages:
            self.page_count += 1
            self.form_fields += len(page.form_fields)
            if self.page_size is None:
                self.page_size = (page.width, page.height)
            if not self.first_page:
                self.first_page = [line.text for line in page.lines]
            if self.page_count <= _FIRST_PAGES or self.characters < _SAMPLED_CHARACTERS:
                text = page.text[:_SAMPLED_CHARACTERS]
                self.texts.append(text)
                self.characters += len(text)
            yield page
