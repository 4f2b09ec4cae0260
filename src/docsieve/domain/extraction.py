"""What an extraction is made of: its specification, what an engine proposes, the result and the outcome.

An engine proposes values for the leaves of a schema. Grounding finds each on the page, checks test it, and confidence
rates how certain that makes it. One shape serves the pipeline, the store and the API.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal
from uuid import UUID

from docsieve.domain.doubts import DoubtCode
from docsieve.domain.pages.page import Box, Page
from docsieve.domain.schemas.choice import AUTO
from docsieve.domain.schemas.fields import Scalar, Schema

DEFAULT_ENGINE = "local"
DEFAULT_THRESHOLD = 0.7
"""A field with a lower confidence needs review, unless its schema or its project says otherwise."""

PageInput = Literal["text", "images", "both"]
"""The form in which a language model is shown the pages."""


@dataclass(frozen=True, slots=True)
class ExtractionSpec:
    """Everything that a result depends on, except the documents. It is settled when the extraction is requested."""

    schema: Schema
    engine: str = DEFAULT_ENGINE
    threshold: float = DEFAULT_THRESHOLD
    schema_name: str | None = None
    schema_version: int | None = None
    prompt_name: str | None = None
    prompt_version: int | None = None
    prompt: str | None = None
    model: str | None = None
    fallback_engine: str | None = None
    use_cache: bool = True
    show: PageInput = "text"

    @property
    def by_class(self) -> bool:
        """Whether the schema is still to be chosen, by the class of the documents."""
        return self.schema_name == AUTO

    @property
    def schema_ref(self) -> str | None:
        """`invoice@3`; null for a schema that came with the request."""
        return _ref(self.schema_name, self.schema_version)

    @property
    def prompt_ref(self) -> str | None:
        return _ref(self.prompt_name, self.prompt_version)


@dataclass(frozen=True, slots=True)
class MissingDocument:
    """A document that an extraction left out, and why. A deleted one has neither id nor name any more."""

    document_id: UUID | None
    filename: str | None
    code: str
    message: str


def _ref(name: str | None, version: int | None) -> str | None:
    return f"{name}@{version}" if name is not None and version is not None else name


@dataclass(frozen=True, slots=True)
class Spot:
    """Where an engine saw a value. Documents count from 0 in the extraction's order, pages from 1."""

    page: int
    box: Box
    text: str = ""
    document: int = 0


@dataclass(slots=True)
class FoundDoubt:
    """Why an engine is unsure of its answer. `other` is a value that may be right instead, and `spots` its place."""

    code: DoubtCode
    message: str
    other: str | None = None
    spots: list[Spot] = field(default_factory=list)


@dataclass(slots=True)
class Found:
    """An engine's answer for one leaf; `score` is its own certainty from 0 to 1, if it has one.

    For a null, that is how certain it is that the documents do not have the field.
    """

    value: Scalar
    score: float | None = None
    spots: list[Spot] = field(default_factory=list)
    why: str | None = None
    doubts: list[FoundDoubt] = field(default_factory=list)


@dataclass(slots=True)
class Usage:
    """What an extraction used. `cost` is in US dollars; `saved` is what a cascade or a cached answer avoided."""

    pages: int = 0
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cached_input_tokens: int = 0
    cost: float = 0.0
    saved: float = 0.0
    cache_hits: int = 0
    details: dict[str, Any] = field(default_factory=dict)

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            self.pages + other.pages,
            self.calls + other.calls,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.cached_input_tokens + other.cached_input_tokens,
            self.cost + other.cost,
            self.saved + other.saved,
            self.cache_hits + other.cache_hits,
            {**self.details, **other.details},
        )


@dataclass(slots=True)
class Proposal:
    """An engine's answer, by the path of the leaf (`line_items[0].price`)."""

    found: dict[str, Found] = field(default_factory=dict)
    usage: Usage = field(default_factory=Usage)


@dataclass(slots=True)
class Material:
    """One document of an extraction, as engines see it."""

    document_id: str
    pages: Sequence[Page]
    language: str | None = None
    document_class: str | None = None


@dataclass(slots=True)
class Evidence:
    """The place on a page that proves a value, with the text found there."""

    document_id: str
    page: int
    page_width: float
    page_height: float
    box: Box
    text: str


@dataclass(slots=True)
class Check:
    """A test: `name` is stable (type, format, enum, required, sum, date_order, rule), `message` is for people."""

    name: str
    passed: bool
    message: str = ""


@dataclass(slots=True)
class Doubt:
    """A reason why a leaf may be wrong: `code` is stable, `message` is for people.

    `other` is a value, as printed, that may be right instead. `evidence` is its place; for a null also that of a label.
    """

    code: DoubtCode
    message: str
    other: str | None
    evidence: list[Evidence]


@dataclass(slots=True)
class LeafMetadata:
    """The entry of a leaf in an extraction's `metadata`; `needs_review` is decided once, when the leaf is weighed.

    The confidence of a null is the probability that the documents do not have the field.
    """

    confidence: float
    grounded: bool
    evidence: list[Evidence] = field(default_factory=list)
    checks: list[Check] = field(default_factory=list)
    doubts: list[Doubt] = field(default_factory=list)
    why: str | None = None
    needs_review: bool = field(kw_only=True)


@dataclass(slots=True)
class Result:
    """`value` has exactly the schema's shape; `metadata` has an entry for each of its leaves."""

    value: Any
    metadata: dict[str, LeafMetadata]
    confidence: float
    usage: Usage = field(default_factory=Usage)

    @property
    def needs_review(self) -> bool:
        """An extraction needs review exactly when one of its leaves does."""
        return any(leaf.needs_review for leaf in self.metadata.values())


@dataclass(frozen=True, slots=True)
class FailedEngine:
    """The engine that was chosen for an extraction, and why another one had to step in."""

    engine: str
    code: str
    message: str


@dataclass(frozen=True, slots=True)
class ExtractionOutcome:
    """A result and how it came about: `model` is the provider's model that was called, if any.

    With `fallback_from`, the fallback engine of the specification made it.
    """

    result: Result
    engine_version: str
    model: str | None = None
    lessons_version: int | None = None
    seconds: float = 0.0
    fallback_from: FailedEngine | None = None
