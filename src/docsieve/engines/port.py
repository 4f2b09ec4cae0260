"""What an engine is: pages and a schema become values. Every engine passes `tests/engines/test_contract.py`.

An engine describes itself, and nothing else compares engine names. One that needs no provider is a `LocalEngine`: it
is pure and runs in a sandboxed child. One that calls out runs in the worker, which has the network, and sees documents
only in the form a child prepared for sending; `pipelines/engines` runs both. No engine proves its values: grounding
does that for all of them.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from docsieve.domain.extraction import Material, Proposal, Spot
from docsieve.domain.schemas.fields import Schema

Need = Literal["model", "azure"]
"""A language model, or an account with Azure Document Intelligence."""


@dataclass(frozen=True, slots=True)
class EngineDescription:
    """Everything the rest of the product knows about an engine.

    `version` changes whenever the same pages and schema would give a different answer. `needs` is the provider it calls
    out to. `lessons_of` is the name of the local engine whose lessons it is given: its own, if it learns from
    corrections, or that of the engine that it runs first.
    """

    name: str
    version: str
    title: str
    description: str
    needs: Need | None = None
    lessons_of: str | None = None

    @property
    def calls_out(self) -> bool:
        return self.needs is not None


class LocalEngine(Protocol):
    about: EngineDescription

    def propose(self, materials: Sequence[Material], schema: Schema, *, lessons: dict[str, Any] | None) -> Proposal:
        """Return a value for every leaf it found and leave out the others. `lessons` are those of `lessons_of`."""
        ...


@dataclass(slots=True, eq=False, weakref_slot=True)
class Example:
    """A document with a verified value; `spots` are the boxes that people drew around fields, by path.

    `absent` are the fields that the document surely does not have. About others without a value, nothing is known.
    """

    materials: Sequence[Material]
    schema: Schema
    value: Any
    spots: Mapping[str, Sequence[Spot]] = field(default_factory=dict)
    absent: Collection[str] = ()


class LearningEngine(LocalEngine, Protocol):
    """A local engine whose `lessons_of` is its own name."""

    def learn(self, examples: Sequence[Example], fields: Collection[str] | None = None) -> dict[str, Any]:
        """Return lessons for `propose`, as JSON. The same examples in the same order give the same lessons.

        With `fields`, about these only: the patterns of single fields, and the names of lists.
        """
        ...
