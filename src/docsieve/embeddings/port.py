"""What an embedder does; every adapter passes `tests/embeddings/test_contract.py`."""

from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple, Protocol, runtime_checkable

import numpy
from numpy.typing import NDArray

Vectors = NDArray[numpy.float32]
"""One row a text, each of length 1, so that the inner product is the cosine. A text without any word is a row of 0."""


class Embedder(Protocol):
    """`name` says which model, version and size made a vector: only vectors of one name can be compared."""

    name: str
    dimensions: int

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        """The vectors of the texts, in their order; `query` tells models that treat questions and passages apart.

        Raises ProviderBusy when a provider asks us to wait, ProviderRefused when asking again would not help, and
        ProviderError for whatever else goes wrong on the way.
        """
        ...

    async def close(self) -> None: ...


class Answered(NamedTuple):
    """`tokens` as the provider counted them; None where it does not say."""

    vectors: Vectors
    tokens: int | None


class Gate(Protocol):
    """What every request to a provider passes: it may make it wait, repeat it and count what it took."""

    async def __call__(self, request: Callable[[], Awaitable[Answered]], *, about_tokens: int) -> Vectors: ...


@runtime_checkable
class RemoteEmbedder(Embedder, Protocol):
    """One that asks a provider; its limits and prices are found by `provider` and `model`.

    With a gate a request is sent once and the gate decides about the next; without, the embedder tries again itself.
    """

    provider: str
    model: str

    async def embed(self, texts: Sequence[str], *, query: bool = False, gate: Gate | None = None) -> Vectors: ...


def normalised(vectors: Vectors) -> Vectors:
    """Each row at length 1, except rows of 0."""
    lengths = numpy.linalg.norm(vectors, axis=1, keepdims=True).astype(numpy.float32)
    lengths[lengths == 0] = 1
    unit: Vectors = vectors / lengths
    return unit
