"""Embeddings from OpenAI or any server that speaks its protocol (vLLM, Ollama, llama.cpp, LiteLLM …)."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy
from pydantic import SecretStr

from docsieve.embeddings.port import Embedder, Vectors, normalised
from docsieve.providers import Provider, ProviderError, ProviderRefused

_TEXTS_AT_ONCE = 64
_CHARACTERS_AT_ONCE = 100_000
# OpenAI's models take 8,191 tokens, and a character is hardly ever more than one.
_MOST_CHARACTERS = 8_000
_ANSWER_BYTES = 64 * 1024**2


class OpenAICompatibleEmbedder(Embedder):
    """`dimensions` is what the model gives, or fewer where it can shorten its vectors; asked to if it must."""

    def __init__(self, base_url: str, key: SecretStr | None, model: str, dimensions: int) -> None:
        self.name = f"openai:{model}:{dimensions}"
        self.dimensions = dimensions
        self._model = model
        self._shorten = False
        self._provider = Provider("The embedder", base_url, key)

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        vectors = numpy.zeros((len(texts), self.dimensions), numpy.float32)
        for batch in _batches(texts):
            vectors[batch] = await self._embed_some([texts[at][:_MOST_CHARACTERS] for at in batch])
        return vectors

    async def _embed_some(self, texts: Sequence[str]) -> Vectors:
        found = await self._ask(texts)
        if found.shape[1] > self.dimensions and not self._shorten:
            self._shorten = True
            found = await self._ask(texts)
        if found.shape[1] != self.dimensions:
            raise ProviderRefused(f"The embedder gives {found.shape[1]} dimensions, not {self.dimensions}.")
        if not numpy.isfinite(found).all() or not found.any(axis=1).all():
            raise ProviderError("The embedder answered a vector that has no direction.")
        return normalised(found)

    async def _ask(self, texts: Sequence[str]) -> Vectors:
        body: dict[str, Any] = {"model": self._model, "input": texts, "encoding_format": "float"}
        if self._shorten:
            body["dimensions"] = self.dimensions
        answer = await self._provider.post("/embeddings", body, most_bytes=_ANSWER_BYTES)
        try:
            ordered = {int(item["index"]): item["embedding"] for item in answer["data"]}
            found = numpy.array([ordered[at] for at in range(len(texts))], numpy.float32)
        except (KeyError, TypeError, ValueError):
            raise ProviderError("The embedder did not answer one vector for each text.") from None
        if found.ndim != 2:
            raise ProviderError("The embedder did not answer one vector for each text.")
        return found

    async def close(self) -> None:
        await self._provider.close()


def _batches(texts: Sequence[str]) -> Iterator[list[int]]:
    """Positions of texts that go together; blank ones are left out because the protocol refuses them."""
    batch: list[int] = []
    characters = 0
    for at, text in enumerate(texts):
        size = min(len(text), _MOST_CHARACTERS)
        if not text[:size].strip():
            continue
        if batch and (len(batch) == _TEXTS_AT_ONCE or characters + size > _CHARACTERS_AT_ONCE):
            yield batch
            batch, characters = [], 0
        batch.append(at)
        characters += size
    if batch:
        yield batch
