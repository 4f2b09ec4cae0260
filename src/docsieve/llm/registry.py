"""Resolves names of chat models: `openai:gpt-4o-mini`, `azure:deployment`, `compatible:qwen3:4b` …

A provider is named before the first colon. A name without one is a model of the provider in the settings. Installed
packages add providers through the entry point group `docsieve.models`: a callable that takes the settings and a model.
"""

from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import entry_points
from importlib.util import find_spec
from pkgutil import resolve_name
from typing import Protocol

from pydantic import SecretStr

from docsieve.errors.providers import ModelNotConfigured, UnknownModelProvider
from docsieve.llm.port import ChatModel

ENTRY_POINTS = "docsieve.models"
COMPATIBLE = "compatible"
_COMPATIBLE_MODEL = "docsieve.llm.vendors.openai_compatible:OpenAICompatibleModel"


class ModelSettings(Protocol):
    """The part of the settings that is read here."""

    llm: str | None
    provider_keys: dict[str, SecretStr]
    provider_urls: dict[str, str]


@dataclass(frozen=True, slots=True)
class Vendor:
    """`adapter` is imported on first use, if `package` from the extra `llm` is installed."""

    adapter: str
    package: str
    url: str | None


VENDORS = {
    "openai": Vendor("docsieve.llm.vendors.openai:OpenAIModel", "openai", "https://api.openai.com/v1"),
    "azure": Vendor("docsieve.llm.vendors.azure_openai:AzureOpenAIModel", "openai", None),
    "anthropic": Vendor("docsieve.llm.vendors.anthropic:AnthropicModel", "anthropic", "https://api.anthropic.com"),
    "gemini": Vendor(
        "docsieve.llm.vendors.gemini:GeminiModel", "google.genai", "https://generativelanguage.googleapis.com"
    ),
    "mistral": Vendor("docsieve.llm.vendors.mistral:MistralModel", "mistralai", "https://api.mistral.ai"),
}


def provider_names() -> list[str]:
    return sorted({COMPATIBLE, *VENDORS, *(plugin.name for plugin in entry_points(group=ENTRY_POINTS))})


def model_name(settings: ModelSettings, *, provider: str | None = None, model: str | None = None) -> str | None:
    """The full name of the model; None if neither the caller nor the settings name one.

    Raises UnknownModelProvider, or ModelNotConfigured for a provider without a model.
    """
    if provider is None and model is None:
        if settings.llm is None:
            return None
        model = settings.llm
    known = provider_names()
    if provider is None:
        named, colon, rest = (model or "").partition(":")
        if named in known and (colon or model == settings.llm):
            provider, model = named, rest
        elif settings.llm is None or model == settings.llm:
            raise UnknownModelProvider(
                f"{model} must have the form provider:model with one of these providers: {', '.join(known)}."
            )
        else:
            provider = settings.llm.partition(":")[0]
    if provider not in known:
        raise UnknownModelProvider(f"Unknown provider of language models: {provider}. Available: {', '.join(known)}.")
    if not model:
        raise ModelNotConfigured(f"Specify a model of {provider} as {provider}:model.")
    return f"{provider}:{model}"


def check_configured(settings: ModelSettings, model: str | None) -> None:
    """Raises UnknownModelProvider, or ModelNotConfigured if a setting is missing for this model.

    Opens nothing, because a vendor's SDK takes seconds to load.
    """
    name = model_name(settings, model=model)
    if name is None:
        raise ModelNotConfigured("No language model is configured. Set DOCSIEVE_LLM.")
    provider = name.partition(":")[0]
    if provider == COMPATIBLE:
        _url(settings, provider)
    elif provider in VENDORS:
        _access(settings, provider)


def open_model(settings: ModelSettings, *, provider: str | None = None, model: str | None = None) -> ChatModel | None:
    """Open the model, or return None if none is wanted. Makes no call before the first question."""
    name = model_name(settings, provider=provider, model=model)
    if name is None:
        return None
    chosen, _, its_model = name.partition(":")
    if chosen == COMPATIBLE:
        key = settings.provider_keys.get(COMPATIBLE)
        return _adapter(_COMPATIBLE_MODEL)(_url(settings, COMPATIBLE), key, its_model)
    if chosen in VENDORS:
        return _open_vendor(settings, chosen, its_model)
    [plugin] = list(entry_points(group=ENTRY_POINTS, name=chosen))[:1]
    opened: ChatModel = plugin.load()(settings, its_model)
    return opened


def _open_vendor(settings: ModelSettings, provider: str, model: str) -> ChatModel:
    key, url = _access(settings, provider)
    if provider == "openai" and not _installed(VENDORS[provider].package):
        return _adapter(_COMPATIBLE_MODEL)(url, key, model, provider=provider)
    return _adapter(VENDORS[provider].adapter)(model, key, url)


def _adapter(name: str) -> Callable[..., ChatModel]:
    """Imports it now: an SDK takes up to seconds, and the client for compatible servers 35 ms of processor time."""
    adapter: Callable[..., ChatModel] = resolve_name(name)
    return adapter


def _access(settings: ModelSettings, provider: str) -> tuple[SecretStr, str]:
    """The key and the URL of a vendor. Raises ModelNotConfigured, also if its SDK is not installed.

    OpenAI works without its SDK too, through the client for compatible servers.
    """
    key = settings.provider_keys.get(provider)
    if key is None:
        raise ModelNotConfigured(f"{provider} needs an API key. Set DOCSIEVE_PROVIDER_KEYS={provider}=….")
    url = _url(settings, provider)
    if provider != "openai" and not _installed(VENDORS[provider].package):
        raise ModelNotConfigured(f"{provider} needs the vendor's SDK. Install docsieve[llm].")
    return key, url


def _url(settings: ModelSettings, provider: str) -> str:
    vendor = VENDORS.get(provider)
    url = settings.provider_urls.get(provider) or (vendor.url if vendor else None)
    if url is None:
        raise ModelNotConfigured(f"{provider} needs its URL. Set DOCSIEVE_PROVIDER_URLS={provider}=https://….")
    return url


def _installed(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except ModuleNotFoundError:
        return False


class KnownModels:
    """Opens each model once, on first use; `chosen` is the model of the settings."""

    def __init__(self, settings: ModelSettings) -> None:
        self._settings = settings
        self._by_name: dict[str, ChatModel] = {}
        self.chosen = self.named(None)

    def named(self, model: str | None) -> ChatModel | None:
        """Raises UnknownModelProvider or ModelNotConfigured. Without a name it is the model of the settings."""
        name = model_name(self._settings, model=model)
        if name is None:
            return None
        if name not in self._by_name:
            opened = open_model(self._settings, model=name)
            assert opened is not None
            self._by_name[name] = opened
        return self._by_name[name]

    async def close(self) -> None:
        for model in self._by_name.values():
            await model.close()
