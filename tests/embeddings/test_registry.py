"""Which embedder the settings open."""

from dataclasses import dataclass, field
from importlib.metadata import EntryPoint

import pytest
from pydantic import SecretStr

from docsieve.embeddings import registry
from docsieve.embeddings.local import LocalEmbedder
from docsieve.embeddings.openai_compatible import OpenAICompatibleEmbedder
from docsieve.embeddings.registry import open_embedder
from docsieve.errors.providers import UnknownEmbedder


@dataclass
class Wanted:
    embedder: str = "local"
    provider_keys: dict[str, SecretStr] = field(default_factory=dict)
    provider_urls: dict[str, str] = field(default_factory=lambda: {"embedder": "http://127.0.0.1:1/v1"})


def test_the_local_one_needs_no_other_setting() -> None:
    assert isinstance(open_embedder(Wanted()), LocalEmbedder)


def test_the_remote_one_is_named_for_its_model_and_size() -> None:
    opened = open_embedder(Wanted("openai:text-embedding-3-small"))
    assert isinstance(opened, OpenAICompatibleEmbedder)
    assert (opened.name, opened.dimensions) == ("openai:text-embedding-3-small:1536", 1536)
    shorter = open_embedder(Wanted("openai:nomic-embed:latest:256"))
    assert (shorter.name, shorter.dimensions) == ("openai:nomic-embed:latest:256", 256)


@pytest.mark.parametrize("length", ["0", "4001"])
def test_a_length_that_cannot_be_stored_is_refused(length: str) -> None:
    with pytest.raises(UnknownEmbedder, match="from 1 to 4000"):
        open_embedder(Wanted(f"openai:large:{length}"))


@pytest.mark.parametrize("name", ["word2vec", "openai", "openai:", "local:model"])
def test_an_unknown_name_is_refused_with_those_that_are_known(name: str) -> None:
    with pytest.raises(UnknownEmbedder, match="local, openai:model"):
        open_embedder(Wanted(name))


def test_an_installed_package_adds_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    installed = EntryPoint("mine", f"{__name__}:open_mine", registry.ENTRY_POINTS)

    def entry_points(*, group: str, name: str = "mine") -> list[EntryPoint]:
        return [installed] if (group, name) == (registry.ENTRY_POINTS, "mine") else []

    monkeypatch.setattr(registry, "entry_points", entry_points)
    assert open_embedder(Wanted("mine")).name == "wordllama-l2-256.1"


def open_mine(settings: registry.EmbedderSettings) -> LocalEmbedder:
    return LocalEmbedder()
