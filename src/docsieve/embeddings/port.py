"""The embedder interface; every adapter passes `tests/embeddings/test_contract.py`."""

from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple, Protocol, runtime_checkable

import numpy
from numpy.typing import NDArray

Vectors = NDArray[numpy.float32]
"""One row per text, each of length 1, so that the inner product is the cosine. A text without words is a row of 0."""


class Embedder(Protocol):
    """`name` identifies model, version and size of a vector: only vectors with the same name can be compared."""

    name: str
    dimensions: int

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        """Return one vector per text, in order; `query` is for models that treat queries and passages differently.

        Raises ProviderBusy if a provider asks to wait, ProviderRefused if a retry would not help, and ProviderError for
        all other failures.
        """
        ...

    async def close(self) -> None: ...


class Answered(NamedTuple):
    """`tokens` is the provider's count, or None if it does not report one."""

    vectors: Vectors
    tokens: int | None


class Gate(Protocol):
    """What every request to a provider passes: it may make it wait, repeat it and count what it took."""

    async def __call__(self, request: Callable[[], Awaitable[Answered]], *, about_tokens: int) -> Vectors: ...


@runtime_checkable
class RemoteEmbedder(Embedder, Protocol):
    """An embedder that calls a provider; limits and prices are looked up by `provider` and `model`.

    With a gate a request is sent once and the gate decides about the next; without, the embedder tries again itself.
    """

    provider: str
    model: str

    async def embed(self, texts: Sequence[str], *, query: bool = False, gate: Gate | None = None) -> Vectors: ...


def normalized(vectors: Vectors) -> Vectors:
    """Scale each row to length 1, except rows of 0."""
    lengths = numpy.linalg.norm(vectors, axis=1, keepdims=True).astype(numpy.float32)
    lengths[lengths == 0] = 1
    unit: Vectors = vectors / lengths
    return unit
