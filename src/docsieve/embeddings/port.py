"""What an embedder does; every adapter passes `tests/embeddings/test_contract.py`."""

from collections.abc import Sequence
from typing import Protocol

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


def normalised(vectors: Vectors) -> Vectors:
    """Each row at length 1, except rows of 0."""
    lengths = numpy.linalg.norm(vectors, axis=1, keepdims=True).astype(numpy.float32)
    lengths[lengths == 0] = 1
    unit: Vectors = vectors / lengths
    return unit
