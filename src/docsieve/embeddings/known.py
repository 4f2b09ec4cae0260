"""The embedders available to a process, by the names stored with their vectors."""

from docsieve.embeddings.local import LocalEmbedder
from docsieve.embeddings.port import Embedder


class KnownEmbedders:
    """`chosen` is the embedder of the settings. The local one needs no settings, so it is always available: it made the
    vectors that searches use until the chosen one has made its own."""

    def __init__(self, chosen: Embedder) -> None:
        self.chosen = chosen
        self._by_name: dict[str, Embedder] = {LocalEmbedder.name: LocalEmbedder(), chosen.name: chosen}

    def named(self, name: str) -> Embedder | None:
        return self._by_name.get(name)

    async def close(self) -> None:
        for embedder in self._by_name.values():
            await embedder.close()
