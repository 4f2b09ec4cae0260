"""The task that analyzes pages: language, class and chunks of a document."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from docsieve.domain.classes import ClassDescription, Classification
from docsieve.domain.pages.page import OnProgress, Page, Progress
from docsieve.domain.pages.pagefile import pages_in
from docsieve.domain.text import clean
from docsieve.sandbox.paths import InputPath, SharedPath
from docsieve.sandbox.task import Task

# Classes show on the first pages; for the language some of the later ones help.
_SAMPLED_CHARACTERS = 40_000
_FIRST_PAGES = 3

_SAMPLE_CHARACTERS = 6_000  # what a language model is shown to classify a document


@dataclass(frozen=True, slots=True)
class AnalysisOptions:
    """`chunks` becomes a file of one chunk per line; `own_classes` are the tenant's own classes of documents."""

    chunks: SharedPath
    own_classes: tuple[ClassDescription, ...] = ()


@dataclass(frozen=True, slots=True)
class Analysis:
    """What a document is about, judged by its text; `sample` is the beginning of that text."""

    language: str | None
    classification: Classification
    sample: str


@dataclass(frozen=True, slots=True)
class AnalyzePages(Task[Analysis]):
    """Analyzes the page file of a document that was read before."""

    pages: InputPath
    options: AnalysisOptions

    def perform(self, report: OnProgress) -> Analysis:
        report(Progress("analyzing"))
        return analyze(pages_in(self.pages), self.options)


def analyze(pages: Iterable[Page], options: AnalysisOptions) -> Analysis:
    from docsieve.analysis.classification.classify import classify
    from docsieve.analysis.classification.language import detect_language
    from docsieve.analysis.search.chunks import chunk_pages

    seen = _Seen()
    with options.chunks.open("wb") as file:
        for chunk in chunk_pages(seen.passing(pages)):
            file.write(chunk.to_json() + b"\n")
            file.flush()
    text = "\n".join(seen.texts)
    language = detect_language(text)
    found = classify(
        text,
        first_page=seen.first_page,
        page_count=seen.page_count,
        page_size=seen.page_size,
        language=language,
        form_fields=seen.form_fields,
        own_classes=list(options.own_classes),
    )
    return Analysis(language, Classification(found.name, found.confidence), clean(text[:_SAMPLE_CHARACTERS]))


@dataclass(slots=True)
class _Seen:
    """Samples of the pages seen so far."""

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
