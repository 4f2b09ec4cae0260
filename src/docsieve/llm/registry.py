"""Which chat model the settings mean, if any.

Installed packages add theirs through the entry point group `docsieve.models`: a callable that takes the settings.
"""

from collections.abc import Callable
from importlib.metadata import entry_points
from typing import Protocol

from pydantic import SecretStr

from docsieve.errors import Invalid
from docsieve.llm.openai_compatible import OpenAICompatibleModel
from docsieve.llm.port import ChatModel

ENTRY_POINTS = "docsieve.models"


class ModelSettings(Protocol):
    """The part of the settings that is read here."""

    llm: str | None
    llm_url: str
    llm_key: SecretStr | None
    llm_model: str


class UnknownModelProvider(Invalid):
    """No provider of language models has this name."""

    code = "unknown_model_provider"


def open_model(settings: ModelSettings) -> ChatModel | None:
    """Open the model of the settings, or None where none is wanted; nobody is called before its first use."""
    if settings.llm is None:
        return None
    if open_known := PROVIDERS.get(settings.llm):
        return open_known(settings)
    for plugin in entry_points(group=ENTRY_POINTS, name=settings.llm):
        model: ChatModel = plugin.load()(settings)
        return model
    known = sorted({*PROVIDERS, *(plugin.name for plugin in entry_points(group=ENTRY_POINTS))})
    raise UnknownModelProvider(f"No provider of language models is called {settings.llm}; use {', '.join(known)}.")


def _open_openai(settings: ModelSettings) -> ChatModel:
    return OpenAICompatibleModel(settings.llm_url, settings.llm_key, settings.llm_model)


PROVIDERS: dict[str, Callable[[ModelSettings], ChatModel]] = {"openai": _open_openai}
