"""Embeddings from OpenAI or any server that speaks its protocol (vLLM, Ollama, llama.cpp, LiteLLM …)."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy
from pydantic import SecretStr

from docsieve.embeddings.port import Answered, Gate, RemoteEmbedder, Vectors, normalized
from docsieve.errors.providers import ProviderError, ProviderRefused
from docsieve.providers.http import ATTEMPTS, Provider

_MAX_BATCH_TEXTS = 64
_MAX_BATCH_CHARACTERS = 100_000
# OpenAI's models accept 8,191 tokens, and a character is rarely more than one.
_MAX_CHARACTERS = 8_000
_MAX_RESPONSE_BYTES = 64 * 1024**2
_BYTES_PER_TOKEN = 4
_MAX_TOKENS = 10_000_000


class OpenAICompatibleEmbedder(RemoteEmbedder):
    """`dimensions` is the size of the model's vectors, or less if the model can shorten them on request."""

    provider = "openai"

    def __init__(self, base_url: str, key: SecretStr | None, model: str, dimensions: int) -> None:
        self.name = f"openai:{model}:{dimensions}"
        self.dimensions = dimensions
        self.model = model
        self._shorten = False
        self._server = Provider("The embedder", base_url, key)

    async def embed(self, texts: Sequence[str], *, query: bool = False, gate: Gate | None = None) -> Vectors:
        vectors = numpy.zeros((len(texts), self.dimensions), numpy.float32)
        for batch in _batches(texts):
            some = [texts[at][:_MAX_CHARACTERS] for at in batch]
            if gate is None:
                vectors[batch] = (await self._embed_some(some, attempts=ATTEMPTS)).vectors
            else:
                request = partial(self._embed_some, some, attempts=1)
                vectors[batch] = await gate(request, about_tokens=_about_tokens(some))
        return vectors

    async def _embed_some(self, texts: Sequence[str], *, attempts: int) -> Answered:
        found, tokens = await self._ask(texts, attempts)
        if found.shape[1] > self.dimensions and not self._shorten:
            self._shorten = True
            found, more = await self._ask(texts, attempts)
            tokens = tokens + more if tokens is not None and more is not None else None
        if found.shape[1] != self.dimensions:
            raise ProviderRefused(f"The embedder returned {found.shape[1]} dimensions instead of {self.dimensions}.")
        if not numpy.isfinite(found).all() or not found.any(axis=1).all():
            raise ProviderError("The embedder returned a vector without a direction.")
        return Answered(normalized(found), tokens)

    async def _ask(self, texts: Sequence[str], attempts: int) -> Answered:
        body: dict[str, Any] = {"model": self.model, "input": texts, "encoding_format": "float"}
        if self._shorten:
            body["dimensions"] = self.dimensions
        answer = await self._server.post("/embeddings", body, max_bytes=_MAX_RESPONSE_BYTES, attempts=attempts)
        try:
            ordered = {int(item["index"]): item["embedding"] for item in answer["data"]}
            found = numpy.array([ordered[at] for at in range(len(texts))], numpy.float32)
        except (KeyError, TypeError, ValueError):
            raise ProviderError("The embedder did not return one vector per text.") from None
        if found.ndim != 2:
            raise ProviderError("The embedder did not return one vector per text.")
        return Answered(found, _tokens(answer))

    async def close(self) -> None:
        await self._server.close()


def _about_tokens(texts: Sequence[str]) -> int:
    return sum(len(text.encode(errors="replace")) for text in texts) // _BYTES_PER_TOKEN + len(texts)


def _tokens(answer: dict[str, Any]) -> int | None:
    """The provider's token count, or None if it is missing or implausible."""
    usage = answer.get("usage")
    counted = usage.get("prompt_tokens") if isinstance(usage, dict) else None
    return counted if type(counted) is int and 0 <= counted <= _MAX_TOKENS else None


def _batches(texts: Sequence[str]) -> Iterator[list[int]]:
    """Indices of texts to send together; blank texts are skipped because the protocol rejects them."""
    batch: list[int] = []
    characters = 0
    for at, text in enumerate(texts):
        size = min(len(text), _MAX_CHARACTERS)
        if not text[:size].strip():
            continue
        if batch and (len(batch) == _MAX_BATCH_TEXTS or characters + size > _MAX_BATCH_CHARACTERS):
            yield batch
            batch, characters = [], 0
        batch.append(at)
        characters += size
    if batch:
        yield batch
