"""The embedders that a process can ask, by the names that their vectors carry."""

from docsieve.embeddings.local import LocalEmbedder
from docsieve.embeddings.port import Embedder


class KnownEmbedders:
    """`chosen` is the one of the settings. The local one needs no settings, so it can always be asked too: it made the
    vectors that searches use until the chosen one has made its own."""

    def __init__(self, chosen: Embedder) -> None:
        self.chosen = chosen
        self._by_name: dict[str, Embedder] = {LocalEmbedder.name: LocalEmbedder(), chosen.name: chosen}

    def named(self, name: str) -> Embedder | None:
        return self._by_name.get(name)

    async def close(self) -> None:
        for embedder in self._by_name.values():
            await embedder.close()
